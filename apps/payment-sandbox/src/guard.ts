import type { FastifyInstance, FastifyRequest } from "fastify";
import { isLoopback } from "./addresses.ts";
import { ApiFault } from "./form.ts";

const HEADERS = {
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  // Not no-referrer: browsers would then send "Origin: null" with our own forms.
  "referrer-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
};

/**
 * Refuses every request whose Host is not ours: a page whose name has been pointed at this machine (DNS rebinding)
 * sends its own name.
 */
export function guardHost(app: FastifyInstance, publicUrl: string): void {
  const ours = new URL(publicUrl).hostname;
  app.addHook("onRequest", async (request) => {
    const host = hostOf(`http://${request.headers.host ?? ""}`)?.hostname;
    if (host !== undefined && (host === ours || isLoopback(host))) return;
    throw new ApiFault(
      403,
      `The payment sandbox is available only at ${publicUrl}. Open that address.`,
    );
  });
}

/** Keeps other sites' pages from framing our pages and from acting on them. */
export function guardPages(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(HEADERS);
    if (request.method !== "GET" && request.method !== "HEAD" && isFromElsewhere(request)) {
      throw new ApiFault(403, "The payment sandbox does not accept requests from other sites.");
    }
  });
}

/**
 * Browsers send with every form the page it came from. A client that sends neither header is a program on this machine.
 */
function isFromElsewhere({ headers }: FastifyRequest): boolean {
  const { host, origin, "sec-fetch-site": site } = headers;
  return (
    (origin !== undefined && hostOf(origin)?.host !== host) ||
    (site !== undefined && site !== "same-origin")
  );
}

function hostOf(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}
