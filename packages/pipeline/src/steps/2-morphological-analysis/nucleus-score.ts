import { CENTRE, HIGH, LOW, SPREAD, WEIGHTS } from "./nucleus-score-weights.ts";
import { quadraticScores } from "./quadratic-score.ts";

/**
 * How well each node would do as one nucleus: about 0 for an overlap (intersection over union) with a true nucleus of
 * 0.25 and less, about 1 from 0.75. A quadratic function of the node's shape, fitted by ridge regression to nuclei with
 * known outlines (bench/fit-nucleus-score.ts). O(nodes).
 */
export function nucleusScores(features: Float32Array): Float32Array {
  const fitted = { low: LOW, high: HIGH, centre: CENTRE, spread: SPREAD, weights: WEIGHTS };
  return quadraticScores(features, fitted);
}
