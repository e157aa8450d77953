import { setTimeout as sleep } from "node:timers/promises";
import { defineTask } from "../task.ts";

/** A task that takes `n` times ten milliseconds. */
export async function squareSlowly({ failsAt }: { failsAt: number }, n: number): Promise<number> {
  if (n === failsAt) throw new Error(`no ${n}`);
  await sleep(10 * n);
  return n * n;
}

export const slowSquare = defineTask(import.meta.url, squareSlowly);
