import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Context } from "../../context.ts";
import type { Lease } from "../../workflow/leases.ts";
import type { AskingHelp, HelpAnswer, TaskOrder, TaskOutcome } from "./task-messages.ts";
import { openTaskQueue, type TaskQueue } from "./task-queue.ts";

/** How often the worker looks whether a batch is done. */
const LOOK_EVERY_MS = 250;
/** Workers that may help one step at a time. */
const MAX_HELPERS = 8;
/** A run's temporary objects are removed after this long, whatever happened. */
const KEPT_HOURS = 6;

/** Cost and benefit of the help. */
export interface HelpCount {
  batches: number;
  /** Written to the storage for helpers. */
  sentBytes: number;
  /** Read from the storage by helpers, including the image. */
  fetchedBytes: number;
  /** Results. */
  receivedBytes: number;
}

/** For the run's log. */
export function helpInWords({
  batches,
  sentBytes,
  fetchedBytes,
  receivedBytes,
}: HelpCount): string {
  const mb = (bytes: number): string => (bytes / 1e6).toFixed(1);
  return `Other workers ran ${batches} ${batches === 1 ? "part" : "parts"} of the step (${mb(sentBytes)} MB sent, ${mb(fetchedBytes)} MB fetched by them, ${mb(receivedBytes)} MB received).`;
}

/** Has idle workers do batches of one step. Closing it withdraws all batches in progress. */
export interface Asking extends AsyncDisposable {
  /** Responds to the step's process. */
  hear(message: AskingHelp, answer: (answer: HelpAnswer) => void): void;
  count: HelpCount;
}

/** `folder`: for results, on the step's disk. */
export function openAsking(
  context: Context,
  parts: {
    workerId: string;
    lease: Pick<Lease, "runId" | "token">;
    folder: string;
    signal: AbortSignal;
  },
  queue: TaskQueue = openTaskQueue(context, parts.workerId),
): Asking {
  const { database, storage, logger } = context;
  const { lease, folder, signal } = parts;
  const count: HelpCount = { batches: 0, sentBytes: 0, fetchedBytes: 0, receivedBytes: 0 };
  const taken = new Set<string>();
  const underWay = new Map<string, { controller: AbortController; over: Promise<void> }>();
  const common = new Map<string, Promise<string>>();

  async function idle(): Promise<string[]> {
    if (signal.aborted || taken.size >= MAX_HELPERS) return [];
    const workers = (await queue.idle()).filter((id) => !taken.has(id));
    return workers.slice(0, MAX_HELPERS - taken.size);
  }

  /** A key whose object is removed when its time is over, or earlier. */
  async function newKey(): Promise<string> {
    const storageKey = `tasks/${lease.runId}/${randomUUID()}`;
    await database.db
      .insertInto("doomed_objects")
      .values({
        storage_key: storageKey,
        due_at: sql<Date>`now() + make_interval(hours => ${KEPT_HOURS})`,
      })
      .execute();
    return storageKey;
  }

  async function send(path: string): Promise<string> {
    const key = await newKey();
    await storage.putFile(key, path);
    count.sentBytes += (await stat(path)).size;
    return key;
  }

  async function remove(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await storage.remove(keys);
    await database.db.deleteFrom("doomed_objects").where("storage_key", "in", keys).execute();
  }

  /** The path of the batch's result; null if it was not done. */
  async function have(
    batch: AskingHelp & { kind: "batch" },
    stopped: AbortSignal,
  ): Promise<string | null> {
    const [worker] = await idle();
    if (worker === undefined || stopped.aborted) return null;
    taken.add(worker);
    let id: string | undefined;
    const keys: string[] = [];
    let outcome: TaskOutcome = null;
    try {
      if (!common.has(batch.common.id)) common.set(batch.common.id, send(batch.common.path));
      const shared = { id: batch.common.id, key: await common.get(batch.common.id)! };
      const inputs = await send(batch.inputs);
      const result = await newKey();
      keys.push(inputs, result);
      const { runId, token } = lease;
      const order: TaskOrder = { runId, token, common: shared, inputs, result, files: batch.files };
      id = await queue.send(worker, order);
      let state: Awaited<ReturnType<TaskQueue["look"]>> = "under way";
      while (state === "under way" && !stopped.aborted) {
        await sleep(LOOK_EVERY_MS, undefined, { signal: stopped }).catch(() => undefined);
        state = await queue.look(id, worker);
      }
      if (state === "under way" || state === null) return null;
      outcome = state;
      const path = join(folder, batch.id);
      await storage.fetchTo(result, path, stopped);
      count.batches++;
      count.fetchedBytes += outcome.fetchedBytes;
      count.receivedBytes += (await stat(path)).size;
      return path;
    } finally {
      taken.delete(worker);
      if (id !== undefined) await queue.forget(id);
      // An unfinished result may still be written; its object is removed when its time is over.
      await remove(outcome ? keys : keys.slice(0, 1));
    }
  }

  return {
    count,
    hear(message, answer) {
      if (message.kind === "drop") return underWay.get(message.id)?.controller.abort();
      if (message.kind === "who is free") {
        void idle().then(
          (workers) => answer({ kind: "free", id: message.id, workers: workers.length }),
          () => answer({ kind: "free", id: message.id, workers: 0 }),
        );
        return;
      }
      const controller = new AbortController();
      const stopped = AbortSignal.any([controller.signal, signal]);
      const over = have(message, stopped)
        .catch((error: unknown) => {
          logger.warn({ err: error, runId: lease.runId }, "another worker did not finish a batch");
          return null;
        })
        .then((path) => {
          underWay.delete(message.id);
          answer({ kind: "batch done", id: message.id, path });
        });
      underWay.set(message.id, { controller, over });
    },
    async [Symbol.asyncDispose]() {
      for (const { controller } of underWay.values()) controller.abort();
      await Promise.all([...underWay.values()].map(({ over }) => over));
      const sent = await Promise.all([...common.values()].map((key) => key.catch(() => null)));
      await remove(sent.filter((key) => key !== null)).catch(() => undefined);
    },
  };
}
