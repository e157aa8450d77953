import { release } from "@stipple/numerics/release";
import { chooseCandidates, findCandidates, type Candidates } from "./choose-candidates.ts";
import type { NetworkOptions } from "./network-options.ts";
import type { NucleusMaps } from "../../nuclei/nucleus-network.ts";
import { gatherVotes, votedCentroids, voteSeeds } from "./vote-seeds.ts";
import { LEVELS, sumParts } from "./voted-parts.ts";

/** Nuclei at the maps' resolution. */
export interface DecodedMaps {
  /** Nucleus that each pixel voted for, 1 … count; 0 = none. */
  labels: Int32Array;
  count: number;
  /**
   * By label, the probability that pixels of the nucleus exceed; Infinity for labels that are not nuclei, and for 0.
   */
  minProbability: Float64Array;
}

/** Decodes the network's maps into nuclei. O(pixels). */
export function decodeMaps(maps: NucleusMaps, options: NetworkOptions): DecodedMaps {
  return nucleiAmong(candidatesOf(maps, options), options.minScore);
}

/** The candidates of a tile that are nuclei at a threshold. O(pixels). */
export function nucleiAmong(
  { labels, count, candidates }: ReturnType<typeof candidatesOf>,
  minScore: number,
): DecodedMaps {
  const { nucleusOf, minProbability } = chooseCandidates(candidates, count, minScore);
  return { labels: labels.map((part) => nucleusOf[part]), count, minProbability };
}

/** Splits a tile into parts and lists the candidate nuclei they could form. O(pixels). */
export function candidatesOf(
  maps: NucleusMaps,
  options: NetworkOptions,
): { labels: Int32Array; count: number; candidates: Candidates } {
  const centroids = votedCentroids(maps, LEVELS[0]);
  const seeds = voteSeeds(maps, centroids, LEVELS[0], options);
  const parts = sumParts(maps, centroids, gatherVotes(maps, centroids, seeds.labels), seeds);
  const candidates = findCandidates(parts, seeds);
  for (const array of [centroids, seeds.labels, seeds.votes]) release(array);
  return { labels: parts.labels, count: seeds.count, candidates };
}
