const BINS = 10;

/**
 * Expected calibration error (Naeini et al. 2015): over ten equal bins of the stated probability, the distance
 * between its mean and the fraction that is right, weighted by bin size. 0 = perfectly calibrated. O(n).
 */
export function calibrationError(stated: readonly number[], right: readonly boolean[]): number {
  const sum = new Float64Array(BINS);
  const hits = new Float64Array(BINS);
  stated.forEach((probability, i) => {
    const bin = Math.min(BINS - 1, Math.max(0, Math.floor(probability * BINS)));
    sum[bin] += probability;
    if (right[i]) hits[bin]++;
  });
  let error = 0;
  for (let bin = 0; bin < BINS; bin++) error += Math.abs(sum[bin] - hits[bin]);
  return stated.length > 0 ? error / stated.length : 0;
}
