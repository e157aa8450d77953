import { cellFile, type CombinedSample } from "./combined-study.ts";
import { mapGenes, type GeneMap } from "./map-genes.ts";
import { SampleTable } from "./sample-table.ts";

/** Rates kept of a sample: as text, each takes about five bytes, and R reads about two million per second. */
const MAX_ENTRIES = 10_000_000;
/** Bins per factor of ten, from 1e-8 to 1e8. */
const PER_TEN = 100;
const TENS = 8;

/** The rate below which a sample's rates are left out, so that about ten million remain; 0 if there are no more. */
export async function leastRate(
  sample: CombinedSample,
  map: GeneMap,
  signal: AbortSignal,
): Promise<number> {
  const bins = new Float64Array(2 * TENS * PER_TEN);
  let entries = 0;
  using table = await SampleTable.open(cellFile(sample));
  for await (const block of table.rows(["layers/rate"], signal)) {
    const [rates] = mapGenes(block, map).values;
    entries += rates.length;
    for (const rate of rates) {
      const bin = Math.floor((Math.log10(rate) + TENS) * PER_TEN);
      bins[Math.max(0, Math.min(bins.length - 1, bin))]++;
    }
  }
  if (entries <= MAX_ENTRIES) return 0;
  let bin = bins.length;
  for (let kept = 0; bin > 0 && kept + bins[bin - 1] <= MAX_ENTRIES; bin--) kept += bins[bin - 1];
  return 10 ** (bin / PER_TEN - TENS);
}
