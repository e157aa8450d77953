/**
 * Why a run failed, as metrics and logs name it: the data's own fault; limits of the server; what ended the step's process;
 * the storage; anything else.
 */
export type FailureCause =
  "data" | "memory" | "time" | "killed" | "crashed" | "disk_full" | "storage" | "unexpected";
