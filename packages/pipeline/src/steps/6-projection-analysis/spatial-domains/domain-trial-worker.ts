import type { DomainSketch, DomainTrial, TriedDomains } from "./domain-trial-task.ts";
import { tryOnce } from "./domain-trial.ts";

/** Runs in a worker thread, which is terminated once nobody is waiting for the result. */
export default function work(sketch: DomainSketch, trial: DomainTrial): Promise<TriedDomains> {
  return tryOnce(sketch, trial, new AbortController().signal);
}
