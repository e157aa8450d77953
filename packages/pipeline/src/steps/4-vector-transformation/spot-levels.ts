import { SAMPLES } from "../../model/limits.ts";

/** The last level holds one spot in 128. */
const LEVELS = 8;

/**
 * Nested random subsets of the spots: a spot of level l is in subsets 0 … l, and subset j contains one spot in 2^j.
 * Abundant genes are fitted to a subset, rare ones to all spots.
 */
export interface SpotLevels {
  /** nSpots. */
  of: Uint8Array;
  /** Σ_s E_sk over the spots of each subset, levels × k. */
  totals: Float64Array;
}

/** Undefined if no gene can have enough entries for a subset to suffice. O(nSpots · k). */
export function spotLevels(data: Float32Array, k: number): SpotLevels | undefined {
  const nSpots = data.length / k;
  if (nSpots < 2 * SAMPLES.PROFILE_ENTRIES) return undefined;
  const of = Uint8Array.from({ length: nSpots }, (_, s) => levelOf(s));
  const totals = new Float64Array(LEVELS * k);
  for (let s = 0; s < nSpots; s++) {
    for (let level = 0; level <= of[s]; level++) {
      for (let j = 0; j < k; j++) totals[level * k + j] += data[s * k + j];
    }
  }
  return { of, totals };
}

/** Subset for fitting a gene with this many entries: it contains at least about {@link SAMPLES.PROFILE_ENTRIES} of them. */
export function levelFor(nEntries: number): number {
  return Math.max(
    0,
    Math.min(LEVELS - 1, Math.floor(Math.log2(nEntries / SAMPLES.PROFILE_ENTRIES))),
  );
}

/** Leading zeros of a 32-bit hash of the spot (finalizer of MurmurHash3, A. Appleby, public domain). */
function levelOf(spot: number): number {
  let bits = Math.imul(spot ^ (spot >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return Math.min(LEVELS - 1, Math.clz32(bits ^ (bits >>> 16)));
}
