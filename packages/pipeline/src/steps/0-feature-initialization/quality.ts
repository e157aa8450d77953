import { counted } from "@stipple/contract/counted";
import type { QualityReport } from "../../facts.ts";
import type { CaptureNoun } from "../../model/row-noun.ts";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { median } from "@stipple/numerics/quantile";

export interface SpotQuality {
  /** UMIs per spot. */
  totals: Float64Array;
  /** Detected genes per spot. */
  genes: Uint32Array;
  /** Mitochondrial UMIs per spot. */
  mitochondrial: Float64Array;
}

/** Counts each spot's UMIs, genes, and mitochondrial UMIs (symbols MT-… or mt-…). O(nnz). */
export function spotQuality(counts: SparseMatrix, symbols: readonly string[]): SpotQuality {
  const isMitochondrial = Uint8Array.from(symbols, (symbol) => Number(/^mt-/i.test(symbol)));
  const totals = new Float64Array(counts.nRows);
  const genes = new Uint32Array(counts.nRows);
  const mitochondrial = new Float64Array(counts.nRows);
  for (let spot = 0; spot < counts.nRows; spot++) {
    for (let k = counts.indptr[spot]; k < counts.indptr[spot + 1]; k++) {
      const count = counts.data[k];
      totals[spot] += count;
      if (count > 0) genes[spot]++;
      if (isMitochondrial[counts.indices[k]]) mitochondrial[spot] += count;
    }
  }
  return { totals, genes, mitochondrial };
}

/** Below this median, a spot's counts carry little information about its cells. */
const LOW_MEDIAN_COUNTS = 200;
/** A spot among at least so many that holds a larger share of all counts is hardly tissue. */
const MANY_SPOTS = 20;
const LARGE_SHARE = 0.2;
/** Above this share of mitochondrial counts, tissue is usually damaged. */
const HIGH_MITOCHONDRIAL = 0.3;

/** Summarizes a sample; `extent` is nSpots × nGenes. */
export function qualityReport(
  quality: SpotQuality,
  extent: { nSpots: number; nGenes: number; nClusters: number; spotsOnImage: number },
  noun: CaptureNoun,
): QualityReport {
  const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
  const totalCounts = sum(quality.totals);
  const medianCountsPerSpot = median(quality.totals);
  const mitochondrialFraction = totalCounts > 0 ? sum(quality.mitochondrial) / totalCounts : 0;
  const empty = quality.totals.reduce((count, total) => count + Number(total === 0), 0);
  const warnings: string[] = [];
  if (noun === "spot" && medianCountsPerSpot < LOW_MEDIAN_COUNTS) {
    warnings.push(
      `The spots have few counts (median ${medianCountsPerSpot}), so results will be uncertain for most genes.`,
    );
  }
  if (mitochondrialFraction > HIGH_MITOCHONDRIAL) {
    warnings.push(
      `${(mitochondrialFraction * 100).toFixed(0)}% of the counts are mitochondrial, which suggests damaged tissue.`,
    );
  }
  const most = quality.totals.reduce((highest, total) => Math.max(highest, total), 0) / totalCounts;
  if (extent.nSpots >= MANY_SPOTS && most > LARGE_SHARE) {
    warnings.push(
      `One ${noun} holds ${(most * 100).toFixed(0)}% of all UMIs, so genes look highest in the cells around it: if it is an artifact, leave it out by a region to exclude.`,
    );
  }
  if (empty > 0) {
    warnings.push(
      `${empty} of ${counted(extent.nSpots, noun)} ${empty === 1 ? "has" : "have"} no counts at all.`,
    );
  }
  return {
    ...extent,
    totalCounts,
    medianCountsPerSpot,
    medianGenesPerSpot: median(quality.genes),
    mitochondrialFraction,
    warnings,
  };
}
