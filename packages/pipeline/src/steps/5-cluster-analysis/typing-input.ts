import { CELL_EVIDENCE, IMAGE_QUALITIES } from "@stipple/contract";
import type { Field, FieldKey, SparseMatrix } from "../../fields.ts";
import type { HeldRates } from "../../model/rates.ts";
import type { AnalysisSettings } from "../../settings.ts";
import type { SpotEvidence } from "./anchored-types.ts";
import type { TypingInput } from "./assign-types.ts";
import { spotEvidence, type EvidenceFields } from "./spot-evidence.ts";

type Read = <K extends FieldKey>(key: K) => Promise<Field<K>>;

const POOR_IMAGE = [
  "blurred",
  "dark",
  "pen",
] as const satisfies readonly (typeof IMAGE_QUALITIES)[number][];

const BEYOND_REACH = CELL_EVIDENCE.indexOf("beyond_reach");

/** What types are told from, but for the clusters. */
export async function typingInput(
  read: Read,
  settings: Pick<AnalysisSettings, "species" | "tissue" | "seed">,
  { typeBeyondReach }: { typeBeyondReach: boolean },
): Promise<Omit<TypingInput, "clusters" | "nClusters" | "rates"> & { rates: HeldRates }> {
  const rates = await read("cells/rate");
  // Gigabytes on a large slide: once for all that look at them.
  const byGene = await read("genes/spots");
  const evidence = await read("cells/evidence");
  const overlap = await read("spots/cells");
  const quality = await read("cells/image_quality");
  const poor = new Set(POOR_IMAGE.map((word) => IMAGE_QUALITIES.indexOf(word)));
  return {
    nCells: rates.nCells,
    symbols: await read("genes/symbol"),
    ids: await read("genes/id"),
    reliable: await read("genes/reliable"),
    species: settings.species,
    tissue: settings.tissue,
    rates,
    spots: await lookAndSpots(read, { overlap, byGene, seed: settings.seed }),
    counted: {
      overlap,
      byGene,
      observed: await read("cells/observed"),
      seed: settings.seed,
    },
    sample: {
      lookGain: (await read("sample/expression")).morphologyGain,
      spots: spotsWithCells(overlap),
      bins: (await read("sample/scale")).spotShape === "square",
      poorImage: quality.map((code) => (poor.has(code) ? 1 : 0)),
    },
    withheld: typeBeyondReach
      ? undefined
      : Uint8Array.from(evidence, (code) => (code === BEYOND_REACH ? 1 : 0)),
    nucleated: (await read("sample/segmentation")).method !== "spot_level",
  };
}

/**
 * What the spots and the look of the cells say of their types, however little looks say of rates: types that are fitted to
 * the spots beat scores of rates there, too. Undefined where spots stand for cells.
 */
async function lookAndSpots(
  read: Read,
  counted: Pick<EvidenceFields, "overlap" | "byGene" | "seed">,
): Promise<SpotEvidence | undefined> {
  if ((await read("sample/segmentation")).method === "spot_level") return undefined;
  return spotEvidence({
    ...counted,
    efficiency: await read("spots/efficiency"),
    features: await read("cells/features"),
    featureNames: await read("features/name"),
    spotComponents: await read("spots/X_pca"),
    nearSpot: await read("cells/near_spot"),
    nearWeight: await read("cells/near_weight"),
  });
}

function spotsWithCells({ nRows, indptr }: SparseMatrix): number {
  let spots = 0;
  for (let s = 0; s < nRows; s++) if (indptr[s + 1] > indptr[s]) spots += 1;
  return spots;
}
