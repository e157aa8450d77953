import type { CellGrouping, DifferentialTable, GeneGroupMeans } from "@stipple/contract";
import type { OwnMarkerTable } from "@stipple/contract/statistical-facts";
import type {
  ClusterOrder,
  FoundClusters,
  GeneLayer,
  OwnGroups,
  SimilarGenes,
} from "@stipple/pipeline/view";
import { ApiError } from "../../http/api-error.ts";
import type { ViewedResults } from "../viewer-files.ts";
import type { Reply, Task } from "./messages.ts";
import { ComputeThread, SteadyThread } from "./threads.ts";
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
    progress?: Progress,
  ): Promise<DifferentialTable>;
  clusters(
    results: ViewedResults,
    order: ClusterOrder,
    signal: AbortSignal,
    progress?: Progress,
  ): Promise<FoundClusters>;
  markers(
    results: ViewedResults,
    groups: OwnGroups,
    signal: AbortSignal,
    progress?: Progress,
  ): Promise<OwnMarkerTable>;
  similar(
    results: ViewedResults,
    name: string,
    layer: GeneLayer,
    signal: AbortSignal,
  ): Promise<SimilarGenes>;
}
type Values = Promise<Float32Array>;
/** Receives the share done (0–1). */
type Progress = (done: number) => void;

const TIME_LIMIT_MS = 120_000;
const RETRY_AFTER_S = 5;

export function openViewerComputing(copies: ViewedCopies): ViewerComputing {
  /** Genes: answered one after the other by a thread that stays and remembers. */
  const steady = new SteadyThread();
  const genes = new Turns(1, { key: 64, all: 256 });
  /** Scores and comparisons take seconds: each has a thread that can be killed. */
  const long = new Turns(2, { key: 2, all: 16 });
  const closing = new AbortController();

  function quick(results: ViewedResults, task: Task, signal: AbortSignal): Promise<Reply> {
    return copies.using(results, (folder) =>
      inTurn(genes, "genes", signal, () => steady.ask({ folder, task }, closing.signal)),
    );
  }
  function slow(
    results: ViewedResults,
    task: Task,
    signal: AbortSignal,
    progress?: Progress,
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
      return replyOf("means", await quick(results, task, signal)).means;
    },
    async compare(results, a, b, signal, progress) {
      const task: Task = { kind: "compare", a, b };
      return replyOf("table", await slow(results, task, signal, progress)).table;
    },
    async clusters(results, order, signal, progress) {
      const task: Task = { kind: "clusters", order };
      return replyOf("clusters", await slow(results, task, signal, progress)).clusters;
    },
    async markers(results, groups, signal, progress) {
      const task: Task = { kind: "markers", groups };
      return replyOf("markers", await slow(results, task, signal, progress)).markers;
    },
    async similar(results, name, layer, signal) {
      const task: Task = { kind: "similar", name, layer };
      return replyOf("similar", await slow(results, task, signal)).similar;
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await steady.end();
    },
  };
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

function replyOf<K extends Reply["kind"]>(kind: K, reply: Reply): Extract<Reply, { kind: K }> {
  const { kind: found } = checked(reply);
  if (found !== kind) throw new Error(`Expected ${kind}, got ${found}`);
  return reply as Extract<Reply, { kind: K }>;
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
