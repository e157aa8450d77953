import type { Selection } from "./choose-nuclei.ts";

/** Two objects compete if they share more than this fraction of the smaller one. */
const COMPETING = 0.2;

/**
 * Merges two selections. Objects that compete, directly or through others, form a group; in each group, the selection
 * with the larger total gain wins. A pixel claimed by two surviving objects goes to the one with the larger gain.
 * O(pixels + competing pairs).
 */
export function mergeSelections(a: Selection, b: Selection): Selection {
  const nA = a.gain.length;
  const nB = b.gain.length;
  const areaA = new Float64Array(nA);
  const areaB = new Float64Array(nB);
  const shared = new Map<number, number>();
  for (let p = 0; p < a.labels.length; p++) {
    const i = a.labels[p];
    const j = b.labels[p];
    areaA[i]++;
    areaB[j]++;
    if (i === 0 || j === 0) continue;
    const pair = i * nB + j;
    shared.set(pair, (shared.get(pair) ?? 0) + 1);
  }
  // Objects of `a` are 0 … nA − 1; those of `b` follow.
  const up = Int32Array.from({ length: nA + nB }, (_, i) => i);
  const find = (i: number): number => {
    while (up[i] !== i) {
      up[i] = up[up[i]];
      i = up[i];
    }
    return i;
  };
  for (const [pair, pixels] of shared) {
    const i = Math.floor(pair / nB);
    const j = pair % nB;
    if (pixels > COMPETING * Math.min(areaA[i], areaB[j])) up[find(i)] = find(nA + j);
  }
  const balance = new Float64Array(nA + nB);
  for (let i = 1; i < nA; i++) balance[find(i)] += a.gain[i];
  for (let j = 1; j < nB; j++) balance[find(nA + j)] -= b.gain[j];
  const gain = [0];
  const newA = new Int32Array(nA);
  const newB = new Int32Array(nB);
  for (let i = 1; i < nA; i++) {
    if (balance[find(i)] < 0) continue;
    newA[i] = gain.length;
    gain.push(a.gain[i]);
  }
  for (let j = 1; j < nB; j++) {
    if (balance[find(nA + j)] >= 0) continue;
    newB[j] = gain.length;
    gain.push(b.gain[j]);
  }
  const labels = new Int32Array(a.labels.length);
  for (let p = 0; p < labels.length; p++) {
    const i = newA[a.labels[p]];
    const j = newB[b.labels[p]];
    labels[p] = i === 0 ? j : j === 0 ? i : gain[i] >= gain[j] ? i : j;
  }
  return { labels, gain: Float32Array.from(gain) };
}
