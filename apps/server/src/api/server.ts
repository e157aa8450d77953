import helmet from "@fastify/helmet";
import multipart from "@fastify/multipart";
import rateLimit from "@fastify/rate-limit";
import { CHUNK_BYTES } from "@stipple/contract";
import { TABLE_SCRIPT_HASH } from "@stipple/pipeline/report-script";
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from "fastify";
import { sessionCheck } from "../accounts/session-check.ts";
import type { Context } from "../context.ts";
import { ApiError } from "../http/api-error.ts";
import { acceptBodies } from "../http/bodies.ts";
import { endIdleBodies } from "../http/idle-bodies.ts";
import { MountedMethods } from "../http/mounted-methods.ts";
import { observeRequests } from "./observing.ts";
import { answerExpectation, answerInvalidRequest } from "../http/invalid-requests.ts";
import { parts } from "./parts.ts";
import { errorHandler } from "../http/problems.ts";
import { RequestsUnderWay } from "../http/requests-under-way.ts";
import { requestIds } from "../http/request-ids.ts";
import { openResultsGate } from "../results/results-gate.ts";
import { routeAdapter } from "../http/route-adapter.ts";
import { sharedLimits } from "./shared-limits.ts";
import { trustOf } from "../settings/trusted-proxies.ts";
import { serveWebApp } from "./web-app.ts";

/** The API and the pages, ready to listen or to inject requests into. Closing it closes connections gracefully. */
export async function buildServer(context: Context): Promise<FastifyInstance> {
  const { config, logger } = context;
  const app: FastifyInstance = fastify({
    loggerInstance: logger as FastifyBaseLogger,
    // Our own line says what a request was; fastify's would hold its address.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(config.trustProxy),
    trustProxy: trustOf(config.trustProxy),
    forceCloseConnections: "idle",
    // Long enough for a chunk over a slow line, not forever. Bodies that stop arriving end earlier.
    requestTimeout: 15 * 60_000,
    // Room for a token in the address of a visualization.
    routerOptions: { maxParamLength: 4096 },
    bodyLimit: 1024 * 1024,
    frameworkErrors: (error, request, reply) => errorHandler(error, request, reply),
    clientErrorHandler: answerInvalidRequest,
  });
  endIdleBodies(app.server);
  app.server.on("checkExpectation", answerExpectation);
  app.decorate("underWay", new RequestsUnderWay(app.server));
  app.setErrorHandler(errorHandler);
  observeRequests(app, context);
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // The report's frame inherits this policy; its one script is known by its hash.
        scriptSrc: ["'self'", TABLE_SCRIPT_HASH],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", "blob:", "data:"],
        fontSrc: ["'self'", "data:"],
        workerSrc: ["'self'", "blob:"],
        connectSrc: ["'self'", "blob:"],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    xFrameOptions: { action: "deny" },
    // Only meaningful behind TLS, where the proxy in front says so.
    strictTransportSecurity: config.publicUrl.startsWith("https:"),
    referrerPolicy: { policy: "no-referrer" },
  });
  await app.register(rateLimit, {
    global: false,
    // A client with one IPv6 address usually has a whole /64.
    ipv6Subnet: 64,
    store: sharedLimits(context),
    errorResponseBuilder: () => new ApiError("rate_limited"),
  });
  await app.register(multipart, {
    // One byte more than a chunk, to distinguish an oversize chunk from a full one.
    limits: { fileSize: CHUNK_BYTES + 1, files: 1, fields: 8, fieldSize: 1024 },
    throwFileSizeLimit: false,
  });
  acceptBodies(app);
  const mounted = new MountedMethods();
  const gate = openResultsGate(context);
  const mount = routeAdapter(app, { verify: sessionCheck(context), gate, mounted });
  for (const part of parts) await part(mount, context, app);
  await serveWebApp(app, config.webDir, mounted);
  return app;
}
