import type { NetworkOptions } from "./network-options.ts";
import type { NucleusMaps } from "./nucleus-network.ts";
import { gatherVotes, votedCentroids, voteSeeds } from "./vote-seeds.ts";

/**
 * Reads nuclei from the network's maps, at the maps' resolution: labels 1 … count, where those that are too uncertain
 * have no pixel. O(pixels).
 */
export function decodeMaps(
  maps: NucleusMaps,
  options: NetworkOptions,
): { labels: Int32Array; count: number } {
  const centroids = votedCentroids(maps, options.minProbability);
  const { seeds, count } = voteSeeds(maps, centroids, options);
  const labels = gatherVotes(maps, centroids, seeds);
  const sum = new Float64Array(count + 1);
  const area = new Float64Array(count + 1);
  for (let p = 0; p < labels.length; p++) {
    if (labels[p] === 0) continue;
    sum[labels[p]] += maps.probability[p];
    area[labels[p]]++;
  }
  for (let p = 0; p < labels.length; p++) {
    const label = labels[p];
    if (label > 0 && sum[label] < options.minMeanProbability * area[label]) labels[p] = 0;
  }
  return { labels, count };
}
