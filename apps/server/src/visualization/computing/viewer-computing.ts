import { ApiError } from "../../http/api-error.ts";
import { OrderThread, SteadyThread } from "../../operations/order-thread.ts";
import type { ViewedResults } from "../viewer-files.ts";
import type { Computed, Order, Progress, Reply, Task } from "./messages.ts";
import { BusyError, Turns } from "./turns.ts";
import type { ViewedCopies } from "./viewed-copies.ts";

/** Computes what the interactive view requests, in separate threads. Refusals are ApiErrors. */
export interface ViewerComputing extends AsyncDisposable {
  /** Loads what genes are computed from, if there is time for it. */
  warm(results: ViewedResults): void;
  /** Genes: answered one after the other by a thread that stays and remembers. */
  quick<T extends Task>(results: ViewedResults, task: T, signal: AbortSignal): Promise<Computed<T>>;
  /**
   * Scores and comparisons take seconds: each has a thread that can be killed. `progress` receives the share done
   * (0–1), for the first time once the request is known to be valid.
   */
  slow<T extends Task>(
    results: ViewedResults,
    task: T,
    signal: AbortSignal,
    progress?: (done: number) => void,
  ): Promise<Computed<T>>;
}

const TIME_LIMIT_MS = 120_000;
const IDLE_MS = 10 * 60_000;
const THREAD = new URL("./compute-thread.ts", import.meta.url);
const RETRY_AFTER_S = 5;

export function openViewerComputing(copies: ViewedCopies): ViewerComputing {
  const steady = new SteadyThread(() => new OrderThread<Order, Reply>(THREAD), IDLE_MS);
  const genes = new Turns(1, { key: 64, all: 256 });
  const long = new Turns(2, { key: 2, all: 16 });
  const closing = new AbortController();

  const quick: ViewerComputing["quick"] = (results, task, signal) =>
    copies.using(results, async (folder) =>
      computed(
        await inTurn(genes, "genes", signal, () => steady.ask({ folder, task }, closing.signal)),
      ),
    );
  return {
    quick,
    warm: (results) =>
      void quick(results, { kind: "warm" }, closing.signal).catch(() => {
        // A later request for a gene will report it.
      }),
    slow: (results, task, signal, progress) =>
      copies.using(results, async (folder) => {
        const limit = AbortSignal.any([signal, closing.signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
        const reply = await inTurn(long, results.projectId, limit, async () => {
          const thread = new OrderThread<Order, Reply | Progress>(THREAD);
          const replyIn = (message: Reply | Progress): Reply | null => {
            if (message.kind !== "progress") return message;
            progress?.(message.done);
            return null;
          };
          try {
            return await thread.ask({ folder, task }, limit, replyIn);
          } finally {
            await thread.end();
          }
        });
        return computed(reply);
      }),
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

function computed<T extends Task>(reply: Reply): Computed<T> {
  if (reply.kind === "done") return reply.value as Computed<T>;
  if (reply.kind === "refused") throw new ApiError(reply.code, reply.message);
  if (reply.missing) throw new ApiError("results_not_ready");
  throw new Error(`Computing for the interactive view failed: ${reply.detail}`);
}
