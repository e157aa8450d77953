import { Worker } from "node:worker_threads";
import type { CellGrouping, DifferentialTable, GeneGroupMeans } from "@stipple/contract";
import type { GeneLayer } from "@stipple/pipeline/view";
import { ApiError } from "../../http/api-error.ts";
import type { ViewedResults } from "../viewer-files.ts";
import type { Order, Progress, Reply, Task } from "./messages.ts";
import { BusyError, Turns } from "./turns.ts";
import type { ViewedCopies } from "./viewed-copies.ts";

/** Computes what the interactive view requests, in separate threads. Refusals are ApiErrors. */
export interface ViewerComputing extends AsyncDisposable {
  /** Loads what genes are computed from, if there is time for it. */
  warm(results: ViewedResults): void;
  /** `packed`: rates in two bytes each (see `packRates`); counts stay float32. */
  gene(
    results: ViewedResults,
    name: string,
    layer: GeneLayer,
    packed: boolean,
    signal: AbortSignal,
  ): Promise<Float32Array | Uint16Array>;
  spotGene(results: ViewedResults, name: string, signal: AbortSignal): Values;
  score(
    results: ViewedResults,
    genes: readonly string[],
    layer: GeneLayer,
    signal: AbortSignal,
  ): Values;
  /** `within`: one bit per cell, null = all. */
  means(
    results: ViewedResults,
    genes: readonly string[],
    layer: GeneLayer,
    groups: { by: CellGrouping; within: Uint8Array | null },
    signal: AbortSignal,
  ): Promise<GeneGroupMeans[]>;
  /** `progress` receives the share done (0–1), for the first time once the sets are known to be comparable. */
  compare(
    results: ViewedResults,
    a: Uint8Array,
    b: Uint8Array | null,
    signal: AbortSignal,
    progress?: (done: number) => void,
  ): Promise<DifferentialTable>;
}
type Values = Promise<Float32Array>;

/** After this long without a gene the thread ends and all it holds is free. */
const IDLE_MS = 10 * 60_000;
const TIME_LIMIT_MS = 120_000;
const RETRY_AFTER_S = 5;

