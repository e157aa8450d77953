import { ratesOfGene, type SampledSpots } from "./group-rates.ts";

/** Runs in a worker thread. */
export default function work(
  sample: SampledSpots,
  { counts }: { counts: Float32Array },
): Float64Array {
  const nSpots = sample.totals.length;
  const rates = new Float64Array((counts.length / nSpots) * sample.nGroups);
  for (let from = 0, to = 0; from < counts.length; from += nSpots, to += sample.nGroups) {
    rates.set(ratesOfGene(sample, counts.subarray(from, from + nSpots)), to);
  }
  return rates;
}
