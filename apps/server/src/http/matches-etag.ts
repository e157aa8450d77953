import type { FastifyRequest } from "fastify";

/**
 * Whether the caller has what a tag names (RFC 9110, 13.1.2): it may list several, and proxies that compress responses
 * weaken tags.
 */
export function matchesEtag({ headers }: FastifyRequest, tag: string): boolean {
  const known = headers["if-none-match"]?.split(",") ?? [];
  return known.some((one) => one.trim().replace(/^W\//, "") === tag);
}
