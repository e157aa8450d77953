import fastify, { type FastifyInstance } from "fastify";
import { ApiFault } from "./api/answers.ts";
import { apiRoutes } from "./api/routes.ts";
import { BillingCycle } from "./billing-cycle.ts";
import { decodeForm } from "./form.ts";
import { guardHost, guardPages } from "./guard.ts";
import { operatorSecret } from "./operator-secret.ts";
import { outboxDelivery, outboxRoutes } from "./pages/outbox.ts";
import { pageRoutes } from "./pages/routes.ts";
import type { SandboxSettings } from "./settings.ts";
import { SandboxState } from "./state.ts";
import { Webhooks } from "./webhooks.ts";

/** How often the sandbox checks whether a renewal has become due on its clock. */
const TICK_MS = 30_000;

/** The sandbox provider: `/v1/…` implements the provider's API; the rest are pages. */
export function buildSandbox(settings: SandboxSettings): FastifyInstance {
  const state = new SandboxState(settings.stateFile);
  const webhooks = new Webhooks(state, settings);
  const operator = operatorSecret(settings.operatorSecret);
  const cycle = new BillingCycle(state, webhooks, settings.clockDeletes);
  const app = fastify({
    routerOptions: { querystringParser: decodeForm },
    // A connection left open must not delay the sandbox's exit by the usual minute.
    keepAliveTimeout: 2_000,
  });

  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    (_request, text, done) => done(null, decodeForm(text as string)),
  );
  guardHost(app, settings.publicUrl);
  app.addHook("onRequest", async () => {
    await Promise.resolve().then(() => state.assertSaved());
  });
  app.register((api, _options, done) => {
    api.addHook("onRequest", (request, _reply, next) => {
      const given = request.headers.authorization;
      const basic = `Basic ${Buffer.from(`${settings.secretKey}:`).toString("base64")}`;
      const allowed = given === `Bearer ${settings.secretKey}` || given === basic;
      next(allowed ? undefined : new ApiFault(401, "Invalid API Key provided."));
    });
    // Like the provider, returns the first response again for a repeated idempotency key.
    api.addHook("preHandler", (request, reply, next) => {
      request.body ??= {};
      const key = request.headers["idempotency-key"];
      const known = request.method === "POST" && key ? state.data.idempotent[`${key}`] : undefined;
      if (known && known.path === request.url) void reply.send(known.answer);
      else next();
    });
    api.addHook("preSerialization", (request, reply, payload, next) => {
      const key = request.headers["idempotency-key"];
      if (request.method !== "GET" && reply.statusCode < 400) {
        if (key) state.data.idempotent[`${key}`] = { path: request.url, answer: payload };
        state.save();
      }
      next(null, payload);
    });
    apiRoutes(api, { state, webhooks, cycle, publicUrl: settings.publicUrl });
    done();
  });
  app.register((pages, _options, done) => {
    guardPages(pages, operator);
    pageRoutes(pages, { state, webhooks, cycle, operator });
    outboxRoutes(pages, { state, operator });
    done();
  });
  app.register((server, _options, done) => {
    outboxDelivery(server, { state, secretKey: settings.secretKey });
    done();
  });
  app.setErrorHandler((error, _request, reply) => {
    const fault = error instanceof ApiFault ? error : undefined;
    return reply.status(fault?.status ?? 500).send({
      error: {
        type: fault?.type ?? "api_error",
        message: (error as Error).message,
        ...(fault?.param ? { param: fault.param } : {}),
        ...(fault?.code ? { code: fault.code } : {}),
      },
    });
  });
  app.setNotFoundHandler((request, reply) =>
    reply.status(404).send({
      error: {
        type: "invalid_request_error",
        message: `Unrecognized request URL (${request.method}: ${request.url}).`,
      },
    }),
  );

  const timer = setInterval(() => {
    try {
      cycle.catchUp();
    } catch (error) {
      // E.g. a full disk: the next request or event tries again.
      console.error(`The sandbox's state cannot be saved: ${(error as Error).message}`);
    }
  }, TICK_MS);
  webhooks.resume();
  cycle.announceClock();
  app.addHook("onClose", () => {
    clearInterval(timer);
    webhooks.stop();
    return Promise.resolve();
  });
  return app;
}
