import type { FastifyInstance, FastifyRequest } from "fastify";
import { isLoopback } from "./addresses.ts";
import { ApiFault, type Body } from "./api/answers.ts";
import { sameText, type OperatorSecret } from "./operator-secret.ts";

/** Form field that carries our token. */
export const TOKEN_FIELD = "form_token";

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
  app.addHook("onRequest", (request, _reply, next) => {
    const host = hostOf(`http://${request.headers.host ?? ""}`)?.hostname;
    const known = host !== undefined && (host === ours || isLoopback(host));
    next(
      known
        ? undefined
        : new ApiFault(
            403,
            `The payment sandbox is available only at ${publicUrl}. Open that address.`,
          ),
    );
  });
}

/**
 * Keeps other sites' pages from acting on ours. Browsers send with every form the page it came from: that must be one
 * of ours, and the form must carry our token. A client on this machine that sends no such header is not a browser and
 * needs no token.
 */
export function guardPages(app: FastifyInstance, operator: OperatorSecret): void {
  app.addHook("onRequest", (_request, reply, next) => {
    void reply.headers(HEADERS);
    next();
  });
  app.addHook("preHandler", (request, _reply, next) => next(refusalOf(request, operator)));
}

function refusalOf(request: FastifyRequest, operator: OperatorSecret): ApiFault | undefined {
  if (request.method === "GET" || request.method === "HEAD") return undefined;
  const { origin, "sec-fetch-site": site } = request.headers;
  const elsewhere =
    (origin !== undefined && hostOf(origin)?.host !== request.headers.host) ||
    (site !== undefined && site !== "same-origin");
  if (elsewhere) {
    return new ApiFault(403, "The payment sandbox does not accept requests from other sites.");
  }
  const token = (request.body as Body | undefined)?.[TOKEN_FIELD];
  const isBrowser = origin !== undefined || site !== undefined;
  const known = typeof token === "string" && sameText(token, operator.formToken);
  if (known || (!isBrowser && token === undefined)) return undefined;
  return new ApiFault(403, "This form is out of date. Reload the page and submit it again.");
}

function hostOf(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}
