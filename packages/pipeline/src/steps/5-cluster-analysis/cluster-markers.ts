import { transposeDense } from "@stipple/numerics/dense";
import { largest } from "@stipple/numerics/largest";
import type { Matrix } from "@stipple/numerics/matrices";
import { CLUSTERS } from "../../model/constants.ts";

export interface ClusterMarker {
  cluster: number;
  gene: number;
  /** Mean inferred rate in the cluster and in all other cells. */
  mean: number;
  others: number;
  log2FoldChange: number;
}

/**
 * The `count` genes that stand out most in each cluster, by fold change of mean model rates M·B over all other cells.
 * This is descriptive, not a test: p-values on inferred values would be circular.
 * O(nCells · k + nClusters · k · nGenes).
 */
export function clusterMarkers(
  membership: Matrix<Float32Array>,
  profile: Matrix<Float32Array>,
  cluster: Int32Array,
  nClusters: number,
  usable: Uint8Array,
  count: number,
): ClusterMarker[] {
  const k = membership.nCols;
  const nGenes = profile.nCols;
  const sizes = new Float64Array(nClusters);
  const shares = new Float64Array(nClusters * k);
  const all = new Float64Array(k);
  for (let cell = 0; cell < membership.nRows; cell++) {
    sizes[cluster[cell]]++;
    for (let j = 0; j < k; j++) {
      const share = membership.data[cell * k + j];
      shares[cluster[cell] * k + j] += share;
      all[j] += share;
    }
  }
  // nGenes × k, so that the rates of a gene are contiguous.
  const rates = transposeDense(profile.data, k, nGenes);
  const markers: ClusterMarker[] = [];
  const inside = new Float64Array(k);
  const outside = new Float64Array(k);
  for (let c = 0; c < nClusters; c++) {
    const rest = membership.nRows - sizes[c];
    // A cluster of all cells has no others to stand out from.
    if (rest === 0) continue;
    for (let j = 0; j < k; j++) {
      inside[j] = shares[c * k + j] / Math.max(1, sizes[c]);
      outside[j] = (all[j] - shares[c * k + j]) / rest;
    }
    const markerOf = (gene: number): ClusterMarker => {
      const mean = rateOf(inside, rates, gene);
      const others = rateOf(outside, rates, gene);
      const log2FoldChange = Math.log2((mean + CLUSTERS.FLOOR) / (others + CLUSTERS.FLOOR));
      return { cluster: c, gene, mean, others, log2FoldChange };
    };
    const best = largest(nGenes, count, (gene) =>
      usable[gene] ? markerOf(gene).log2FoldChange : 0,
    );
    markers.push(...best.map(markerOf));
  }
  return markers;
}

/** Mean rate of a gene (row of `rates`) in cells with these mean memberships; called constantly. */
function rateOf(shares: Float64Array, rates: Float32Array, gene: number): number {
  const k = shares.length;
  let mean = 0;
  for (let j = 0, at = gene * k; j < k; j++, at++) mean += shares[j] * rates[at];
  return mean;
}
