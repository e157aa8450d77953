import { expectedLevels } from "../../cell-types/expected-levels.ts";
import { setsNamed } from "../../markers/index.ts";
import type { NearestSpots } from "../../model/nearest-spots.ts";
import { spotTotals } from "../../model/spot-totals.ts";
import { givenReference } from "../../reference/given-reference.ts";
import { guessSpecies } from "../../species/guess-species.ts";
import type { StepContext } from "../../step.ts";
import type { CellGroups } from "../../types/score-clusters.ts";
import { timesPrototypes } from "../../model/prototype-sums.ts";
import { fitLabels } from "../../types/fit-labels.ts";
import { fitTypes, type FittedTypes } from "../../types/fit-types.ts";
import { indexSymbols } from "../../types/resolve-sets.ts";
import { weighByProfiles } from "../../types/weigh-by-profiles.ts";
import { fitProfilesOf, meanOfFits, type ExpressionFit } from "./fit-expression.ts";
import type { Sample } from "./gather-sample.ts";
import type { Shared } from "./learn-parts.ts";
import type { ExpressionParameters } from "./step.ts";
import { designMatrix, placeFeatures } from "../../model/cell-features.ts";
import { FEATURES, PARTS, TYPE_FIT } from "../../model/constants.ts";

/**
 * Adds cell types to the model as a further part: fitted to the spots' marker genes (`fitTypes`), or to a reference's
 * profiles (`fitLabels`), they say which cells of a spot express what, which compositions of whole spots cannot. Their
 * weight is {@link PARTS.MAX_OF_TYPES} times the share of the cells that are of one of them. Without types, the fit is
 * returned unchanged.
 */
export async function addTypes(
  context: StepContext<ExpressionParameters>,
  { tissue: { features: looks, overlap, byGene, spotPca } }: Sample,
  /** `varying`: 1 = the gene varies between spots. */
  { fit, near, varying }: { fit: ExpressionFit; near: NearestSpots; varying: Uint8Array },
  { pool, pause, progress }: Shared & { progress: (fraction: number) => void },
): Promise<{ fit: ExpressionFit; types: FittedTypes | null; weight: number }> {
  const { params, settings, tasks, read, readIfAny, signal } = context;
  const nCells = overlap.nCols;
  const others = { tasks, signal };
  const places = placeFeatures(near, spotPca, FEATURES.TYPE_COMPONENTS);
  const phi = designMatrix(nCells, [looks, places]);
  // Types share places, so what a place says is penalized.
  const penalty = new Float64Array(phi.nCols).fill(1);
  penalty[0] = 0;
  penalty.fill(TYPE_FIT.PLACE_PENALTY, 1 + looks.nCols);
  const features = { phi, nLooks: looks.nCols, penalty };
  const { seed } = settings;
  const symbols = await read("genes/symbol");
  const ids = await read("genes/id");
  const recorded = (await readIfAny("sample/species"))?.species;
  const species = settings.species ?? recorded ?? guessSpecies(symbols, ids);
  const spots = { ...features, overlap, byGene, efficiency: fit.efficiency, near, seed };
  const options = { pause, others, progress: (fraction: number) => progress(0.8 * fraction) };
  const reference = await givenReference(context, byGene);
  const labels =
    reference &&
    (await fitLabels(reference, spots, { ...options, species, tissue: settings.tissue }));
  const confirmed = reference
    ? null
    : await fitTypes(
        {
          symbols,
          varying,
          species,
          tissue: settings.tissue,
          groups: groupsOf(fit),
          spots,
        },
        options,
      );
  const types: FittedTypes | null = labels ?? confirmed;
  if (!types) return { fit, types, weight: 0 };
  const k = types.report.types.length + 1;
  const ofTypes = await fitProfilesOf(
    { data: types.posterior, k },
    { overlap, efficiency: fit.efficiency, counts: byGene, totals: spotTotals(byGene) },
    { ...params, pool, pause, progress: (fraction) => progress(0.8 + 0.2 * fraction) },
  );
  let named: FittedTypes = types;
  if (confirmed) {
    const names = confirmed.candidates;
    const expected = expectedLevels(setsNamed(names), species, indexSymbols(symbols));
    named = weighByProfiles(confirmed, ofTypes.profile, { names, expected });
  }
  const weight =
    (reference ? PARTS.MAX_OF_LABELS : PARTS.MAX_OF_TYPES) * shareWithType(types.posterior, k);
  if (!(weight > 0)) return { fit, types: named, weight: 0 };
  const both = meanOfFits([
    { fit, weight: 1 - weight },
    { fit: ofTypes, weight },
  ]);
  return { fit: both, types: named, weight };
}

/** Groups of cells whose expression differs, by the prototype with the largest share, and their mean rates. */
function groupsOf({ membership, profile, k }: ExpressionFit): CellGroups {
  const nGenes = profile.length / k;
  const sizes = new Float64Array(k);
  const members = new Float32Array(k * k);
  for (let at = 0; at < membership.length; at += k) {
    const row = membership.subarray(at, at + k);
    const group = row.indexOf(row.reduce((most, share) => Math.max(most, share), 0));
    sizes[group]++;
    for (let j = 0; j < k; j++) members[group * k + j] += row[j];
  }
  return {
    sizes,
    ratesOf(gene) {
      const b = Float64Array.from({ length: k }, (_, j) => profile[j * nGenes + gene]);
      return timesPrototypes(members, b).map((sum, group) => sum / Math.max(1, sizes[group]));
    },
  };
}

/** Share of the cells that are of one of the types, by posteriors (nCells × k, the last of none). */
export function shareWithType(posterior: Float32Array, k: number): number {
  let none = 0;
  for (let at = k - 1; at < posterior.length; at += k) none += posterior[at];
  return 1 - (none * k) / posterior.length;
}

/** Stores the types for naming cells. */
export async function writeTypes(
  { write }: Pick<StepContext, "write">,
  nCells: number,
  { report, posterior }: FittedTypes,
): Promise<void> {
  const nCols = report.types.length + 1;
  await write("sample/type_fit", report);
  await write("cells/type_posterior", { nRows: nCells, nCols, data: posterior });
}
