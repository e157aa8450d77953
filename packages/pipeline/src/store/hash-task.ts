import { defineTask } from "../engine/tasks/task.ts";

/** Size and SHA-256 of a local file, so only threads on this machine run it. */
export const hashOfFile = defineTask<object, { path: string }, { size: number; sha256: string }>(
  "hash-of-file",
  new URL("./hash-worker.ts", import.meta.url),
);
