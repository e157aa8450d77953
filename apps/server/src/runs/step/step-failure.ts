/**
 * Why a run failed, as named in metrics and logs: faulty data; the server's limits; whatever ended the step's process;
 * the storage; anything else.
 */
export type FailureCause =
  "data" | "memory" | "time" | "killed" | "crashed" | "disk_full" | "storage" | "unexpected";
