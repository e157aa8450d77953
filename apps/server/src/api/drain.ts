import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Context } from "../context.ts";

/** Lets responses that have been written leave the machine. */
const LAST_BYTES_MS = 250;

/**
 * Stops accepting requests and waits for those in progress. At first, the process only reports that it is not ready, so
 * that a load balancer sends new requests elsewhere; then it refuses work but still answers probes; finally, requests
 * that take too long are cut off.
 */
export async function drain(app: FastifyInstance, context: Context): Promise<void> {
  const { config, logger, readiness } = context;
  const { delaySeconds, drainSeconds } = config.stopping;
  readiness.stop();
  logger.info({ delaySeconds, drainSeconds }, "stopping: no longer ready");
  await sleep(delaySeconds * 1000);
  readiness.refuseWork();
  const waiting = new AbortController();
  const ended = await Promise.race([
    app.underWay.none().then(() => true),
    sleep(drainSeconds * 1000, false, { signal: waiting.signal }).catch(() => true),
  ]);
  waiting.abort();
  if (!ended) logger.warn("requests that took too long were cut off");
  // A browser's spare connections would keep it waiting.
  setTimeout(() => app.server.closeAllConnections(), ended ? LAST_BYTES_MS : 0);
  await app.close();
}
