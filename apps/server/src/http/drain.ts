import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Context } from "../context.ts";

/**
 * Stops taking requests and waits for those under way. First it only says that it is not ready, so that a load balancer
 * sends new ones elsewhere; in the end, what takes too long is cut off.
 */
export async function drain(app: FastifyInstance, context: Context): Promise<void> {
  const { config, logger, readiness } = context;
  const { delaySeconds, drainSeconds } = config.stopping;
  readiness.stop();
  logger.info({ delaySeconds, drainSeconds }, "stopping: not ready any more");
  await sleep(delaySeconds * 1000);
  const patience = setTimeout(() => {
    logger.warn("requests that took too long are cut off");
    app.server.closeAllConnections();
  }, drainSeconds * 1000);
  await app.close();
  clearTimeout(patience);
}
