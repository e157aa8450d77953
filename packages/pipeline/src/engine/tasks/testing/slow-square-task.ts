import { setTimeout as sleep } from "node:timers/promises";

/** A task that takes `n` times ten milliseconds. */
export default async function work({ failsAt }: { failsAt: number }, n: number): Promise<number> {
  if (n === failsAt) throw new Error(`no ${n}`);
  await sleep(10 * n);
  return n * n;
}
