import type { Polygons } from "@stipple/numerics/matrices";
import Flatbush from "flatbush";

export interface Detection {
  truePositives: number;
  precision: number;
  recall: number;
  f1: number;
}

export function detection(truePositives: number, nPredicted: number, nTrue: number): Detection {
  const precision = nPredicted > 0 ? truePositives / nPredicted : 0;
  const recall = nTrue > 0 ? truePositives / nTrue : 0;
  const f1 = nPredicted + nTrue > 0 ? (2 * truePositives) / (nPredicted + nTrue) : 0;
  return { truePositives, precision, recall, f1 };
}

interface Pair {
  predicted: number;
  truth: number;
  score: number;
}

/**
 * The index of the predicted object paired with each true object, or −1; best pairs first, one to one. O(pairs
 * log pairs).
 */
function pairOff(pairs: Pair[], nTrue: number, nPredicted: number): Int32Array {
  pairs.sort((a, b) => b.score - a.score);
  const matched = new Int32Array(nTrue).fill(-1);
  const used = new Uint8Array(nPredicted);
  for (const { predicted, truth } of pairs) {
    if (matched[truth] !== -1 || used[predicted]) continue;
    matched[truth] = predicted;
    used[predicted] = 1;
  }
  return matched;
}

/** Pairs true and predicted points within `radius` of each other, nearest first. xy: interleaved x, y. */
export function matchByCenter(
  truth: ArrayLike<number>,
  predicted: ArrayLike<number>,
  radius: number,
): Int32Array {
  const nTrue = truth.length / 2;
  const nPredicted = predicted.length / 2;
  if (nTrue === 0 || nPredicted === 0) return new Int32Array(nTrue).fill(-1);
  const index = new Flatbush(nPredicted);
  for (let i = 0; i < nPredicted; i++) index.add(predicted[2 * i], predicted[2 * i + 1]);
  index.finish();
  const pairs: Pair[] = [];
  for (let t = 0; t < nTrue; t++) {
    const x = truth[2 * t];
    const y = truth[2 * t + 1];
    for (const p of index.search(x - radius, y - radius, x + radius, y + radius)) {
      const d = Math.hypot(predicted[2 * p] - x, predicted[2 * p + 1] - y);
      if (d <= radius) pairs.push({ predicted: p, truth: t, score: -d });
    }
  }
  return pairOff(pairs, nTrue, nPredicted);
}

/**
 * Pairs polygons whose intersection over union reaches `threshold`, best first. O(overlapping pairs × pixels).
 */
export function matchByOverlap(
  truth: Polygons,
  predicted: Polygons,
  threshold: number,
): Int32Array {
  const nTrue = truth.offsets.length - 1;
  const nPredicted = predicted.offsets.length - 1;
  if (nTrue === 0 || nPredicted === 0) return new Int32Array(Math.max(0, nTrue)).fill(-1);
  const index = new Flatbush(nPredicted);
  for (let i = 0; i < nPredicted; i++) {
    const box = boundingBox(predicted, i);
    index.add(box.x0, box.y0, box.x1, box.y1);
  }
  index.finish();
  const pairs: Pair[] = [];
  for (let t = 0; t < nTrue; t++) {
    const box = boundingBox(truth, t);
    for (const p of index.search(box.x0, box.y0, box.x1, box.y1)) {
      const score = intersectionOverUnion(truth, t, predicted, p);
      if (score >= threshold) pairs.push({ predicted: p, truth: t, score });
    }
  }
  return pairOff(pairs, nTrue, nPredicted);
}

interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

function boundingBox(polygons: Polygons, ring: number): Box {
  const box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  for (let p = polygons.offsets[ring]; p < polygons.offsets[ring + 1]; p++) {
    box.x0 = Math.min(box.x0, polygons.xy[2 * p]);
    box.x1 = Math.max(box.x1, polygons.xy[2 * p]);
    box.y0 = Math.min(box.y0, polygons.xy[2 * p + 1]);
    box.y1 = Math.max(box.y1, polygons.xy[2 * p + 1]);
  }
  return box;
}

/** Intersection over union of two rings, counted on a half-pixel lattice. */
export function intersectionOverUnion(a: Polygons, i: number, b: Polygons, j: number): number {
  const boxA = boundingBox(a, i);
  const boxB = boundingBox(b, j);
  const y0 = Math.floor(Math.min(boxA.y0, boxB.y0));
  const y1 = Math.ceil(Math.max(boxA.y1, boxB.y1));
  let inter = 0;
  let union = 0;
  for (let y = y0 + 0.25; y < y1; y += 0.5) {
    const inA = crossings(a, i, y);
    const inB = crossings(b, j, y);
    const lengthA = spanLength(inA);
    const lengthB = spanLength(inB);
    const both = sharedLength(inA, inB);
    inter += both;
    union += lengthA + lengthB - both;
  }
  return union > 0 ? inter / union : 0;
}

/** Sorted x where the horizontal line at y crosses the ring: inside between the 1st and 2nd, 3rd and 4th, … */
function crossings(polygons: Polygons, ring: number, y: number): number[] {
  const from = polygons.offsets[ring];
  const to = polygons.offsets[ring + 1];
  const { xy } = polygons;
  const result: number[] = [];
  for (let p = from, q = to - 1; p < to; q = p++) {
    const yp = xy[2 * p + 1];
    const yq = xy[2 * q + 1];
    if (yp > y === yq > y) continue;
    result.push(xy[2 * p] + ((y - yp) / (yq - yp)) * (xy[2 * q] - xy[2 * p]));
  }
  return result.sort((left, right) => left - right);
}

function spanLength(spans: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i + 1 < spans.length; i += 2) sum += spans[i + 1] - spans[i];
  return sum;
}

function sharedLength(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i + 1 < a.length; i += 2) {
    for (let j = 0; j + 1 < b.length; j += 2) {
      sum += Math.max(0, Math.min(a[i + 1], b[j + 1]) - Math.max(a[i], b[j]));
    }
  }
  return sum;
}
