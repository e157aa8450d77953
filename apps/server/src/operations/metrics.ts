import { Counter, Histogram, Registry } from "prom-client";

/** What a process counts about itself. Counting costs next to nothing, whether or not anyone reads it. */
export interface Metrics {
  registry: Registry;
  /** From a request's head to the last byte of its answer. */
  httpSeconds: Histogram<"method" | "route" | "status">;
  stepSeconds: Histogram<"step" | "outcome">;
  runsEnded: Counter<"outcome" | "cause">;
  damagedReads: Counter<"damage">;
}

export function openMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    httpSeconds: new Histogram({
      name: "stipple_http_request_seconds",
      help: "Seconds from a request's headers to the end of its response, by route template.",
      labelNames: ["method", "route", "status"],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
      registers,
    }),
    stepSeconds: new Histogram({
      name: "stipple_step_seconds",
      help: "Seconds an analysis step took, including fetching its files and storing its results.",
      labelNames: ["step", "outcome"],
      buckets: [1, 5, 15, 60, 300, 900, 3600, 14_400],
      registers,
    }),
    runsEnded: new Counter({
      name: "stipple_runs_ended_total",
      help: "Finished runs, by outcome; cause says why a run failed.",
      labelNames: ["outcome", "cause"],
      registers,
    }),
    damagedReads: new Counter({
      name: "stipple_damaged_reads_total",
      help: "Reads of stored files that were refused because the file is missing or its bytes have changed.",
      labelNames: ["damage"],
      registers,
    }),
  };
}
