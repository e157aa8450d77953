import { parentPort, workerData } from "node:worker_threads";
import { InputError } from "@stipple/pipeline/errors";
import { hashFile } from "@stipple/pipeline/hash-file";
import type { Finding, Reply, MadeFile } from "./messages.ts";
import { readFile, stat } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { SMALL_BYTES } from "../outputs/layout.ts";

/** In a thread: answers each order, or says why it cannot. */
export function answerOrders<Order>(answer: (order: Order) => Promise<Finding>): void {
  parentPort!.on("message", (order: Order) => {
    void answer(order)
      .catch((error: unknown): Reply => {
        if (error instanceof InputError) return { refusal: error.message, files: new Map() };
        return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
      })
      .then((reply) => parentPort!.postMessage(reply));
  });
}

/** How many threads this one may use for the tasks of an order. */
export function ownThreads(): number {
  return (workerData as { threads: number }).threads;
}

/** A local file as a finding holds it: small ones are a row, others an object. */
export async function findingFile(path: string): Promise<Uint8Array | MadeFile> {
  const { size } = await stat(path);
  if (size < SMALL_BYTES) return gzipSync(await readFile(path), { level: 4 });
  return madeFile(path);
}

export async function madeFile(path: string): Promise<MadeFile> {
  return { path, ...(await hashFile(path)) };
}
