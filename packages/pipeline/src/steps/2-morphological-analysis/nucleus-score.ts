import { CENTER, HIGH, LOW, SPREAD, WEIGHTS } from "./nucleus-score-weights.ts";
import { quadraticScores } from "./quadratic-score.ts";

/**
 * Scores how well each node matches one nucleus: about 0 if its intersection over union with a true nucleus is 0.25 or
 * less, about 1 if it is 0.75 or more. A quadratic function of the node's shape, fitted by ridge regression to nuclei
 * with known outlines (bench/fit-nucleus-score.ts). O(nodes).
 */
export function nucleusScores(features: Float32Array): Float32Array {
  const fitted = { low: LOW, high: HIGH, center: CENTER, spread: SPREAD, weights: WEIGHTS };
  return quadraticScores(features, fitted);
}
