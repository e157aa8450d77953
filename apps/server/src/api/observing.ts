import type { FastifyInstance } from "fastify";
import type { Context } from "../context.ts";
import type { OpenSpan } from "../operations/tracing.ts";
import { ApiError } from "../http/api-error.ts";
import { proxies } from "../http/request-ids.ts";

declare module "fastify" {
  interface FastifyRequest {
    span: OpenSpan | null;
    /** Id of the signed-in person who calls. */
    personId: string | null;
  }
}

/** Answered as long as the process listens. */
const PROBES = new Set(["/api/health", "/api/ready"]);

/** Writes, counts and traces requests by the route's template: an address may hold a token, so it is never written. */
export function observeRequests(app: FastifyInstance, context: Context): void {
  const { config, metrics, readiness, tracing } = context;
  const isProxy = proxies(config.trustProxy);
  app.decorateRequest("span", null);
  app.decorateRequest("personId", null);

  app.addHook("onRequest", (request, reply, done) => {
    void reply.header("x-request-id", request.id);
    // A kept-alive connection would return to a process that is about to stop.
    if (readiness.isStopping) void reply.header("connection", "close");
    if (tracing.isOn) {
      const parent = request.headers["traceparent"];
      request.span = tracing.begin(`${request.method} ${routeOf(request)}`, {
        kind: "server",
        parent:
          typeof parent === "string" && isProxy(request.socket.remoteAddress ?? "")
            ? parent
            : undefined,
      });
    }
    if (readiness.refusesWork && !PROBES.has(routeOf(request))) {
      done(new ApiError("stopping", undefined, { retryAfter: 5 }));
    } else done();
  });

  app.addHook("onResponse", (request, reply, done) => {
    const { method } = request;
    const route = routeOf(request);
    const status = reply.statusCode;
    metrics.httpSeconds.observe({ method, route, status }, reply.elapsedTime / 1000);
    request.span?.end({
      attributes: {
        "http.request.method": method,
        "http.route": route,
        "http.response.status_code": status,
        "stipple.request_id": request.id,
      },
      failure: status >= 500 ? `${status}` : undefined,
    });
    const line = {
      method,
      route,
      status,
      ms: Math.round(reply.elapsedTime),
      person: request.personId,
    };
    // Pages poll, and views read by POST, so read-only requests are logged only at the debug level.
    const isLook = method === "GET" || method === "HEAD" || route.startsWith("/api/visualization/");
    if (status >= 500) request.log.warn(line, "answered");
    else if (isLook) request.log.debug(line, "answered");
    else request.log.info(line, "answered");
    // Connections kept open only by this request may now close.
    if (readiness.isStopping) setImmediate(() => app.server.closeIdleConnections());
    done();
  });
}

/** The template that matches a request's URL; pages and unknown URLs have none. */
function routeOf({ routeOptions }: { routeOptions: { url?: string | undefined } }): string {
  return routeOptions.url ?? "(page)";
}
