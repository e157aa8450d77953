import type { SparseMatrix } from "@stipple/numerics/matrices";
import { designMatrix, placeFeatures } from "../../model/cell-features.ts";
import { nearestSpots } from "../../model/nearest-spots.ts";
import { membership, prototypeGate } from "../../model/prototypes.ts";
import { timesPrototypes } from "../../model/prototype-sums.ts";
import { spotTotals } from "../../model/spot-totals.ts";
import { chooseRows, multiplyDense, transpose } from "@stipple/numerics/sparse";
import { spotEfficiency } from "./efficiency.ts";
import type { FitOptions, Membership, Part, TissueData } from "./fit-expression.ts";
import { exposeSpots, partForGate, trainGate } from "./gate.ts";
import { informativeGenes, mostInformative, withoutSurplusWeight } from "./informative-genes.ts";
import { richnessOf } from "./profiles.ts";
import { supervise } from "./supervision.ts";
import { FEATURES, LEARNED_PART } from "../../model/constants.ts";

/** Features → supervised space → prototypes → gate. Without looks ("place"), the prototypes are kept unchanged. */
export async function learnMembership(
  tissue: TissueData,
  part: Part,
  i: number,
  options: FitOptions & { overlap: SparseMatrix; counts: SparseMatrix },
): Promise<Membership> {
  const { cellsXy, spotsXy, spotPca, pitchPx, dispersion = 0 } = tissue;
  const { use, pause, overlap, counts } = options;
  const near = nearestSpots(cellsXy, spotsXy, {
    lengthPx: FEATURES.NEAR_PITCHES * pitchPx,
    width: FEATURES.NEAR_SPOTS,
    use,
    always: true,
  });
  const phi = designMatrix(cellsXy.nRows, [
    ...(part === "place" ? [] : [tissue.features]),
    placeFeatures(near, spotPca, FEATURES.COMPONENTS),
  ]);
  const told = async (fraction: number): Promise<void> => {
    options.progress?.(fraction);
    await pause?.();
  };
  await told(0.03);
  const { genes, excess } =
    tissue.excess && !use
      ? mostInformative(tissue.excess, options.gateGenes)
      : informativeGenes(counts, options.gateGenes, dispersion);
  const design = multiplyDense(overlap, phi.data, phi.nCols);
  const totals = spotTotals(counts);
  const nSpots = totals.filter((total) => total > 0).length;
  const byGene = withoutSurplusWeight(chooseRows(counts, genes), nSpots, dispersion);
  const supervision = supervise(phi, design, byGene);
  await told(0.06);
  const start = prototypeGate(phi, supervision, options.prototypes, options.seed + i);
  const first = { data: membership(phi, start), k: start.k };
  if (part === "place" || start.k < 2 || genes.length === 0 || options.gateSteps === 0) {
    return first;
  }
  await told(0.1);
  const data = {
    phi,
    overlap,
    reached: transpose(overlap),
    efficiency: efficienciesOf(tissue, { overlap, totals }, first),
    byGene,
  };
  const { part: trained, share } = partForGate(data, tissue, { seed: options.seed });
  const gate = await trainGate(trained, start, {
    steps: options.gateSteps,
    decay: share * options.gateDecay * excess.reduce((a, b) => a + b, 0),
    pause: (step) => told(0.1 + (0.5 * step) / options.gateSteps),
  });
  return { data: membership(phi, gate), k: gate.k };
}

/** Efficiencies of the spots (nSpots) for given memberships of the cells; all 1 if spots do not differ. */
export function efficienciesOf(
  { unevenSpots, spotsXy, pitchPx }: TissueData,
  { overlap, totals }: { overlap: SparseMatrix; totals: Float64Array },
  { data, k }: Membership,
): Float32Array {
  const ones = new Float32Array(overlap.nRows).fill(1);
  if (!unevenSpots) return ones;
  const exposure = exposeSpots(overlap, data, k, ones);
  const richness = richnessOf(exposure, k, totals, LEARNED_PART.PRIOR_CELLS);
  const predicted = timesPrototypes(exposure, richness);
  return spotEfficiency(totals, predicted, spotsXy, pitchPx);
}
