import { openKernels } from "./kernels.ts";

/** Entries that the loop takes together. */
const GROUP = 4;

/** A gene's entries and its rates in the prototypes, in kernel memory. */
export interface EmRoom {
  /** k rates; `gain` receives their update from the counts. */
  b: Float64Array;
  gain: Float64Array;
  counts: Float64Array;
  /** Exposure of each entry's spot to the prototypes: rows of `stride`, of which the first k are filled. */
  seen: Float32Array;
  stride: number;
}

/** Expectation–maximization rounds for one gene. */
export interface EmKernel {
  /** Reserves memory for a gene and discards the previous gene's. The caller fills `counts` and `seen`. */
  reserve(nEntries: number): EmRoom;
  /** gain ← Σ over entries of y · seen / (seen · b), skipping entries without expected counts. */
  gather(): void;
}

/** Opens one round with k prototypes: a compiled loop in memory of its own (`assembly/profiles.ts`). */
export function openEmKernel(k: number): EmKernel {
  const { reserve, call } = openKernels();
  // Prototypes are processed in pairs; with an odd number, the padding prototype has no exposure.
  const stride = k + (k % 2);
  const gainAt = 8 * stride;
  const countsAt = 2 * gainAt;
  let n = 0;
  let seenAt = 0;
  let gain = new Float64Array(0);
  return {
    reserve(nEntries) {
      n = GROUP * Math.ceil(nEntries / GROUP);
      seenAt = countsAt + 8 * n;
      const buffer = reserve(seenAt + 4 * n * stride);
      const b = new Float64Array(buffer, 0, stride).fill(0);
      gain = new Float64Array(buffer, gainAt, stride);
      const counts = new Float64Array(buffer, countsAt, n);
      const seen = new Float32Array(buffer, seenAt, n * stride);
      // Padding entries in the last group have no counts.
      counts.fill(0, nEntries);
      seen.fill(0, nEntries * stride);
      if (stride > k) for (let at = k; at < seen.length; at += stride) seen[at] = 0;
      return { b, gain, counts, seen, stride };
    },
    gather() {
      gain.fill(0);
      if (n > 0) call.gatherGains(0, gainAt, countsAt, seenAt, countsAt + 8 * n, stride);
    },
  };
}
