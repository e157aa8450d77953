import fastify, { type FastifyInstance } from "fastify";
import { apiRoutes, type Parts } from "./api.ts";
import { BillingCycle } from "./billing-cycle.ts";
import { ApiFault, decodeForm } from "./form.ts";
import { isSameText, outboxDelivery, outboxRoutes } from "./outbox.ts";
import { pageRoutes } from "./pages.ts";
import type { SandboxSettings } from "./settings.ts";
import { SandboxState } from "./state.ts";
import { Webhooks } from "./webhooks.ts";

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'";

/** The sandbox provider: `/v1/…` implements the provider's API; the rest are pages. */
export function buildSandbox(settings: SandboxSettings): FastifyInstance {
  const { publicUrl, secretKey, operatorSecret } = settings;
  const state = new SandboxState(settings.stateFile);
  const webhooks = new Webhooks(state, settings.webhookUrl, settings.webhookSecret);
  const cycle = new BillingCycle(state, webhooks, settings);
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
  guard(app, publicUrl);
  app.addHook("preHandler", async (request) => {
    request.body ??= {};
    // What has become due since the last request; nothing else can see it.
    if (cycle.catchUp()) state.save();
  });
  app.register(async (api) => {
    forServer(api, secretKey);
    repeat(api, state);
    apiRoutes(api, parts);
    outboxDelivery(api, state);
  });
  app.register(async (pages) => {
    pageRoutes(pages, parts, (given) => isSameText(given, operatorSecret));
    outboxRoutes(pages, state, operatorSecret);
  });
  app.setErrorHandler<Error>((error, _request, reply) => {
    const { status, code } = error instanceof ApiFault ? error : { status: 500 };
    const type = { 500: "api_error", 401: "authentication_error" }[status];
    const shown = { type: type ?? "invalid_request_error", message: error.message, code };
    return reply.status(status).type("application/json").send({ error: shown });
  });

  webhooks.resume();
  cycle.announceClock();
  app.addHook("onClose", async () => webhooks.stop());
  return app;
}

/**
 * Pages of other sites can neither act here nor show our pages in theirs: browsers say where a request comes from, on
 * plain HTTP only by Origin. Nor can they read: a page whose name points at this machine (DNS rebinding) sends its own name.
 */
function guard(app: FastifyInstance, publicUrl: string): void {
  const names = [new URL(publicUrl).hostname, "localhost", "127.0.0.1", "[::1]"];
  app.addHook("onRequest", async ({ method, headers }, reply) => {
    const { host, origin, "sec-fetch-site": from } = headers;
    reply.headers({ "content-security-policy": POLICY, "cache-control": "no-store" });
    if (!names.includes(URL.parse(`http://${host}`)?.hostname ?? "")) {
      const open = `The payment sandbox is available only at ${publicUrl}. Open that address.`;
      throw new ApiFault(403, open);
    }
    const isOurs =
      [undefined, "same-origin"].includes(from as string | undefined) &&
      (origin === undefined || URL.parse(origin)?.host === host);
    if (method !== "GET" && !isOurs) {
      throw new ApiFault(403, "The payment sandbox does not accept requests from other sites.");
    }
  });
}

function forServer(api: FastifyInstance, secretKey: string): void {
  api.addHook("onRequest", async ({ headers: { authorization } }) => {
    if (!isSameText(authorization, `Bearer ${secretKey}`)) {
      throw new ApiFault(401, "Invalid API Key provided.");
    }
  });
}

/** Saves each change, and like the provider gives the first response again for a repeated idempotency key. */
function repeat(api: FastifyInstance, state: SandboxState): void {
  const { idempotent } = state.data;
  api.addHook("preHandler", async ({ headers, method, url }, reply) => {
    const known = idempotent[`${headers["idempotency-key"]}`];
    if (method !== "POST" || known?.path !== url) return;
    return reply.status(known.status).header("idempotent-replayed", "true").send(known.answer);
  });
  api.addHook("preSerialization", async ({ headers, method, url }, reply, answer) => {
    if (method === "GET") return answer;
    const key = headers["idempotency-key"];
    if (key) idempotent[`${key}`] = { path: url, status: reply.statusCode, answer };
    state.save();
    return answer;
  });
}
