import { openKernels } from "./kernels.ts";

/**
 * A Poisson regression: the counts of places, y_i ~ Poisson(Σ_j x_ij b_j), by what each shows of k groups; b is wanted.
 * Places are spots, groups are prototypes; or places are genes, and groups the labels of a reference.
 */
export interface RateProblem {
  /** x, row-major, k a row. */
  exposure: Float32Array | Float64Array;
  /** Rows of `exposure` and their counts. Rows with counts of 0 are needed only if there is a dispersion. */
  places: ArrayLike<number>;
  counts: ArrayLike<number>;
  /** Σ of the exposure over all places, those without counts included. */
  mass: ArrayLike<number>;
  /** A gamma prior: counts of each group, and the exposure that they come from. */
  prior: { counts: ArrayLike<number>; exposure: number };
  /** φ: counts have variance μ(1 + φμ) and weights 1/(1 + φμ). */
  dispersion?: number | undefined;
  rounds: number;
}

/**
 * Improves rates b by expectation–maximization (Richardson 1972, Lucy 1974): b ← (b ∘ Σ x y/μ + prior)/(Σ x + prior's x).
 * O(rounds · places · k). Genes are independent of each other; for all genes of dense counts at once, see
 * `dense-profiles.ts`, and where spots' totals take part, `types/anchored-fit.ts`.
 */
export function fitRates(problem: RateProblem, rates: Float64Array): void {
  const { prior, dispersion = 0, rounds } = problem;
  const k = rates.length;
  const round = dispersion > 0 ? weightedRound(problem, k) : plainRound(problem, k);
  for (let i = 0; i < rounds; i++) {
    const { gain, mass } = round(rates);
    for (let j = 0; j < k; j++) {
      const below = mass[j] + prior.exposure;
      rates[j] = below > 0 ? (rates[j] * gain[j] + prior.counts[j]) / below : 0;
    }
  }
}

/** Σ x y/μ and Σ x over the places, for given rates. */
type Round = (rates: Float64Array) => { gain: Float64Array; mass: ArrayLike<number> };

/** One for every number of groups that this thread has met. */
const kernels = new Map<number, EmKernel>();

function plainRound({ exposure, places, counts, mass }: RateProblem, k: number): Round {
  const kernel = kernels.get(k) ?? openEmKernel(k);
  kernels.set(k, kernel);
  // Rows are copied side by side, because every round reads them and with many spots they are far apart in memory.
  const { b, gain, counts: own, seen, stride } = kernel.reserve(places.length);
  for (let i = 0; i < places.length; i++) own[i] = counts[i];
  if (k % 2 === 0 && exposure instanceof Float32Array && exposure.byteOffset % 8 === 0) {
    // Two floats at a time as a double: two finite floats never form a NaN, so their bits are preserved.
    const [pairs, seenPairs] = [inPairs(exposure), inPairs(seen)];
    for (let i = 0, to = 0; i < places.length; i++) {
      for (let from = places[i] * (k / 2), last = from + k / 2; from < last; from++) {
        seenPairs[to++] = pairs[from];
      }
    }
  } else {
    for (let i = 0; i < places.length; i++) {
      for (let j = 0, from = places[i] * k, to = i * stride; j < k; j++) {
        seen[to++] = exposure[from++];
      }
    }
  }
  return (rates) => {
    b.set(rates);
    kernel.gather();
    return { gain, mass };
  };
}

function weightedRound(
  { exposure, places, counts, dispersion = 0 }: RateProblem,
  k: number,
): Round {
  const gain = new Float64Array(k);
  const mass = new Float64Array(k);
  return (rates) => {
    gain.fill(0);
    mass.fill(0);
    for (let i = 0; i < places.length; i++) {
      const from = places[i] * k;
      let mean = 0;
      for (let j = 0; j < k; j++) mean += rates[j] * exposure[from + j];
      if (mean === 0) continue;
      const weight = 1 / (1 + dispersion * mean);
      const ratio = (weight * counts[i]) / mean;
      for (let j = 0; j < k; j++) {
        gain[j] += ratio * exposure[from + j];
        mass[j] += weight * exposure[from + j];
      }
    }
    return { gain, mass };
  };
}

function inPairs({ buffer, byteOffset, length }: Float32Array): Float64Array {
  return new Float64Array(buffer, byteOffset, length / 2);
}

/** Entries that the loop takes together. */
const GROUP = 4;

/** A gene's entries and its rates in the prototypes, in kernel memory. */
interface EmBuffers {
  /** k rates; `gain` receives their update from the counts. */
  b: Float64Array;
  gain: Float64Array;
  counts: Float64Array;
  /** Exposure of each entry's spot to the prototypes: rows of `stride`, of which the first k are filled. */
  seen: Float32Array;
  stride: number;
}

/** Expectation–maximization rounds for one gene. */
interface EmKernel {
  /** Reserves memory for a gene and discards the previous gene's. The caller fills `counts` and `seen`. */
  reserve(nEntries: number): EmBuffers;
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
