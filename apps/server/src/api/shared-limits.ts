import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from "@fastify/rate-limit";
import type { Context } from "../context.ts";
import { countAttempt } from "../accounts/attempts.ts";

/** Counts requests per route and address in the database, so that all API processes share one limit. */
export function sharedLimits(context: Context): FastifyRateLimitStoreCtor {
  class SharedLimits implements FastifyRateLimitStore {
    readonly #route: string;

    /** `routeInfo` is what the plugin adds to a route's options, though its types omit it. */
    constructor(options?: object) {
      const { routeInfo } = (options ?? {}) as { routeInfo?: { method: string; url: string } };
      this.#route = routeInfo ? `${routeInfo.method} ${routeInfo.url}` : "";
    }

    incr(
      address: string,
      callback: (error: Error | null, result?: { current: number; ttl: number }) => void,
      windowMs: number,
      max: number,
    ): void {
      countAttempt(context, { what: `requests ${this.#route}`, max, windowMs }, address).then(
        ({ count, leftMs }) => callback(null, { current: count, ttl: leftMs }),
        (error: unknown) => callback(error as Error),
      );
    }

    child(options: object): SharedLimits {
      return new SharedLimits(options);
    }
  }
  return SharedLimits as FastifyRateLimitStoreCtor;
}
