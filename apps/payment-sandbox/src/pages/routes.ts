import type { FastifyInstance } from "fastify";
import type { BillingCycle } from "../billing-cycle.ts";
import type { OperatorSecret } from "../operator-secret.ts";
import type { SandboxState } from "../state.ts";
import type { Webhooks } from "../webhooks.ts";
import type { Body } from "../api/answers.ts";
import { checkoutPage, closedPage } from "./checkout.ts";
import { consolePage } from "./console.ts";
import { receiptPage } from "./receipt.ts";

type Params = { id: string };

/** The hosted checkout and the sandbox's console. */
export function pageRoutes(
  app: FastifyInstance,
  parts: {
    state: SandboxState;
    webhooks: Webhooks;
    cycle: BillingCycle;
    operator: OperatorSecret;
  },
): void {
  const { state, webhooks, cycle, operator } = parts;
  const { data } = state;
  const html = "text/html; charset=utf-8";

  app.get("/", (_request, reply) => reply.type(html).send(consolePage(state, operator.formToken)));

  const show = (id: string, error: string | null): { page: string; status: number } => {
    const session = data.sessions[id];
    if (!session) return { page: closedPage("This checkout does not exist.", null), status: 404 };
    if (session.status !== "open") {
      const message =
        session.status === "complete"
          ? "This checkout has been paid."
          : "This checkout has expired.";
      return { page: closedPage(message, session.cancel_url), status: 410 };
    }
    const price = data.prices[session.price]!;
    const email = data.customers[session.customer]?.email ?? "";
    return {
      page: checkoutPage(
        session,
        price,
        data.products[price.product]!,
        email,
        error,
        operator.formToken,
      ),
      status: error ? 402 : 200,
    };
  };
  app.get<{ Params: Params }>("/checkout/:id", ({ params }, reply) => {
    const { page, status } = show(params.id, null);
    return reply.status(status).type(html).send(page);
  });
  app.post<{ Params: Params; Body: Body | null }>("/checkout/:id", ({ params, body }, reply) => {
    const session = data.sessions[params.id];
    const error = session ? cycle.pay(session, String(body?.["card"] ?? "")) : null;
    // A second click on a paid checkout redirects to the same place as the first.
    if (session?.status === "complete") {
      return reply.redirect(
        session.success_url.replaceAll("{CHECKOUT_SESSION_ID}", session.id),
        303,
      );
    }
    const { page, status } = show(params.id, error);
    return reply.status(status).type(html).send(page);
  });

  app.get<{ Params: Params }>("/receipts/:id", ({ params }, reply) => {
    const charge = data.charges[params.id];
    const page = charge
      ? receiptPage({
          title: "Receipt",
          number: charge.id,
          email: data.customers[charge.customer]?.email ?? "",
          what: charge.description,
          cents: charge.amount,
          paid: true,
          created: charge.created,
        })
      : closedPage("This receipt does not exist.", null);
    return reply
      .status(charge ? 200 : 404)
      .type(html)
      .send(page);
  });
  app.get<{ Params: Params }>("/invoices/:id", ({ params }, reply) => {
    const invoice = data.invoices[params.id];
    const line = invoice?.lines.data[0];
    const page = invoice
      ? receiptPage({
          title: "Invoice",
          number: invoice.id,
          email: data.customers[invoice.customer]?.email ?? "",
          what: data.products[line?.pricing.price_details.product ?? ""]?.name ?? "",
          cents: invoice.total,
          paid: invoice.status === "paid",
          created: invoice.created,
          ...(line ? { period: line.period } : {}),
        })
      : closedPage("This invoice does not exist.", null);
    return reply
      .status(invoice ? 200 : 404)
      .type(html)
      .send(page);
  });

  app.post<{ Body: Body | null }>("/clock", ({ body }, reply) => {
    const days = Number(body?.["days"]);
    if (!(days > 0 && days <= 366)) {
      return reply.status(400).send({ error: "days must be a number from 0 to 366." });
    }
    cycle.forward(days);
    return reply.redirect("/", 303);
  });
  app.post<{ Body: Body | null }>("/deletions", ({ body }, reply) => {
    if (!operator.is(body?.["secret"])) {
      return reply.status(401).send({
        error:
          "This requires the operator's secret, which is in the file operator-secret in the data folder.",
      });
    }
    cycle.confirmDeletions();
    return reply.redirect("/", 303);
  });
  app.post("/hold", (_request, reply) => {
    data.holdEvents = true;
    state.save();
    return reply.redirect("/", 303);
  });
  app.post<{ Body: Body | null }>("/release", async ({ body }, reply) => {
    await webhooks.release(body?.["order"] === "newest" ? "newest" : "oldest");
    state.save();
    return reply.redirect("/", 303);
  });
  app.post("/send-twice", (_request, reply) => {
    data.sendTwice = !data.sendTwice;
    state.save();
    return reply.redirect("/", 303);
  });
  app.post<{ Params: Params }>("/events/:id/send", async ({ params }, reply) => {
    await webhooks.deliver(params.id, false);
    return reply.redirect("/", 303);
  });
}
