import type { DLogger } from "@dbos-inc/dbos-sdk";
import pg from "pg";
import type { Logger } from "pino";
import { EXAMPLE_OWNER } from "../../projects/example-owner.ts";
import { isSmall } from "../estimate/estimate.ts";
import type { Estimate } from "../../db/schema.ts";

/** Names under which API and workers meet in the durable queue. */
export const APPLICATION = "stipple";
export const ANALYSIS_QUEUE = "analyses";
/** For small runs: a worker may have one run from each queue, but runs only one step at a time. */
const EXPRESS_QUEUE = "small-analyses";
/** For the live example, which never holds another run's place. */
const EXAMPLE_QUEUE = "live-example";
export const RUN_QUEUES: readonly string[] = [ANALYSIS_QUEUE, EXPRESS_QUEUE, EXAMPLE_QUEUE];
export const ANALYZE_PROJECT = "analyzeProject";
/**
 * Version of the workflow's own course (which durable steps in which order), not of the product: a worker takes up
 * only runs of its version. Raise it when that course changes while runs may be in progress.
 */
export const WORKFLOW_VERSION = "1";

/** The queue of a person's run; runs of early versions have no estimate. */
export function queueOf(userId: string, estimate: Estimate | null): string {
  if (userId === EXAMPLE_OWNER) return EXAMPLE_QUEUE;
  return estimate && isSmall(estimate) ? EXPRESS_QUEUE : ANALYSIS_QUEUE;
}

/** How long a process that hangs inside a transaction may keep its locks. */
const IDLE_IN_TRANSACTION_MS = 60_000;

/**
 * Connections for the queue's library. Its own pool sets the time limit without waiting for it to finish before a
 * connection's first query, which pg warns about and will not accept from version 9 on; this pool waits.
 */
export function openQueuePool(databaseUrl: string, connections: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: connections,
    application_name: "stipple queue",
    allowExitOnIdle: true,
    // Awaited, whatever its type says.
    // eslint-disable-next-line @typescript-eslint/no-misused-promises
    onConnect: (client) =>
      client.query(`set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`),
  });
  // An idle connection that breaks (a restarted server) is replaced on next use.
  pool.on("error", () => undefined);
  return pool;
}

/** Passes the queue library's messages to our log, one level lower. */
export function queueLogger(logger: Logger): DLogger {
  const child = logger.child({ part: "queue" });
  return {
    debug: (entry) => child.trace(String(entry)),
    info: (entry) => child.debug(String(entry)),
    warn: (entry) => child.info(String(entry)),
    error: (entry, metadata) => child.error({ stack: metadata?.stack }, String(entry)),
  };
}
