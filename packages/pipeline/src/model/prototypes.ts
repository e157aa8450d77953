import { kMeans } from "@stipple/numerics/k-means";
import { matrixProduct, transposeDense } from "@stipple/numerics/dense";
import { denseProduct } from "@stipple/numerics/dense-product";
import { softmax } from "@stipple/numerics/softmax";
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
  const places = sampledPlaces(phi, head, nDims);
  const { centers, assigned } = kMeans(places, nDims, k, { seed });
  const found = centers.length / nDims;
  const nearest = Float64Array.from(assigned, (j, i) => {
    let sum = 0;
    for (let d = 0; d < nDims; d++) sum += (places[i * nDims + d] - centers[j * nDims + d]) ** 2;
    return sum;
  }).sort();
  const spread = nearest[nearest.length >> 1] || 1;
  const dots = matrixProduct(head, transposeDense(centers, found, nDims), P, nDims, found);
  const weights = dots.map((dot) => dot / spread);
  for (let j = 0; j < found; j++) {
    let norm = 0;
    for (let d = 0; d < nDims; d++) norm += centers[j * nDims + d] ** 2;
    weights[j] -= norm / (2 * spread);
  }
  return { weights, k: found };
}

/** Features times axes (features × d) for a sample of the cells, evenly spread over all. O(sample · features · d). */
export function sampledPlaces(
  { data, nCols }: Columns,
  axes: Float64Array,
  d: number,
): Float32Array<ArrayBuffer> {
  const nCells = data.length / nCols;
  const stride = Math.max(1, Math.ceil(nCells / SAMPLES.CELLS));
  const places = new Float32Array(Math.ceil(nCells / stride) * d);
  for (let c = 0, to = 0; c < nCells; c += stride, to += d) {
    for (let p = 0; p < nCols; p++) {
      const x = data[c * nCols + p];
      for (let j = 0; j < d; j++) places[to + j] += x * axes[p * d + j];
    }
  }
  return places;
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
    const width = (end - first) * k;
    for (let at = 0; at < width; at += k) softmax(logits, at, at + k);
    out.set(logits.subarray(0, width), first * k);
  }
  return out;
}
