import { randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { Mail } from "../objects.ts";
import type { SandboxState } from "../state.ts";
import { escape, layout, when } from "./layout.ts";

const KEPT = 100;

/** Takes the mails that our server would send, and shows them. */
export function outboxRoutes(
  app: FastifyInstance,
  { state, secretKey }: { state: SandboxState; secretKey: string },
): void {
  app.get("/outbox", (_request, reply) =>
    reply.type("text/html; charset=utf-8").send(outboxPage(state.data.mails)),
  );
  app.post<{ Body: Record<string, unknown> }>("/outbox", ({ headers, body }, reply) => {
    if (headers.authorization !== `Bearer ${secretKey}`) {
      return reply.status(401).send({ error: "Only the server may put mails here." });
    }
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

function outboxPage(mails: readonly Mail[]): string {
  const shown = mails.toReversed().map(
    (mail) => `<article class="card"><h2>${escape(mail.subject)}</h2>
<div class="quiet-text">To ${escape(mail.to)}, ${when(mail.sent)} UTC</div>
<pre>${withLinks(mail.text)}</pre></article>`,
  );
  return layout(
    "Outbox",
    `<h1>Outbox</h1><p>Mails of this installation, newest first. Set SMTP_URL to send them.</p>${
      shown.length > 0 ? shown.join("") : '<div class="card">No mail has been written yet.</div>'
    }`,
  );
}

/** Escaped text whose web addresses can be clicked. */
function withLinks(text: string): string {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part, index) =>
      index % 2 === 1 ? `<a href="${escape(part)}">${escape(part)}</a>` : escape(part),
    )
    .join("");
}
