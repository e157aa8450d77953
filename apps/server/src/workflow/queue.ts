import type { DLogger } from "@dbos-inc/dbos-sdk";
import pg from "pg";
import type { Logger } from "pino";

/** Names under which API and workers meet in the durable queue. */
export const APPLICATION = "stipple";
export const ANALYSIS_QUEUE = "analyses";
/** For small runs: a worker has one of each queue in hand, and one step of the two in progress. */
export const EXPRESS_QUEUE = "small-analyses";
export const ANALYZE_PROJECT = "analyzeProject";
/**
 * Version of the workflow's own course (which durable steps in which order), not of the product: a worker takes up
 * only runs of its version. Raise it when that course changes while runs may be in progress.
 */
export const WORKFLOW_VERSION = "1";

/** So long a process that hangs in the middle of a transaction may keep its locks. */
const IDLE_IN_TRANSACTION_MS = 60_000;

/**
 * Connections of the queue's library. Its own pool sets the time limit beside the first query of a connection, which
 * pg does not take anymore from version 9 on and warns of; this one waits for it.
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

/** The queue library's messages, one level lower than it thinks of them, in our log. */
export function queueLogger(logger: Logger): DLogger {
  const child = logger.child({ part: "queue" });
  return {
    debug: (entry) => child.trace(String(entry)),
    info: (entry) => child.debug(String(entry)),
    warn: (entry) => child.info(String(entry)),
    error: (entry, metadata) => child.error({ stack: metadata?.stack }, String(entry)),
  };
}
