import type { SparseMatrix } from "@stipple/numerics/matrices";
import { designMatrix, standardize } from "../../model/cell-features.ts";
import { interpolate, nearestSpots } from "../../model/nearest-spots.ts";
import { membership, prototypeGate } from "../../model/prototypes.ts";
import { timesPrototypes } from "../../model/prototype-sums.ts";
import { spotTotals } from "../../model/spot-totals.ts";
import { multiplyDense, transpose } from "@stipple/numerics/sparse";
import { withoutSurplusWeight } from "./count-dispersion.ts";
import { spotEfficiency } from "./efficiency.ts";
import type { FitOptions, Membership, Part, TissueData } from "./fit-expression.ts";
import { partForGate } from "./gate-part.ts";
import { exposeSpots, trainGate } from "./gate.ts";
import { informativeGenes, mostInformative } from "./informative-genes.ts";
import { richnessOf } from "./profiles.ts";
import { supervise } from "./supervision.ts";
import { EFFICIENCY, FEATURES, LEARNED_PART } from "../../model/constants.ts";

const { POWER: EFFICIENCY_POWER } = EFFICIENCY;
const { COMPONENTS, NEAR_PITCHES: COMPONENT_PITCHES } = FEATURES;
const { SUPERVISED_DIMS, PRIOR_CELLS: RICHNESS_CELLS } = LEARNED_PART;

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
    lengthPx: COMPONENT_PITCHES * pitchPx,
    width: 7,
    use,
    always: true,
  });
  const components = Math.min(COMPONENTS, spotPca.nCols);
  const smooth = interpolate(near, leadingColumns(spotPca, components), components);
  const phi = designMatrix(cellsXy.nRows, [
    ...(part === "place" ? [] : [tissue.features]),
    standardize(smooth, cellsXy.nRows, components),
  ]);
  const told = (fraction: number): Promise<void> => {
    options.progress?.(fraction);
    return pause?.() ?? Promise.resolve();
  };
  await told(0.03);
  const { genes, excess } =
    tissue.excess && !use
      ? mostInformative(tissue.excess, options.gateGenes)
      : informativeGenes(counts, options.gateGenes, dispersion);
  const design = multiplyDense(overlap, phi.data, phi.nCols);
  const totals = spotTotals(counts);
  const nSpots = totals.filter((total) => total > 0).length;
  const byGene = withoutSurplusWeight(selectRows(counts, genes), nSpots, dispersion);
  const supervision = supervise(phi, design, byGene, SUPERVISED_DIMS);
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
  const richness = richnessOf(exposure, k, totals, RICHNESS_CELLS);
  const predicted = timesPrototypes(exposure, richness);
  return spotEfficiency(totals, predicted, spotsXy, { pitchPx, power: EFFICIENCY_POWER });
}

function leadingColumns(matrix: { data: Float32Array; nCols: number }, n: number): Float32Array {
  if (matrix.nCols === n) return matrix.data;
  const nRows = matrix.data.length / matrix.nCols;
  const out = new Float32Array(nRows * n);
  for (let i = 0; i < nRows; i++) {
    out.set(matrix.data.subarray(i * matrix.nCols, i * matrix.nCols + n), i * n);
  }
  return out;
}

function selectRows(matrix: SparseMatrix, rows: readonly number[]): SparseMatrix {
  const indptr = new Uint32Array(rows.length + 1);
  rows.forEach((row, i) => {
    indptr[i + 1] = indptr[i] + matrix.indptr[row + 1] - matrix.indptr[row];
  });
  const indices = new Uint32Array(indptr[rows.length]);
  const data = new Float32Array(indptr[rows.length]);
  rows.forEach((row, i) => {
    indices.set(matrix.indices.subarray(matrix.indptr[row], matrix.indptr[row + 1]), indptr[i]);
    data.set(matrix.data.subarray(matrix.indptr[row], matrix.indptr[row + 1]), indptr[i]);
  });
  return { nRows: rows.length, nCols: matrix.nCols, indptr, indices, data };
}
