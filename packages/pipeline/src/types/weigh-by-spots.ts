import { transposeDense } from "@stipple/numerics/dense";
import { normalized } from "@stipple/numerics/normalized";
import { chooseRows, denseRow, multiplyDense, transpose } from "@stipple/numerics/sparse";
import { fitRates } from "../model/fit-rates.ts";
import { membership } from "../model/prototypes.ts";
import type { AnchoredModel } from "./anchored-fit.ts";
import type { SpotEvidence } from "./anchored-types.ts";
import { LEVELS, TYPE_FIT } from "../model/constants.ts";
import { GUARDS, ROUNDS } from "../model/limits.ts";

const SPOTS_PER_PAUSE = 128;

/**
 * Types of cells (nCells × k) given the counts of the spots around them as well: the composition of each spot is fitted to
 * its counts with the model's profiles, starting from what the looks and places of cells say, and a cell's odds are
 * multiplied by the ratio of the two, interpolated between spots as rates are. O(rounds · spots · genes · types).
 */
export async function weighBySpots(
  { gate, profile }: AnchoredModel,
  /** Those of the profiles. */
  genes: readonly number[],
  { overlap, byGene, near, phi }: SpotEvidence,
  pause: () => Promise<void> | void = () => undefined,
): Promise<Float32Array> {
  const { k } = gate;
  const posterior = membership(phi, gate);
  const counts = transpose(chooseRows(byGene, genes));
  const ofGenes = transposeDense(profile, k, counts.nCols);
  const suggested = multiplyDense(overlap, posterior, k);
  const logRatio = new Float64Array(overlap.nRows * k);
  for (let s = 0; s < overlap.nRows; s++) {
    if (s % SPOTS_PER_PAUSE === 0) await pause();
    const cells = suggested.subarray(s * k, (s + 1) * k);
    logRatio.set(ratiosIn(denseRow(counts, s), cells, ofGenes), s * k);
  }
  const out = new Float32Array(posterior.length);
  for (let c = 0; c < overlap.nCols; c++) {
    const row = out.subarray(c * k, (c + 1) * k);
    for (let n = c * near.width; n < (c + 1) * near.width; n++) {
      const spot = near.spot[n];
      if (spot < 0) continue;
      for (let t = 0; t < k; t++) row[t] += near.weight[n] * logRatio[spot * k + t];
    }
    let sum = 0;
    for (let t = 0; t < k; t++) sum += row[t] = posterior[c * k + t] * Math.exp(row[t]);
    for (let t = 0; t < k; t++) row[t] /= sum;
  }
  return out;
}

/** Log ratio of each type's share of a spot's cells, by its counts and rates (genes × types), to the suggested share. */
function ratiosIn(seen: Float64Array, cells: Float32Array, profile: Float64Array): Float64Array {
  const k = cells.length;
  const captured = cells.reduce((a, b) => a + b, 0);
  const counted = seen.reduce((a, b) => a + b, 0);
  if (!(captured > 0) || counted === 0) return new Float64Array(k);
  const shares = normalized(Float64Array.from(cells, (n) => n + GUARDS.MIN_SHARE * captured));
  let expected = 0;
  for (let i = 0; i < profile.length; i++) expected += shares[i % k] * profile[i];
  // Totals say little about types, so the spot's total is taken as given.
  const weights = shares.map((share) => (share * counted) / expected);
  const fit = {
    exposure: profile,
    places: Uint32Array.from(seen.keys()),
    counts: seen,
    mass: [],
    prior: {
      counts: weights.map((weight) => TYPE_FIT.LOOKS_UMIS * weight),
      exposure: TYPE_FIT.LOOKS_UMIS,
    },
    dispersion: LEVELS.DISPERSION,
    rounds: ROUNDS.GROUPS,
  };
  fitRates(fit, weights);
  return normalized(weights).map((share, t) =>
    Math.log(Math.max(GUARDS.MIN_SHARE, share / shares[t])),
  );
}
