import { Worker } from "node:worker_threads";

const WATCH_PARENT = `
  const parent = process.ppid;
  setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, "SIGKILL"); }, 100);
`;

/**
 * Makes this process end with the one that started it: a separate thread watches for the parent's exit, because the
 * main thread may be busy for minutes.
 */
export function endWithParent(): void {
  new Worker(WATCH_PARENT, { eval: true }).unref();
  process.on("disconnect", () => process.exit(1));
}
