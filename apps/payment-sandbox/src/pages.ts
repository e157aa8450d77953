import type { FastifyInstance } from "fastify";
import { CARDS } from "./billing-cycle.ts";
import type { Body } from "./form.ts";
import { dollars, escape, form, html, layout, when } from "./layout.ts";
import type { Parts } from "./api.ts";

type Call = { Params: { id: string }; Body: Body | null };

/** What the pages need beside the provider itself. */
export interface Operator {
  /** Whether a text is the operator's secret. */
  isSecret(given: unknown): boolean;
  /** The permission, given at startup, for the shifted clock to delete projects. */
  clockDeletes: boolean;
}

/** The hosted checkout, receipts, and the sandbox's console. */
export function pageRoutes(app: FastifyInstance, parts: Parts, operator: Operator): void {
  const { data } = parts.state;

  app.get<Call>("/checkout/:id", ({ params: { id } }, reply) => {
    const { status, page } = checkoutPage(parts, id, null);
    return html(reply, page, status);
  });
  app.post<Call>("/checkout/:id", ({ params: { id }, body }, reply) => {
    const session = data.sessions[id];
    const error = session ? parts.cycle.pay(session, String(body?.["card"] ?? "")) : null;
    // A second click on a paid checkout redirects to the same place as the first.
    if (session?.status === "complete") {
      return reply.redirect(session.success_url.replaceAll("{CHECKOUT_SESSION_ID}", id), 303);
    }
    const { status, page } = checkoutPage(parts, id, error);
    return html(reply, page, status);
  });
  app.get<Call>("/receipts/:id", ({ params: { id } }, reply) => {
    const charge = data.charges[id];
    if (!charge) return html(reply, closedPage("This receipt does not exist."), 404);
    const { description, amount, created } = charge;
    const page = receiptPage(parts, charge, "Receipt", amount, {
      For: description,
      Date: `${when(created)} UTC`,
      Status: "Paid",
    });
    return html(reply, page);
  });
  app.get<Call>("/invoices/:id", ({ params: { id } }, reply) => {
    const invoice = data.invoices[id];
    if (!invoice) return html(reply, closedPage("This invoice does not exist."), 404);
    const { pricing, period } = invoice.lines.data[0];
    const page = receiptPage(parts, invoice, "Invoice", invoice.total, {
      For: data.products[pricing.price_details.product]?.name ?? "",
      Period: `${when(period.start).slice(0, 10)} to ${when(period.end).slice(0, 10)}`,
      Date: `${when(invoice.created)} UTC`,
      Status: invoice.status === "paid" ? "Paid" : "Not paid: the card was declined",
    });
    return html(reply, page);
  });
  consoleRoutes(app, parts, operator);
}

/** The clock, with buttons; how events are delivered is for programs, such as tests. */
function consoleRoutes(app: FastifyInstance, parts: Parts, operator: Operator): void {
  const { state, cycle, webhooks } = parts;
  const { data } = state;
  app.get("/", (_request, reply) => html(reply, consolePage(parts)));
  app.post<Call>("/clock", ({ body }, reply) => {
    const days = Number(body?.["days"]);
    if (!(days > 0 && days <= 366)) {
      return reply.status(400).send({ error: "days must be a number from 0 to 366." });
    }
    cycle.forward(days, operator.clockDeletes);
    return reply.redirect("/", 303);
  });
  app.post<Call>("/deletions", ({ body }, reply) => {
    if (!operator.isSecret(body?.["secret"])) {
      const error = `This requires the operator's secret, which is in the file operator-secret in the data folder.`;
      return reply.status(401).send({ error });
    }
    cycle.confirmDeletions();
    return reply.redirect("/", 303);
  });
  app.post("/hold", (_request, reply) => {
    data.holdEvents = true;
    state.save();
    return reply.send({});
  });
  app.post<Call>("/release", async ({ body }, reply) => {
    await webhooks.release(body?.["order"] === "newest" ? "newest" : "oldest");
    state.save();
    return reply.send({});
  });
  app.post("/send-twice", (_request, reply) => {
    data.sendTwice = !data.sendTwice;
    state.save();
    return reply.send({});
  });
}

