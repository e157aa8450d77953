import { kMeans } from "@stipple/numerics/k-means";
import { domainField } from "./domain-field.ts";
import type { DomainSketch, DomainTrial, TriedDomains } from "./domain-trial-task.ts";

/** Domains of the sketched cells, from centers found by k-means. */
export async function tryOnce(
  { around, sightings, features, width }: DomainSketch,
  { count, seed }: DomainTrial,
  signal: AbortSignal,
): Promise<TriedDomains> {
  const { centers, assigned } = kMeans(features, width, count, { seed });
  const field = await domainField(around, sightings, assigned, centers.length / width, signal);
  return { score: field.likelihood - field.parameters / around.n, centers };
}
