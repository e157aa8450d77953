import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { escape, layout, SECRET_FIELD, when } from "./layout.ts";
import type { SandboxState } from "./state.ts";

const KEPT = 100;

/**
 * Holds the emails that our server would send. They give access to accounts, so reading them takes the operator's
 * secret: typed in, or in the address that the start command prints.
 */
export function outboxRoutes(app: FastifyInstance, state: SandboxState, secret: string): void {
  app.get<{ Querystring: { secret?: unknown } }>(
    "/outbox",
    ({ query: { secret: given } }, reply) => {
      reply.type("text/html; charset=utf-8");
      if (isSameText(given, secret)) return outboxPage(state.data.mails);
      return reply.status(401).send(askingPage(given !== undefined));
    },
  );
}

/** Takes emails from our server, and forgets those to a deleted account. */
export function outboxDelivery(app: FastifyInstance, state: SandboxState): void {
  type Mail = { from: string; to: string; subject: string; text: string };
  app.post<{ Body: Mail }>("/outbox", ({ body: { from, to, subject, text } }) => {
    const sent = Math.floor(Date.now() / 1000);
    state.data.mails = [...state.data.mails, { from, to, subject, text, sent }].slice(-KEPT);
    return {};
  });
  app.delete<{ Querystring: { to: string } }>("/outbox", ({ query }) => {
    const gone = query.to.toLowerCase();
    state.data.mails = state.data.mails.filter(({ to }) => to.toLowerCase() !== gone);
    return {};
  });
}

/** Its duration does not reveal how much was right. */
export function isSameText(given: unknown, expected: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return typeof given === "string" && timingSafeEqual(digest(given), digest(expected));
}

function askingPage(wrong: boolean): string {
  return layout(
    "Outbox",
    `<h1>Outbox</h1><p>These emails can give access to accounts. The operator's secret is in the file operator-secret in the data folder; the start command prints a link that contains it.</p>
<form>${SECRET_FIELD}${wrong ? '<p class="error" role="alert">The secret is incorrect.</p>' : ""}<button>Open the Outbox</button></form>`,
  );
}

function outboxPage(mails: SandboxState["data"]["mails"]): string {
  const shown = mails.toReversed().map(
    ({ to, subject, sent, text }) =>
      `<article><h2>${escape(subject)}</h2><small>To ${escape(to)}, ${when(sent)} UTC</small>
<pre>${escape(text).replaceAll(/https?:\/\/\S+/g, (url) => `<a href="${url}">${url}</a>`)}</pre></article>`,
  );
  return layout(
    "Outbox",
    `<h1>Outbox</h1><p>Emails from this installation, newest first. Set SMTP_URL to send them.</p>${shown.join("") || "<p>No emails yet.</p>"}`,
  );
}
