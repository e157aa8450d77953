import { openAdam } from "@stipple/numerics/adam";
import { pickRows } from "@stipple/numerics/dense";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { Random } from "@stipple/numerics/random";
import { release } from "@stipple/numerics/release";
import { chooseColumns, multiplyDense, transpose } from "@stipple/numerics/sparse";
import { openGateSlopes } from "./gate-slopes.ts";
import { exposureOf } from "./profiles.ts";
import { openGateKernel, throughSoftmax } from "../../model/gate-kernel.ts";
import type { Gate } from "../../model/prototypes.ts";
import { LEARNED_PART } from "../../model/constants.ts";
import { SAMPLES } from "../../model/limits.ts";
import { blocksOf, capturedBy, spotsWithCells } from "./part-of-tissue.ts";

export interface GateData {
  phi: { data: Float32Array; nCols: number };
  /** nSpots × nCells. */
  overlap: SparseMatrix;
  /** Its transpose. */
  reached: SparseMatrix;
  /** Spot efficiencies. */
  efficiency: Float32Array;
  /** Genes × spots: the informative genes only. */
  byGene: SparseMatrix;
}

/**
 * Improves a gate by gradient ascent on the Poisson log-likelihood of the spot counts, with a Gaussian prior of
 * precision `decay` on its weights (without one, it overfits the spots within about 40 steps). Each step refits the
 * profiles by least squares and updates the weights with Adam (Kingma & Ba 2015):
 * ∂L/∂M_ck = Σ_s e_s A_sc (Σ_g B_kg y_sg/μ_sg − Σ_g B_kg), through the softmax to φᵀ.
 * O(steps · (nCells · P · k + entries of A · k + entries of Y · k)).
 */
export async function trainGate(
  data: GateData,
  start: Gate,
  options: { steps: number; decay: number; pause?: (step: number) => Promise<void> },
): Promise<Gate> {
  const { phi } = data;
  const { k } = start;
  const kernel = await openGateKernel(phi, k);
  const weights = start.weights.slice();
  const climb = openAdam(weights, LEARNED_PART.LEARNING_RATE);
  const slopesOf = await openGateSlopes(data.byGene, data.efficiency, k);
  const prior = { cells: LEARNED_PART.PRIOR_CELLS, leastSquaresOnly: true };
  const exposed = new Float32Array(data.overlap.nRows * k);
  const reached = new Float32Array(data.reached.nRows * k);
  for (let step = 0; step < options.steps; step++) {
    await options.pause?.(step);
    const members = await kernel.membership(weights);
    multiplyDense(data.overlap, members, k, exposed);
    const exposure = exposureOf(timesEfficiency(exposed, data.efficiency, k), k, prior);
    const ofSpots = await slopesOf(exposure);
    const ofLogits = throughSoftmax(members, multiplyDense(data.reached, ofSpots, k, reached), k);
    const gradient = await kernel.gradient(ofLogits);
    const { share, captured } = exposure;
    for (const array of [ofSpots, share, captured]) release(array);
    climb((i) => gradient[i] - options.decay * weights[i]);
  }
  return { weights, k };
}

/** E = diag(e) A M, nSpots × k. */
export function exposeSpots(
  overlap: SparseMatrix,
  members: Float32Array,
  k: number,
  efficiency: Float32Array,
): Float32Array<ArrayBuffer> {
  return timesEfficiency(multiplyDense(overlap, members, k), efficiency, k);
}

function timesEfficiency<T extends Float32Array>(
  exposure: T,
  efficiency: Float32Array,
  k: number,
): T {
  for (let s = 0; s < efficiency.length; s++) {
    for (let j = 0; j < k; j++) exposure[s * k + j] *= efficiency[s];
  }
  return exposure;
}

/** Randomly samples squares of tissue if there are more spots than a gate needs. Also returns the fraction of spots. */
export function partForGate(
  data: GateData,
  tissue: { spotsXy: { data: ArrayLike<number>; nRows: number }; pitchPx: number },
  { seed, most = SAMPLES.GATE_SPOTS }: { seed: number; most?: number },
): { part: GateData; share: number } {
  const filled = spotsWithCells(data.overlap);
  if (filled.length <= most) return { part: data, share: 1 };
  const squares = blocksOf(tissue, filled, SAMPLES.GATE_PITCHES * tissue.pitchPx);
  const order = new Random(seed).order(squares.length);
  const spots: number[] = [];
  for (const square of order) {
    if (spots.length + squares[square].length > most) continue;
    for (const spot of squares[square]) spots.push(spot);
  }
  spots.sort((a, b) => a - b);
  const { captured: overlap, cells } = capturedBy(data.overlap, spots);
  const { phi } = data;
  return {
    share: spots.length / filled.length,
    part: {
      phi: { ...phi, data: pickRows(phi.data, phi.nCols, cells) },
      overlap,
      reached: transpose(overlap),
      efficiency: Float32Array.from(spots, (spot) => data.efficiency[spot]),
      byGene: chooseColumns(data.byGene, spots),
    },
  };
}
