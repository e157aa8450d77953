import { Random } from "@stipple/numerics/random";
import type { AnalyzedTissue, FoundCellPrediction } from "./analyzed-tissue.ts";
import type { Superpixels } from "./superpixels.ts";

const HIDDEN = 64;
const ROUNDS = 300;
const RATE = 0.01;
/** Maximum number of training spots; more cost time and change little. */
const MAX_SPOTS = 800;

/**
 * A network on superpixels whose sum over a spot must match the spot's counts, based on the idea of iStar
 * (which uses features of a vision transformer instead of colors). One hidden layer of 64, Adam, full batches;
 * because the last layer is linear, hidden values are summed over a spot before it. A cell gets its
 * superpixel's prediction. O(ROUNDS · (superpixels · features · 64 + spots · 64 · genes)).
 */
export function istarLike(
  tissue: AnalyzedTissue,
  grid: Superpixels,
  seed: number,
): FoundCellPrediction {
  const random = new Random(seed);
  const { counts } = tissue;
  const G = counts.nCols;
  const spots = chosenSpots(tissue, grid, random);
  const scale = geneScales(counts);
  const targets = new Float32Array(spots.length * G);
  spots.forEach(({ spot }, s) => {
    for (let k = counts.indptr[spot]; k < counts.indptr[spot + 1]; k++) {
      const gene = counts.indices[k];
      targets[s * G + gene] = counts.data[k] * scale[gene];
    }
  });
  const F = grid.nFeatures;
  const first = new Layer(F, HIDDEN, random);
  const second = new Layer(HIDDEN, G, random);
  const sums = new Float32Array(spots.length * HIDDEN);
  const error = new Float32Array(G);
  const back = new Float32Array(HIDDEN);
  const hidden = new Float32Array(HIDDEN);
  for (let round = 1; round <= ROUNDS; round++) {
    sums.fill(0);
    spots.forEach(({ parts }, s) => {
      for (const part of parts) {
        first.forward(grid.features, part * F, hidden);
        for (let h = 0; h < HIDDEN; h++) {
          sums[s * HIDDEN + h] += Math.max(0, hidden[h]) / parts.length;
        }
      }
    });
    first.startRound();
    second.startRound();
    spots.forEach(({ parts }, s) => {
      second.forward(sums, s * HIDDEN, error);
      for (let gene = 0; gene < G; gene++) {
        error[gene] = (error[gene] - targets[s * G + gene]) / spots.length;
      }
      back.fill(0);
      second.backward(sums, s * HIDDEN, error, back);
      for (const part of parts) {
        first.forward(grid.features, part * F, hidden);
        for (let h = 0; h < HIDDEN; h++) {
          hidden[h] = hidden[h] > 0 ? back[h] / parts.length : 0;
        }
        first.backward(grid.features, part * F, hidden, null);
      }
    });
    first.step(round);
    second.step(round);
  }
  const out = new Float32Array(G);
  const { cellsXy } = tissue;
  return (cell, row) => {
    const at = superpixelAt(grid, cellsXy.data[2 * cell], cellsXy.data[2 * cell + 1]);
    first.forward(grid.features, at * F, hidden);
    for (let h = 0; h < HIDDEN; h++) hidden[h] = Math.max(0, hidden[h]);
    second.forward(hidden, 0, out);
    for (let gene = 0; gene < G; gene++) row[gene] = Math.max(0, out[gene] / scale[gene]);
  };
}

function superpixelAt(grid: Superpixels, x: number, y: number): number {
  const u = Math.min(grid.nX - 1, Math.max(0, Math.floor(x / grid.sidePx)));
  const v = Math.min(grid.nY - 1, Math.max(0, Math.floor(y / grid.sidePx)));
  return v * grid.nX + u;
}

/** Spots with the superpixels whose centers they contain (at least the one at the spot's own center). */
function chosenSpots(
  { counts, spotsXy, spotRadiusPx }: AnalyzedTissue,
  grid: Superpixels,
  random: Random,
): { spot: number; parts: number[] }[] {
  const order = Int32Array.from({ length: counts.nRows }, (_, spot) => spot);
  random.shuffle(order);
  const side = grid.sidePx;
  return Array.from(order.subarray(0, MAX_SPOTS), (spot) => {
    const x = spotsXy[2 * spot];
    const y = spotsXy[2 * spot + 1];
    const parts = new Set([superpixelAt(grid, x, y)]);
    for (let v = y - spotRadiusPx; v <= y + spotRadiusPx; v += side) {
      for (let u = x - spotRadiusPx; u <= x + spotRadiusPx; u += side) {
        if (Math.hypot(u - x, v - y) <= spotRadiusPx) parts.add(superpixelAt(grid, u, v));
      }
    }
    return { spot, parts: [...parts] };
  });
}

/** 1 / mean count of each gene over the spots, so that all genes have equal weight. */
function geneScales(counts: AnalyzedTissue["counts"]): Float64Array {
  const sums = new Float64Array(counts.nCols);
  for (let k = 0; k < counts.data.length; k++) sums[counts.indices[k]] += counts.data[k];
  return sums.map((sum) => (sum > 0 ? counts.nRows / sum : 1));
}

/** A dense layer y = Wx + b with Adam (Kingma & Ba 2015). */
class Layer {
  readonly weights: Float32Array;
  readonly gradient: Float32Array;
  readonly first: Float32Array;
  readonly second: Float32Array;
  readonly nIn: number;
  readonly nOut: number;

  constructor(nIn: number, nOut: number, random: Random) {
    this.nIn = nIn;
    this.nOut = nOut;
    const n = (nIn + 1) * nOut;
    this.weights = new Float32Array(n);
    for (let i = 0; i < nIn * nOut; i++) this.weights[i] = random.normal() * Math.sqrt(2 / nIn);
    this.gradient = new Float32Array(n);
    this.first = new Float32Array(n);
    this.second = new Float32Array(n);
  }

  forward(x: Float32Array, at: number, y: Float32Array): void {
    const { nIn, nOut, weights } = this;
    for (let j = 0; j < nOut; j++) y[j] = weights[nIn * nOut + j]!;
    for (let i = 0; i < nIn; i++) {
      const value = x[at + i];
      if (value === 0) continue;
      for (let j = 0; j < nOut; j++) y[j] += value * weights[i * nOut + j];
    }
  }

  startRound(): void {
    this.gradient.fill(0);
  }

  /** Adds to the gradient, and to `down` (the gradient of x) if requested. */
  backward(x: Float32Array, at: number, up: Float32Array, down: Float32Array | null): void {
    const { nIn, nOut, weights, gradient } = this;
    for (let j = 0; j < nOut; j++) gradient[nIn * nOut + j] += up[j];
    for (let i = 0; i < nIn; i++) {
      const value = x[at + i];
      let sum = 0;
      for (let j = 0; j < nOut; j++) {
        gradient[i * nOut + j] += value * up[j];
        sum += weights[i * nOut + j] * up[j];
      }
      if (down) down[i] += sum;
    }
  }

  step(round: number): void {
    for (let i = 0; i < this.weights.length; i++) {
      const g = this.gradient[i];
      this.first[i] = 0.9 * this.first[i] + 0.1 * g;
      this.second[i] = 0.999 * this.second[i] + 0.001 * g * g;
      const m = this.first[i] / (1 - 0.9 ** round);
      const v = this.second[i] / (1 - 0.999 ** round);
      this.weights[i] -= (RATE * m) / (Math.sqrt(v) + 1e-8);
    }
  }
}