export function openViewerComputing(copies: ViewedCopies): ViewerComputing {
  /** Genes: answered one after the other by a thread that stays and remembers. */
  let steady: ComputeThread | null = null;
  let idle: NodeJS.Timeout | undefined;
  const genes = new Turns(1, { key: 64, all: 256 });
  /** Scores and comparisons take seconds: each has a thread that can be killed. */
  const long = new Turns(2, { key: 2, all: 16 });
  const closing = new AbortController();

  function quick(results: ViewedResults, task: Task, signal: AbortSignal): Promise<Reply> {
    return copies.using(results, (folder) =>
      inTurn(genes, "genes", signal, async () => {
        clearTimeout(idle);
        if (!steady || steady.ended) steady = new ComputeThread();
        try {
          return await steady.ask({ folder, task }, closing.signal);
        } catch (error) {
          await endSteady();
          throw error;
        } finally {
          idle = setTimeout(() => void endSteady(), IDLE_MS).unref();
        }
      }),
    );
  }
  async function endSteady(): Promise<void> {
    clearTimeout(idle);
    const thread = steady;
    steady = null;
    await thread?.end();
  }
  function slow(
    results: ViewedResults,
    task: Task,
    signal: AbortSignal,
    progress?: (done: number) => void,
  ): Promise<Reply> {
    return copies.using(results, (folder) => {
      const limit = AbortSignal.any([signal, closing.signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
      return inTurn(long, results.projectId, limit, async () => {
        const thread = new ComputeThread();
        try {
          return await thread.ask({ folder, task }, limit, progress);
        } finally {
          await thread.end();
        }
      });
    });
  }

  return {
    warm: (results) =>
      void quick(results, { kind: "warm" }, closing.signal).catch(() => {
        // A later request for a gene will report it.
      }),
    gene: async (results, name, layer, packed, signal) =>
      valuesOf(await quick(results, { kind: "gene", name, layer, packed }, signal)),
    spotGene: async (results, name, signal) =>
      floatsOf(await quick(results, { kind: "spotGene", name }, signal)),
    score: async (results, names, layer, signal) =>
      floatsOf(await slow(results, { kind: "score", genes: names, layer }, signal)),
    async means(results, names, layer, groups, signal) {
      const task: Task = { kind: "means", genes: names, layer, ...groups };
      const reply = checked(await quick(results, task, signal));
      if (reply.kind !== "means") throw new Error(`Expected means, got ${reply.kind}`);
      return reply.means;
    },
    async compare(results, a, b, signal, progress) {
      const reply = checked(await slow(results, { kind: "compare", a, b }, signal, progress));
      if (reply.kind !== "table") throw new Error(`Expected a comparison, got ${reply.kind}`);
      return reply.table;
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await endSteady();
    },
  };
}

/** A thread that answers one order at a time. */
class ComputeThread {
  readonly #worker = new Worker(new URL("./compute-thread.ts", import.meta.url), { execArgv: [] });

  #ended = false;

  constructor() {
    this.#worker.unref();
    this.#worker.once("exit", () => (this.#ended = true));
    // Pending requests report it; without a listener it would crash the server.
    this.#worker.on("error", () => undefined);
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Rejects when the thread dies or the signal is aborted; the thread must then be ended. */
  ask(
    order: Order,
    signal: AbortSignal,
    progress: (done: number) => void = () => undefined,
  ): Promise<Reply> {
    return new Promise<Reply>((resolve, reject) => {
      const abort = (): void => settle(() => reject(signal.reason as Error));
      const died = (): void => settle(() => reject(new Error("The compute thread ended")));
      const failed = (error: Error): void => settle(() => reject(error));
      const replied = (reply: Reply | Progress): void => {
        if (reply.kind === "progress") progress(reply.done);
        else settle(() => resolve(reply));
      };
      const settle = (then: () => void): void => {
        signal.removeEventListener("abort", abort);
        this.#worker.off("exit", died).off("error", failed).off("message", replied);
        then();
      };
      if (signal.aborted) return reject(signal.reason as Error);
      signal.addEventListener("abort", abort, { once: true });
      this.#worker.on("exit", died).on("error", failed).on("message", replied);
      this.#worker.postMessage(order);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

async function inTurn<T>(
  turns: Turns,
  key: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await turns.run(key, signal, work);
  } catch (error) {
    const { name } = error as Error;
    if (error instanceof BusyError) {
      throw new ApiError(
        "rate_limited",
        "Other computations on this project are still running. Please wait a moment and try again.",
        { cause: error, retryAfter: RETRY_AFTER_S },
      );
    }
    if (name === "TimeoutError") {
      throw new ApiError(
        "rate_limited",
        "The server is too busy: the computation was stopped after two minutes. Please try again later.",
        { cause: error, retryAfter: 60 },
      );
    }
    if (signal.aborted) {
      throw new ApiError("invalid_request", "The request was canceled.", { cause: error });
    }
    throw error;
  }
}

function valuesOf(reply: Reply): Float32Array | Uint16Array {
  const { kind, ...rest } = checked(reply);
  if (!("values" in rest)) throw new Error(`Expected values, got ${kind}`);
  return rest.values;
}

function floatsOf(reply: Reply): Float32Array {
  const values = valuesOf(reply);
  if (!(values instanceof Float32Array))
    throw new Error("Expected unpacked values, got packed ones");
  return values;
}

function checked(reply: Reply): Exclude<Reply, { kind: "refused" | "failed" }> {
  if (reply.kind === "refused") throw new ApiError(reply.code, reply.message);
  if (reply.kind === "failed") {
    if (reply.missing) throw new ApiError("results_not_ready");
    throw new Error(`Computing for the interactive view failed: ${reply.detail}`);
  }
  return reply;
}
