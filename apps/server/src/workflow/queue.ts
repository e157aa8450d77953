import type { DLogger } from "@dbos-inc/dbos-sdk";
import type { Logger } from "pino";

/** Names under which API and workers meet in the durable queue. */
export const APPLICATION = "stipple";
export const ANALYSIS_QUEUE = "analyses";
/** For small runs: a worker has one of each queue in hand, and one step of the two under way. */
export const EXPRESS_QUEUE = "small-analyses";
export const ANALYZE_PROJECT = "analyzeProject";
/**
 * Version of the workflow's own course (which durable steps in which order), not of the product: a worker takes
 * up only runs of its version. Raise it when that course changes while runs may be under way.
 */
export const WORKFLOW_VERSION = "1";

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
