import type { FastifyInstance, FastifyReply } from "fastify";
import type { Body } from "./form.ts";
import { escape, form, html, layout, when } from "./layout.ts";
import { isSameText, passOf } from "./operator-secret.ts";
import type { SandboxState } from "./state.ts";

const KEPT = 100;
const COOKIE = "stipple_outbox";

/**
 * Shows the emails our server would send. They give access to accounts, so the operator's secret is required: in a
 * form, in the address printed by the start command, or as a bearer token. The browser then keeps a pass instead.
 */
export function outboxRoutes(app: FastifyInstance, state: SandboxState, secret: string): void {
  const letIn = (reply: FastifyReply): FastifyReply =>
    reply
      .header("set-cookie", `${COOKIE}=${passOf(secret)}; Path=/outbox; HttpOnly; SameSite=Strict`)
      .redirect("/outbox", 303);
  const answer = (reply: FastifyReply, given: unknown): FastifyReply =>
    isSameText(given, secret) ? letIn(reply) : html(reply, askingPage(true), 401);

  app.get<{ Querystring: Body }>("/outbox", ({ headers, query }, reply) => {
    if (query["secret"] !== undefined) return answer(reply, query["secret"]);
    const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1];
    const cookies = (headers.cookie ?? "").split("; ");
    const pass = cookies.find((each) => each.startsWith(`${COOKIE}=`))?.split("=")[1];
    const known = isSameText(bearer, secret) || isSameText(pass, passOf(secret));
    return known
      ? html(reply, outboxPage(state.data.mails))
      : html(reply, askingPage(bearer !== undefined), 401);
  });
  app.post<{ Body: Body | null }>("/outbox/open", ({ body }, reply) =>
    answer(reply, body?.["secret"]),
  );
}

/** Receives emails from our server, and forgets those to a deleted account. They share a key. */
export function outboxDelivery(app: FastifyInstance, state: SandboxState, key: string): void {
  app.addHook("onRequest", ({ headers }, reply, next) => {
    if (isSameText(headers.authorization, `Bearer ${key}`)) next();
    else void reply.status(401).send({ error: "Only the server may change emails." });
  });
  app.delete<{ Querystring: Body }>("/outbox", ({ query }, reply) => {
    const gone = String(query["to"]).toLowerCase();
    state.data.mails = state.data.mails.filter(({ to }) => to.toLowerCase() !== gone);
    state.save();
    return reply.send({});
  });
  app.post<{ Body: Record<string, unknown> }>("/outbox", ({ body }, reply) => {
    const text = (name: string): string => String(body[name] ?? "");
    state.data.mails.push({
      from: text("from"),
      to: text("to"),
      subject: text("subject"),
      text: text("text"),
      sent: Math.floor(Date.now() / 1000),
    });
    state.data.mails.splice(0, state.data.mails.length - KEPT);
    state.save();
    return reply.status(201).send({});
  });
}

function askingPage(wrong: boolean): string {
  const content = `<label for="secret">Operator's secret</label><input id="secret" name="secret" type="password" autocomplete="off" required>${wrong ? '<div class="error" role="alert">The secret is incorrect.</div>' : ""}<button>Open the Outbox</button>`;
  return layout(
    "Outbox",
    `<div class="card"><h1>Outbox</h1><p>These emails can give access to accounts. The operator's secret is in the file operator-secret in the data folder; the start command prints a link that contains it.</p>${form("/outbox/open", content)}</div>`,
  );
}

function outboxPage(mails: SandboxState["data"]["mails"]): string {
  const shown = mails.toReversed().map(
    ({ to, subject, sent, text }) =>
      `<article class="card"><h2>${escape(subject)}</h2>
<small>To ${escape(to)}, ${when(sent)} UTC</small>
<pre>${escape(text).replaceAll(/https?:\/\/\S+/g, (url) => `<a href="${url}">${url}</a>`)}</pre></article>`,
  );
  return layout(
    "Outbox",
    `<h1>Outbox</h1><p>Emails from this installation, newest first. Set SMTP_URL to send them.</p>${shown.join("") || '<div class="card">No emails yet.</div>'}`,
  );
}
