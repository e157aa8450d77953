import { inStretches } from "@stipple/numerics/in-stretches";
import { fillOwnHoles } from "./fill-own-holes.ts";

/**
 * Reduces every labeled object to one 4-connected piece without holes (keeps its largest piece and fills holes that
 * contain no other object), drops those smaller than `minArea` px, and renumbers the rest 1 … n in order of their first
 * pixel. Works in place; returns the old label of each new one. O(pixels).
 */
export function tidyLabels(
  labels: Int32Array,
  width: number,
  height: number,
  count: number,
  minArea: number,
): number[] {
  const found: Pieces = {
    labels,
    width,
    piece: new Int32Array(labels.length),
    n: 0,
    best: new Int32Array(count + 1),
    bestArea: new Int32Array(count + 1),
    queue: new Int32Array(labels.length),
  };
  inStretches(labels.length, (from, to) => findPieces(found, from, to));
  inStretches(labels.length, (from, to) => dropSmallPieces(found, from, to));
  fillOwnHoles(labels, width, height);
  const areas = new Int32Array(count + 1);
  const renumbered = new Int32Array(count + 1);
  const kept: number[] = [];
  inStretches(labels.length, (from, to) => addAreas(areas, labels, from, to));
  inStretches(labels.length, (from, to) =>
    renumber({ labels, areas, minArea, renumbered, kept }, from, to),
  );
  return kept;
}

/** Connected pieces of one label, numbered from 1. */
interface Pieces {
  labels: Int32Array;
  width: number;
  /** Piece of each pixel; 0 = none. */
  piece: Int32Array;
  n: number;
  /** The largest piece of each label, and its pixels. */
  best: Int32Array;
  bestArea: Int32Array;
  /** Scratch space, as long as the image. */
  queue: Int32Array;
}

function findPieces(found: Pieces, from: number, to: number): void {
  const { labels, piece, best, bestArea } = found;
  for (let p = from; p < to; p++) {
    const label = labels[p];
    if (label === 0 || piece[p] !== 0) continue;
    const area = flood(found, p, ++found.n);
    if (area > bestArea[label]) {
      bestArea[label] = area;
      best[label] = found.n;
    }
  }
}

/** Numbers the piece that a pixel belongs to; returns its pixel count. */
function flood({ labels, width, piece, queue }: Pieces, start: number, number: number): number {
  const label = labels[start];
  let end = 0;
  queue[end++] = start;
  piece[start] = number;
  for (let at = 0; at < end; at++) {
    const p = queue[at];
    const x = p % width;
    if (x > 0 && piece[p - 1] === 0 && labels[p - 1] === label) {
      piece[p - 1] = number;
      queue[end++] = p - 1;
    }
    if (x < width - 1 && piece[p + 1] === 0 && labels[p + 1] === label) {
      piece[p + 1] = number;
      queue[end++] = p + 1;
    }
    if (p >= width && piece[p - width] === 0 && labels[p - width] === label) {
      piece[p - width] = number;
      queue[end++] = p - width;
    }
    if (p + width < labels.length && piece[p + width] === 0 && labels[p + width] === label) {
      piece[p + width] = number;
      queue[end++] = p + width;
    }
  }
  return end;
}

function dropSmallPieces({ labels, piece, best }: Pieces, from: number, to: number): void {
  for (let p = from; p < to; p++) {
    if (labels[p] && best[labels[p]] !== piece[p]) labels[p] = 0;
  }
}

function addAreas(areas: Int32Array, labels: Int32Array, from: number, to: number): void {
  for (let p = from; p < to; p++) areas[labels[p]]++;
}

/** New labels in order of first pixels; −1 = dropped, 0 = not seen yet. */
function renumber(
  objects: {
    labels: Int32Array;
    areas: Int32Array;
    minArea: number;
    renumbered: Int32Array;
    kept: number[];
  },
  from: number,
  to: number,
): void {
  const { labels, areas, minArea, renumbered, kept } = objects;
  for (let p = from; p < to; p++) {
    const label = labels[p];
    if (label === 0) continue;
    if (renumbered[label] === 0) {
      if (areas[label] < minArea) renumbered[label] = -1;
      else {
        kept.push(label);
        renumbered[label] = kept.length;
      }
    }
    labels[p] = Math.max(0, renumbered[label]);
  }
}
