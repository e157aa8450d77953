import { randomUUID } from "node:crypto";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Mail } from "../objects.ts";
import { sameText, type OperatorSecret } from "../operator-secret.ts";
import type { SandboxState } from "../state.ts";
import type { Body } from "../api/answers.ts";
import { escape, form, layout, when } from "./layout.ts";

const KEPT = 100;
const COOKIE = "stipple_outbox";
const HTML = "text/html; charset=utf-8";

/**
 * Shows the emails our server would send. They give access to accounts, so the operator's secret is required: in a
 * form, in the address printed by the start command, or as a bearer token. The browser then keeps a pass instead.
 */
export function outboxRoutes(
  app: FastifyInstance,
  { state, operator }: { state: SandboxState; operator: OperatorSecret },
): void {
  const letIn = (reply: FastifyReply): FastifyReply =>
    reply
      .header(
        "set-cookie",
        `${COOKIE}=${operator.outboxPass}; Path=/outbox; HttpOnly; SameSite=Strict`,
      )
      .redirect("/outbox", 303);
  const ask = (reply: FastifyReply, wrong: boolean): FastifyReply =>
    reply.status(401).type(HTML).send(askingPage(operator.formToken, wrong));

  app.get<{ Querystring: Body }>("/outbox", ({ headers, query }, reply) => {
    const given = query["secret"];
    if (given !== undefined) return operator.is(given) ? letIn(reply) : ask(reply, true);
    const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1];
    const pass = cookieOf(headers.cookie);
    const known =
      operator.is(bearer) || (pass !== undefined && sameText(pass, operator.outboxPass));
    if (!known) return ask(reply, bearer !== undefined);
    return reply.type(HTML).send(outboxPage(state.data.mails));
  });
  app.post<{ Body: Body | null }>("/outbox/open", ({ body }, reply) =>
    operator.is(body?.["secret"]) ? letIn(reply) : ask(reply, true),
  );
}

/** Receives emails from our server, and forgets those to a deleted account. They share a key. */
export function outboxDelivery(
  app: FastifyInstance,
  { state, secretKey }: { state: SandboxState; secretKey: string },
): void {
  app.addHook("onRequest", ({ headers }, reply, next) => {
    if (sameText(headers.authorization ?? "", `Bearer ${secretKey}`)) next();
    else void reply.status(401).send({ error: "Only the server may change emails." });
  });
  app.delete<{ Querystring: Record<string, unknown> }>("/outbox", ({ query }, reply) => {
    state.forgetMails(String(query["to"] ?? ""));
    state.save();
    return reply.send({});
  });
  app.post<{ Body: Record<string, unknown> }>("/outbox", ({ body }, reply) => {
    const [from, to, subject, text] = ["from", "to", "subject", "text"].map((name) =>
      String(body[name] ?? ""),
    ) as [string, string, string, string];
    state.data.mails.push({
      id: randomUUID(),
      from,
      to,
      subject,
      text,
      sent: Math.floor(Date.now() / 1000),
    });
    state.data.mails.splice(0, state.data.mails.length - KEPT);
    state.save();
    return reply.status(201).send({});
  });
}

function cookieOf(header: string | undefined): string | undefined {
  const pair = (header ?? "").split("; ").find((item) => item.startsWith(`${COOKIE}=`));
  return pair?.slice(COOKIE.length + 1);
}

function askingPage(token: string, wrong: boolean): string {
  const content = `<label for="secret">Operator's secret</label><input id="secret" name="secret" type="password" autocomplete="off" required>${wrong ? '<div class="error" role="alert">The secret is incorrect.</div>' : ""}<button class="wide">Open the Outbox</button>`;
  return layout(
    "Outbox",
    `<div class="card narrow"><h1>Outbox</h1><p>These emails can give access to accounts. The operator's secret is in the file operator-secret in the data folder; the start command prints a link that contains it.</p>${form("/outbox/open", token, content)}</div>`,
  );
}

function outboxPage(mails: readonly Mail[]): string {
  const shown = mails.toReversed().map(
    (mail) => `<article class="card"><h2>${escape(mail.subject)}</h2>
<div class="quiet-text">To ${escape(mail.to)}, ${when(mail.sent)} UTC</div>
<pre>${withLinks(mail.text)}</pre></article>`,
  );
  return layout(
    "Outbox",
    `<h1>Outbox</h1><p>Emails from this installation, newest first. Set SMTP_URL to send them.</p>${
      shown.length > 0 ? shown.join("") : '<div class="card">No emails yet.</div>'
    }`,
  );
}

/** Escaped text with clickable web addresses. */
function withLinks(text: string): string {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part, index) =>
      index % 2 === 1 ? `<a href="${escape(part)}">${escape(part)}</a>` : escape(part),
    )
    .join("");
}
