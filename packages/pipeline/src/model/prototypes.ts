import { kMeans } from "@stipple/numerics/k-means";
import { denseProduct } from "@stipple/numerics/dense-product";
import type { Columns } from "./cell-features.ts";
import { SAMPLES } from "./limits.ts";

/** Weights P × k of a softmax over prototypes: M = softmax(φ · weights). */
export interface Gate {
  weights: Float64Array;
  k: number;
}

/**
 * Prototypes of expression and the gate that assigns cells to them softly. The prototypes are k-means centers a_k of
 * q = φ · head; M ∝ exp(−‖q − a_k‖² / 2v), v the median squared distance to the nearest. As ‖q‖² cancels, this is a
 * softmax of functions linear in φ, returned as its weights. There are fewer than `k` prototypes if cells have fewer
 * distinct positions. O(sketch · k · nDims).
 */
export function prototypeGate(
  phi: Columns,
  { head, nDims }: { head: Float64Array; nDims: number },
  k: number,
  seed: number,
): Gate {
  const P = phi.nCols;
  const nCells = phi.data.length / P;
  const stride = Math.max(1, Math.ceil(nCells / SAMPLES.CELLS));
  const places = new Float32Array(Math.ceil(nCells / stride) * nDims);
  for (let c = 0, to = 0; c < nCells; c += stride, to += nDims) {
    for (let p = 0; p < P; p++) {
      const x = phi.data[c * P + p];
      for (let d = 0; d < nDims; d++) places[to + d] += x * head[p * nDims + d];
    }
  }
  const { centers, assigned } = kMeans(places, nDims, k, { seed });
  const found = centers.length / nDims;
  const nearest = Float64Array.from(assigned, (j, i) => {
    let sum = 0;
    for (let d = 0; d < nDims; d++) sum += (places[i * nDims + d] - centers[j * nDims + d]) ** 2;
    return sum;
  }).sort();
  const spread = nearest[nearest.length >> 1] || 1;
  const weights = new Float64Array(P * found);
  for (let j = 0; j < found; j++) {
    let norm = 0;
    for (let d = 0; d < nDims; d++) norm += centers[j * nDims + d] ** 2;
    for (let p = 0; p < P; p++) {
      let dot = 0;
      for (let d = 0; d < nDims; d++) dot += head[p * nDims + d] * centers[j * nDims + d];
      weights[p * found + j] = dot / spread;
    }
    weights[j] -= norm / (2 * spread);
  }
  return { weights, k: found };
}

/** Cells whose logits are computed together. */
const BLOCK = 256;

/** M = softmax(φ · weights), nCells × k; rows sum to 1. O(nCells · P · k). */
export function membership(phi: Columns, { weights, k }: Gate): Float32Array<ArrayBuffer> {
  const P = phi.nCols;
  const nCells = phi.data.length / P;
  const out = new Float32Array(nCells * k);
  const rows = new Float64Array(BLOCK * P);
  const logits = new Float64Array(BLOCK * k);
  for (let first = 0; first < nCells; first += BLOCK) {
    const end = Math.min(nCells, first + BLOCK);
    rows.set(phi.data.subarray(first * P, end * P));
    denseProduct(rows, end - first, weights, k, logits);
    for (let c = first; c < end; c++) putSoftmax(logits, (c - first) * k, k, out, c * k);
  }
  return out;
}

/** Softmax of k logits, which it overwrites. */
function putSoftmax(
  logits: Float64Array,
  from: number,
  k: number,
  out: Float32Array,
  to: number,
): void {
  let most = -Infinity;
  for (let j = 0; j < k; j++) if (logits[from + j] > most) most = logits[from + j];
  let total = 0;
  for (let j = 0; j < k; j++) {
    const odds = Math.exp(logits[from + j] - most);
    logits[from + j] = odds;
    total += odds;
  }
  for (let j = 0; j < k; j++) out[to + j] = logits[from + j] / total;
}
