import { defineTask } from "../engine/tasks/task.ts";
import type { AnchoredData } from "./anchored-fit.ts";
import type { FoundTypes, SampledCandidates } from "./find-types.ts";

/** Input shared by all runs. */
export interface TypeSearch {
  data: AnchoredData;
  sample: SampledCandidates;
  /** Progress of each run, in memory shared between threads. */
  done: Float32Array;
}

/** One run. */
export interface SearchRun {
  seed: number;
  place: number;
}

/** Finds types on one thread. */
export const findTypesOnThread = defineTask<TypeSearch, SearchRun, FoundTypes | null>(
  "find-types",
  new URL("./find-in-runs-worker.ts", import.meta.url),
  // ONNX Runtime is native code.
  { isNative: true },
);
