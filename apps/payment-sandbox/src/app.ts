import fastify, { type FastifyInstance } from "fastify";
import { apiRoutes, type Parts } from "./api.ts";
import { BillingCycle } from "./billing-cycle.ts";
import { ApiFault, decodeForm } from "./form.ts";
import { guardHost, guardPages } from "./guard.ts";
import { isSameText } from "./operator-secret.ts";
import { outboxDelivery, outboxRoutes } from "./outbox.ts";
import { pageRoutes } from "./pages.ts";
import type { SandboxSettings } from "./settings.ts";
import { SandboxState } from "./state.ts";
import { Webhooks } from "./webhooks.ts";

/** How often the sandbox checks whether a renewal has become due on its clock. */
const TICK_MS = 30_000;

/** The sandbox provider: `/v1/…` implements the provider's API; the rest are pages. */
export function buildSandbox(settings: SandboxSettings): FastifyInstance {
  const { publicUrl, secretKey, operatorSecret, clockDeletes } = settings;
  const state = new SandboxState(settings.stateFile);
  const webhooks = new Webhooks(state, settings.webhookUrl, settings.webhookSecret);
  const cycle = new BillingCycle(state, webhooks);
  const parts: Parts = { state, webhooks, cycle, publicUrl };
  // A connection left open must not delay the sandbox's exit by the usual minute.
  const app = fastify({
    routerOptions: { querystringParser: decodeForm },
    keepAliveTimeout: 2_000,
  });
  const formType = "application/x-www-form-urlencoded";
  app.addContentTypeParser(formType, { parseAs: "string" }, (_request, text, done) =>
    done(null, decodeForm(text as string)),
  );
  guardHost(app, publicUrl);
  app.addHook("onRequest", async () => state.assertSaved());
  app.register(async (api) => {
    authenticate(api, secretKey);
    repeat(api, state);
    apiRoutes(api, parts);
  });
  app.register(async (pages) => {
    guardPages(pages);
    const isSecret = (given: unknown): boolean => isSameText(given, operatorSecret);
    pageRoutes(pages, parts, { isSecret, clockDeletes });
    outboxRoutes(pages, state, operatorSecret);
  });
  app.register(async (server) => outboxDelivery(server, state, secretKey));
  app.setErrorHandler<Error>((error, _request, reply) => {
    const { status, code } = error instanceof ApiFault ? error : { status: 500 };
    const type = { 500: "api_error", 401: "authentication_error" }[status];
    const shown = { type: type ?? "invalid_request_error", message: error.message, code };
    return reply.status(status).send({ error: shown });
  });

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
  app.addHook("onClose", async () => {
    clearInterval(timer);
    webhooks.stop();
  });
  return app;
}

function authenticate(api: FastifyInstance, secretKey: string): void {
  const basic = `Basic ${Buffer.from(`${secretKey}:`).toString("base64")}`;
  api.addHook("onRequest", async ({ headers: { authorization: given } }) => {
    if (given !== `Bearer ${secretKey}` && given !== basic) {
      throw new ApiFault(401, "Invalid API Key provided.");
    }
  });
}

/** Saves each change, and like the provider gives the first response again for a repeated idempotency key. */
function repeat(api: FastifyInstance, state: SandboxState): void {
  const { idempotent } = state.data;
  api.addHook("preHandler", async (request, reply) => {
    request.body ??= {};
    const known = idempotent[`${request.headers["idempotency-key"]}`];
    if (request.method === "POST" && known?.path === request.url) return reply.send(known.answer);
  });
  api.addHook("preSerialization", async (request, reply, answer) => {
    if (request.method === "GET" || reply.statusCode >= 400) return answer;
    const key = request.headers["idempotency-key"];
    if (key) idempotent[`${key}`] = { path: request.url, answer };
    state.save();
    return answer;
  });
}
