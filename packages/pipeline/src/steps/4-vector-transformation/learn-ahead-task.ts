import { defineTask } from "../../engine/tasks/task.ts";
import type { FitWork } from "./fit-task.ts";
import type { Membership, TissueData } from "./fit-expression.ts";

/** Input shared by all fits. */
export interface LearnWork {
  tissue: TissueData;
  options: FitWork["options"];
  /** Progress of each fit, in memory shared between threads. */
  done: Float32Array;
}

/** Learns the memberships of one fit on one thread. */
export const learnOnThread = defineTask<LearnWork, { fit: number }, Membership>(
  "learn-membership",
  new URL("./learn-ahead-worker.ts", import.meta.url),
  // ONNX Runtime is native code.
  { isNative: true },
);
