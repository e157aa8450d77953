import { kMeans } from "@stipple/numerics/k-means";
import { domainField, type Observations } from "./domain-field.ts";
import { defineTask } from "@stipple/tasks/task";
import type { Surroundings } from "./surroundings.ts";

/** Domains of the sketched cells, from centers found by k-means. */
export async function tryOnce(
  { around, observations, features, width }: DomainSketch,
  { count, seed }: DomainTrial,
  signal: AbortSignal,
): Promise<TriedDomains> {
  const { centers, assigned } = kMeans(features, width, count, { seed });
  const field = await domainField(around, observations, assigned, centers.length / width, signal);
  return { score: field.likelihood - field.parameters / around.n, centers };
}

/** The cells used to choose the number of domains. */
export interface DomainSketch {
  around: Surroundings;
  observations: Observations;
  /** n × width. */
  features: Float32Array;
  width: number;
}

export interface DomainTrial {
  /** Number of domains. */
  count: number;
  seed: number;
}

export interface TriedDomains {
  /** Mean log likelihood per cell minus the number of parameters per cell. */
  score: number;
  /** Centers in the space of the features, domains × width. */
  centers: Float64Array;
}

/** Runs in a worker thread, which is terminated once nobody is waiting for the result. */
export function tryInThread(sketch: DomainSketch, trial: DomainTrial): Promise<TriedDomains> {
  return tryOnce(sketch, trial, new AbortController().signal);
}

/** Tries one number of domains from one start on one thread. */
export const tryDomains = defineTask(import.meta.url, tryInThread);
