import type { SignalRange } from "./local-contrast.ts";

const BINS = 256;

/**
 * Splits signal values into background and nuclei by maximizing the between-class variance (Otsu 1979) and returns both
 * means. `values` are smoothed signal values (≥ 0) sampled across the slide. O(values).
 */
export function signalRange(values: Float32Array): SignalRange {
  let top = 1e-6;
  for (let i = 0; i < values.length; i++) if (values[i] > top) top = values[i];
  const histogram = new Float64Array(BINS);
  for (let i = 0; i < values.length; i++) {
    histogram[Math.min(BINS - 1, Math.max(0, Math.floor((values[i] / top) * BINS)))]++;
  }
  let total = 0;
  for (let k = 0; k < BINS; k++) total += k * histogram[k];
  let below = 0;
  let sumBelow = 0;
  let best = -1;
  const range: SignalRange = { background: 0, nuclei: top, threshold: top / 2 };
  for (let k = 0; k < BINS - 1; k++) {
    below += histogram[k];
    sumBelow += k * histogram[k];
    const above = values.length - below;
    if (below === 0 || above === 0) continue;
    const meanBelow = sumBelow / below;
    const meanAbove = (total - sumBelow) / above;
    const between = below * above * (meanBelow - meanAbove) ** 2;
    if (between <= best) continue;
    best = between;
    range.background = ((meanBelow + 0.5) / BINS) * top;
    range.nuclei = ((meanAbove + 0.5) / BINS) * top;
    range.threshold = ((k + 1) / BINS) * top;
  }
  return range;
}
