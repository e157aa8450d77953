/**
 * Opens gradient ascent on `weights`, in place, with Adam (Kingma & Ba 2015, decay rates 0.9 and 0.99). Returns a
 * function that takes one step, given the gradient for each weight; a step moves a weight by about `rate`. O(weights)
 * per step.
 */
export function openAdam(
  weights: Float64Array,
  rate: number,
): (slopeOf: (weight: number) => number) => void {
  const mean = new Float64Array(weights.length);
  const squared = new Float64Array(weights.length);
  let step = 0;
  return (slopeOf) => {
    step++;
    const [correctMean, correctSquared] = [1 - 0.9 ** step, 1 - 0.99 ** step];
    for (let i = 0; i < weights.length; i++) {
      const slope = slopeOf(i);
      mean[i] = 0.9 * mean[i] + 0.1 * slope;
      squared[i] = 0.99 * squared[i] + 0.01 * slope * slope;
      weights[i] +=
        (rate * (mean[i] / correctMean)) / (Math.sqrt(squared[i] / correctSquared) + 1e-8);
    }
  };
}
