import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyRequest } from "fastify";

const serving = new AsyncLocalStorage<FastifyRequest>();

/** Runs `work` for a request, so that logs know where it came from. */
export function whileServing<T>(request: FastifyRequest, work: () => T): T {
  return serving.run(request, work);
}

/** Where the request that is being served comes from; undefined in a worker or a command. */
export function caller(): { address: string; userAgent: string } | undefined {
  const request = serving.getStore();
  return request && { address: request.ip, userAgent: request.headers["user-agent"] ?? "" };
}
