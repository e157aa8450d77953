import { defineTask } from "../../../engine/tasks/task.ts";
import type { Sightings } from "./domain-field.ts";
import type { Surroundings } from "./surroundings.ts";

/** The cells used to choose the number of domains. */
export interface DomainSketch {
  around: Surroundings;
  sightings: Sightings;
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

/** Tries one number of domains from one start on one thread. */
export const tryDomains = defineTask<DomainSketch, DomainTrial, TriedDomains>(
  "try-domains",
  new URL("./domain-trial-worker.ts", import.meta.url),
);
