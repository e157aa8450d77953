import type { WeightedGraph } from "@stipple/numerics/graph/weighted-graph";
import { Random } from "@stipple/numerics/random";
import type { SimilarityCurve } from "./similarity-curve.ts";

/** Negative samples: number of random cells that repel a cell for each neighbor that attracts it. */
const PUSHES = 5;
/** Upper limit of a push along each axis, before the learning rate is applied; a pull is never this strong. */
const MAX_PUSH = 4;
/** Keeps cells at the same position from being thrown far apart. */
const SOFT = 1e-3;

export interface LayoutProblem {
  graph: WeightedGraph;
  curve: SimilarityCurve;
  epochs: number;
  seed: number;
}

/**
 * Moves cells from their starting positions until neighbors are close and other cells are not (UMAP's
 * optimization, McInnes et al. 2018); yields the number of completed epochs after each one. Changes
 * `embedding`, nCells × 2. Forces come from a table, and all pushes of an edge's update start from the same
 * position, so the processor need not finish one before starting the next. Deterministic.
 */
export function* optimizeLayout(
  embedding: Float32Array,
  { graph, curve: { a, b }, epochs, seed }: LayoutProblem,
): Generator<number> {
  const drawn = drawnEdges(graph, epochs);
  const forces = {
    pull: forceTable((d) => (-2 * a * b * d ** (b - 1)) / (1 + a * d ** b)),
    push: forceTable((d) => (2 * b) / ((SOFT + d) * (1 + a * d ** b))),
    // A push is always below 2b / distance.
    strong: ((2 * b) / MAX_PUSH) ** 2,
  };
  const next = drawn.every.slice();
  let state = new Random(seed).uint32() | 1;
  for (let epoch = 0; epoch < epochs; epoch++) {
    state = oneEpoch(embedding, { ...drawn, ...forces, next }, { epoch, epochs, state });
    yield epoch + 1;
  }
}

interface Edges {
  starts: Uint32Array;
  targets: Uint32Array;
  /** Epochs between two uses of an edge. */
  every: Float32Array;
}

/**
 * Edges used at least once: the heaviest in every epoch, lighter ones less often, in proportion to their
 * weight.
 */
function drawnEdges({ nNodes, starts, targets, weights }: WeightedGraph, epochs: number): Edges {
  const most = weights.reduce((max, weight) => Math.max(max, weight), 0);
  const drawn = {
    starts: new Uint32Array(nNodes + 1),
    targets: new Uint32Array(targets.length),
    every: new Float32Array(targets.length),
  };
  let size = 0;
  for (let node = 0; node < nNodes; node++) {
    for (let edge = starts[node]; edge < starts[node + 1]; edge++) {
      if (weights[edge] * epochs < most) continue;
      drawn.targets[size] = targets[edge];
      drawn.every[size++] = most / weights[edge];
    }
    drawn.starts[node + 1] = size;
  }
  return drawn;
}

function oneEpoch(
  at: Float32Array,
  work: Edges & { next: Float32Array; pull: Float32Array; push: Float32Array; strong: number },
  { epoch, epochs, state }: { epoch: number; epochs: number; state: number },
): number {
  const { starts, targets, every, next, pull, push, strong } = work;
  const rate = 1 - epoch / epochs;
  const nCells = at.length / 2;
  const share = nCells / 2 ** 32;
  const squared = new Float64Array(1);
  const upper = new Int32Array(squared.buffer);
  const within = (1 << PLACE_BITS) - 1;
  // Marsaglia's xorshift; drawing random numbers is most of the work of an epoch.
  let random = state;
  for (let cell = 0; cell < nCells; cell++) {
    let x = at[2 * cell];
    let y = at[2 * cell + 1];
    for (let edge = starts[cell], end = starts[cell + 1]; edge < end; edge++) {
      if (next[edge] > epoch) continue;
      next[edge] += every[edge];
      const other = 2 * targets[edge];
      const dx = x - at[other];
      const dy = y - at[other + 1];
      squared[0] = dx * dx + dy * dy;
      const place = Math.max(upper[1] - FIRST_BITS, 0);
      const piece = (place >> PLACE_BITS) << 1;
      const force = pull[piece] + pull[piece + 1] * (place & within);
      const moveX = rate * force * dx;
      const moveY = rate * force * dy;
      x += moveX;
      y += moveY;
      at[other] -= moveX;
      at[other + 1] -= moveY;
      let pushX = 0;
      let pushY = 0;
      for (let i = 0; i < PUSHES; i++) {
        random ^= random << 13;
        random ^= random >>> 17;
        random ^= random << 5;
        const far = ((random >>> 0) * share) | 0;
        if (far === cell) continue;
        const dx = x - at[2 * far];
        const dy = y - at[2 * far + 1];
        squared[0] = dx * dx + dy * dy;
        const place = Math.max(upper[1] - FIRST_BITS, 0);
        const piece = (place >> PLACE_BITS) << 1;
        const force = push[piece] + push[piece + 1] * (place & within);
        if (squared[0] < strong) {
          pushX += Math.min(Math.max(force * dx, -MAX_PUSH), MAX_PUSH);
          pushY += Math.min(Math.max(force * dy, -MAX_PUSH), MAX_PUSH);
        } else {
          pushX += force * dx;
          pushY += force * dy;
        }
      }
      x += rate * pushX;
      y += rate * pushY;
    }
    at[2 * cell] = x;
    at[2 * cell + 1] = y;
  }
  return random;
}

/**
 * The table covers squared distances from 2^LOW to 2^HIGH, with 2^STEPS pieces per doubling. No cell moves as
 * far as 2^(HIGH / 2), so every number above the lower limit falls into a piece.
 */
const [LOW, HIGH, STEPS] = [-20, 60, 6];
/** Mantissa bits in the upper half of a double; the exponent is above them. */
const MANTISSA_BITS = 20;
const EXPONENT_BIAS = 1023;

/** Upper half of the smallest squared distance in the table. */
export const FIRST_BITS = (EXPONENT_BIAS + LOW) << MANTISSA_BITS;
/**
 * After subtracting FIRST_BITS from an upper half, the bits above these select the table piece; these give the
 * position within it.
 */
export const PLACE_BITS = MANTISSA_BITS - STEPS;

/**
 * Piecewise linear table of a smooth function of a squared distance, with two numbers per piece: the value at
 * its start and its slope per unit of the upper half's low bits. The bits of a double select the piece, so no
 * logarithm or power is needed. The error is below 0.0002.
 */
export function forceTable(force: (squared: number) => number): Float32Array {
  const nPieces = (HIGH - LOW) << STEPS;
  const perDoubling = 1 << STEPS;
  const at = (piece: number): number =>
    2 ** (LOW + Math.floor(piece / perDoubling)) * (1 + (piece % perDoubling) / perDoubling);
  const table = new Float32Array(2 * nPieces);
  for (let piece = 0; piece < nPieces; piece++) {
    table[2 * piece] = force(at(piece));
    table[2 * piece + 1] = (force(at(piece + 1)) - force(at(piece))) / 2 ** PLACE_BITS;
  }
  return table;
}