function consolePage({ state }: Parts): string {
  const { deletesAheadMs, clockAheadMs } = state.data;
  const forward = [1, 4, 10, 31].map((days) =>
    form(
      "/clock",
      `<input type="hidden" name="days" value="${days}"><button>${days === 1 ? "1 day" : `${days} days`} forward</button>`,
    ),
  );
  const deletions =
    deletesAheadMs >= clockAheadMs
      ? ""
      : `<p>Projects past their storage period only on this clock are kept until you delete them here. The operator's secret is in the file operator-secret in the data folder.</p>${form("/deletions", `<label for="secret">Operator's secret</label><input id="secret" name="secret" type="password" autocomplete="off" required><button>Delete projects past their storage period</button>`)}`;
  return layout(
    "Payment sandbox",
    `<h1>Payment sandbox</h1><p>Stands in for the card payment provider while no keys are set, and keeps the mails that a mail server would send.</p>
<div class="card"><h2>Clock</h2><p>${when(state.now())} UTC</p><p>Moving it ahead renews, ends and fails what is due. Trials and storage times of this installation follow it. It does not go back.</p><div>${forward.join("")}</div>${deletions}</div>`,
  );
}

function checkoutPage(
  { state: { data } }: Parts,
  id: string,
  error: string | null,
): { status: number; page: string } {
  const session = data.sessions[id];
  if (!session) return { status: 404, page: closedPage("This checkout does not exist.") };
  if (session.status !== "open") {
    const how = session.status === "complete" ? "been paid" : "expired";
    return { status: 410, page: closedPage(`This checkout has ${how}.`, session.cancel_url) };
  }
  const product = data.products[data.prices[session.price]!.product]!;
  const monthly = session.mode === "subscription";
  const cards = CARDS.map(
    ({ number, what }) => `<tr><td><code>${number}</code></td><td>${what}</td></tr>`,
  );
  const page = layout(
    `Checkout: ${product.name}`,
    `<div class="card"><h1>${escape(product.name)}</h1><div>${escape(data.customers[session.customer]?.email ?? "")}</div>
<div class="price">${dollars(session.amount_total)}${monthly ? " <small>per month</small>" : ""}</div>
${form(
  `/checkout/${id}`,
  `<label for="card">Card number</label><input id="card" name="card" value="${CARDS[0].number}" inputmode="numeric" autocomplete="off" required>
${error ? `<div class="error" role="alert">${error}</div>` : ""}<button type="submit">${monthly ? "Subscribe" : "Pay"}</button>`,
)}<p><a href="${escape(session.cancel_url)}">Cancel</a></p></div>
<div class="card"><h2>Test cards</h2><table>${cards.join("")}</table></div>`,
  );
  return { status: error ? 402 : 200, page };
}

/** Shown at the address of a finished or unknown object. */
function closedPage(message: string, link?: string): string {
  const back = link ? `<p><a href="${escape(link)}">Back to Stipple</a></p>` : "";
  return layout("Checkout", `<div class="card"><h1>${message}</h1>${back}</div>`);
}

function receiptPage(
  { state }: Parts,
  { id, customer }: { id: string; customer: string },
  title: string,
  cents: number,
  facts: Record<string, string>,
): string {
  const email = state.data.customers[customer]?.email ?? "";
  const rows = Object.entries({ Number: id, Customer: email, ...facts }).map(
    ([name, value]) => `<dt>${name}</dt><dd>${escape(value)}</dd>`,
  );
  return layout(
    `${title} ${id}`,
    `<div class="card"><h1>${title}</h1><div class="price">${dollars(cents)}</div><dl>${rows.join("")}</dl></div>`,
  );
}
