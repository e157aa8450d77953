import type { FastifyInstance } from "fastify";
import type { Parts } from "./api.ts";
import { CARDS } from "./billing-cycle.ts";
import { ApiFault, textOf, type Body } from "./form.ts";
import { dollars, escape, layout, SECRET_FIELD, when } from "./layout.ts";

type Call = { Params: { id: string }; Body: Body };

/** Whether a text is the operator's secret. */
type IsSecret = (given: unknown) => boolean;

/** The hosted checkout, receipts, and the sandbox's console. */
export function pageRoutes(app: FastifyInstance, parts: Parts, isSecret: IsSecret): void {
  const { data } = parts.state;
  app.addHook("onRequest", async (_request, reply) => void reply.type("text/html; charset=utf-8"));
  app.get<Call>("/checkout/:id", ({ params }) => checkoutPage(parts, params.id, null));
  app.post<Call>("/checkout/:id", ({ params: { id }, body }, reply) => {
    const session = parts.state.find("sessions", id);
    const error = parts.cycle.pay(session, textOf(body, "card"));
    // A second click on a paid checkout redirects to the same place as the first.
    if (session.status === "complete") {
      return reply.redirect(session.success_url.replaceAll("{CHECKOUT_SESSION_ID}", id), 303);
    }
    const status = session.status === "open" ? 402 : 410;
    return reply.status(status).send(checkoutPage(parts, id, error));
  });
  app.get<Call>("/receipts/:id", ({ params: { id } }) => {
    const charge = data.charges[id];
    const { created, customer, description } = charge ?? parts.state.find("invoices", id);
    // What is left of an invoice after the customer's credit.
    const amount = dollars(charge?.amount ?? data.invoices[id].amount_due);
    const isPaid = (data.invoices[id]?.status ?? "paid") === "paid";
    const email = data.customers[customer]?.email ?? "";
    const title = `${isPaid ? "Receipt" : "Invoice"} ${id}`;
    return layout(
      title,
      `<h1>${escape(description)}</h1><p>${amount}${isPaid ? "" : ", not paid"}</p><p>${title}, ${when(created)} UTC, ${escape(email)}</p>`,
    );
  });
  consoleRoutes(app, parts, isSecret);
}

/** The clock, with buttons; how events are delivered is for programs, such as tests. */
function consoleRoutes(app: FastifyInstance, parts: Parts, isSecret: IsSecret): void {
  const { state, cycle, webhooks } = parts;
  app.get("/", () => consolePage(parts));
  app.post<Call>("/clock", ({ body }, reply) => {
    const days = Number(textOf(body, "days"));
    if (!(days > 0 && days <= 366)) throw new ApiFault(400, "days must be from 0 to 366.");
    cycle.forward(days);
    return reply.redirect("/", 303);
  });
  app.post<Call>("/deletions", ({ body }, reply) => {
    if (!isSecret(body["secret"])) {
      throw new ApiFault(401, "The operator's secret is in the file operator-secret.");
    }
    cycle.confirmDeletions();
    return reply.redirect("/", 303);
  });
  app.post<Call>("/delivery", async ({ body }) => {
    if (body["hold"]) state.data.holdEvents = true;
    if (body["twice"]) state.data.sendTwice = !state.data.sendTwice;
    if (body["release"]) await webhooks.release(body["release"] as "oldest" | "newest");
    state.save();
    return "";
  });
}

function consolePage({ state }: Parts): string {
  const { deletesAheadMs, clockAheadMs } = state.data;
  const deletions =
    deletesAheadMs >= clockAheadMs
      ? ""
      : `<p>Projects past their storage period only on this clock are kept until you delete them here. The operator's secret is in the file operator-secret in the data folder.</p><form method="post" action="/deletions">${SECRET_FIELD}<button>Delete projects past their storage period</button></form>`;
  const forward = [1, 4, 10, 31].map(
    (days) =>
      `<button name="days" value="${days}">${days === 1 ? "1 day" : `${days} days`} forward</button> `,
  );
  return layout(
    "Payment sandbox",
    `<h1>Payment sandbox</h1><p>Stands in for the card payment provider while no keys are set, and keeps the emails that a mail server would send.</p>
<h2>Clock</h2><p>${when(state.now())} UTC</p><p>Moving it ahead renews, ends and fails what is due. Trials and storage times of this installation follow it. It does not go back.</p><form method="post" action="/clock">${forward.join("")}</form>${deletions}`,
  );
}

function checkoutPage({ state }: Parts, id: string, error: string | null): string {
  const { price, status, customer, amount_total, cancel_url } = state.find("sessions", id);
  if (status !== "open") {
    const text = `This checkout has ${status === "complete" ? "been paid" : "expired"}.`;
    return layout(
      "Checkout",
      `<h1>${text}</h1><a href="${escape(cancel_url)}">Back to Stipple</a>`,
    );
  }
  const { product, recurring } = state.find("prices", price);
  const name = escape(state.find("products", product).name);
  const cards = CARDS.map(({ number, what }) => `<li><code>${number}</code> ${what}</li>`);
  return layout(
    `Checkout: ${name}`,
    `<h1>${name}</h1><p>${escape(state.data.customers[customer]?.email ?? "")}</p>
<p>${dollars(amount_total)}${recurring ? " per month" : ""}</p>
<form method="post"><label for="card">Card number</label> <input id="card" name="card" value="${CARDS[0].number}" inputmode="numeric" autocomplete="off" required>
${error ? `<p class="error" role="alert">${error}</p>` : ""}<button>${recurring ? "Subscribe" : "Pay"}</button></form>
<p><a href="${escape(cancel_url)}">Cancel</a></p><h2>Test cards</h2><ul>${cards.join("")}</ul>`,
  );
}
