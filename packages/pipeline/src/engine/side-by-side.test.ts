import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { CancelledError, throwIfCancelled } from "../errors.ts";
import { release } from "@stipple/numerics/release";
import { sideBySide } from "./side-by-side.ts";

/** Works until it is canceled, and a little longer. */
async function patient(signal: AbortSignal, ended: () => void): Promise<void> {
  while (!signal.aborted) await sleep(1);
  await sleep(20);
  ended();
  throwIfCancelled(signal);
}

it("returns results in input order", async () => {
  const late = async (): Promise<string> => (await sleep(5), "late");
  const soon = (): Promise<number> => Promise.resolve(1);
  expect(await sideBySide(new AbortController().signal, [late, soon])).toEqual(["late", 1]);
});

it("cancels the others when one fails, waits for them, and throws the first error", async () => {
  let isOver = false;
  const failing = (): Promise<never> => Promise.reject(new Error("the disk is full"));
  const works = [(signal: AbortSignal) => patient(signal, () => (isOver = true)), failing];
  await expect(sideBySide(new AbortController().signal, works)).rejects.toThrow("the disk is full");
  expect(isOver).toBe(true);
});

it("reacts to cancellation from outside", async () => {
  const controller = new AbortController();
  const works = [(signal: AbortSignal) => patient(signal, () => undefined)];
  const running = sideBySide(controller.signal, works);
  controller.abort();
  await expect(running).rejects.toBeInstanceOf(CancelledError);
});

it("frees only the memory of large arrays, and never shared memory", () => {
  const large = new Float32Array(1 << 16);
  const part = large.subarray(10, 20);
  const small = Buffer.from("in memory that buffers have in common");
  const shared = new Uint8Array(new SharedArrayBuffer(1 << 20));
  for (const array of [part, small, shared]) release(array);
  expect([large.length, part.length, small.length, shared.length]).toEqual([0, 0, 37, 1 << 20]);
});
