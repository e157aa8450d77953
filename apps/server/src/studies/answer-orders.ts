import { parentPort, workerData } from "node:worker_threads";
import { InputError } from "@stipple/pipeline/errors";
import type { Finding, Reply } from "./messages.ts";

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
