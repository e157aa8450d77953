import type { FastifyInstance } from "fastify";
import { oneMonthLater, type BillingCycle } from "./billing-cycle.ts";
import { ApiFault, listOf, textOf, type Body, type FormValue } from "./form.ts";
import type { Table } from "./objects.ts";
import type { SandboxState } from "./state.ts";
import type { Webhooks } from "./webhooks.ts";

export interface Parts {
  state: SandboxState;
  webhooks: Webhooks;
  cycle: BillingCycle;
  publicUrl: string;
}

/** Everything a call gives us: the ID in its address, its query, its body. */
interface Call {
  Params: { id: string };
  Querystring: Body;
  Body: Body;
}

const READ: Record<string, Table> = {
  customers: "customers",
  prices: "prices",
  "checkout/sessions": "sessions",
  payment_intents: "paymentIntents",
  invoices: "invoices",
  subscriptions: "subscriptions",
  subscription_schedules: "schedules",
};

/** The part of the provider's HTTP API that our server uses. */
export function apiRoutes(app: FastifyInstance, parts: Parts): void {
  const { state } = parts;
  for (const [path, table] of Object.entries(READ)) {
    app.get<Call>(`/v1/${path}/:id`, ({ params, query }) => {
      const found = state.find(table, params.id);
      return query["expand"] ? withPayment(state, found) : found;
    });
  }
  customersAndPrices(app, parts);
  payments(app, parts);
  subscriptions(app, parts);
  schedules(app, parts);
}

/** A checkout or payment intent with the payment and its charge in place of their IDs, as `expand` asks for. */
function withPayment(state: SandboxState, found: object): object {
  const { payment_intent: intent, latest_charge: charge } = found as Record<
    string,
    string | undefined
  >;
  const { paymentIntents, charges } = state.data;
  if (charge) return { ...found, latest_charge: charges[charge] };
  return intent ? { ...found, payment_intent: withPayment(state, paymentIntents[intent]) } : found;
}

function customersAndPrices(app: FastifyInstance, { state, cycle }: Parts): void {
  const { data } = state;
  app.post<Call>("/v1/customers", ({ body }) =>
    state.add("customers", { email: textOf(body, "email") }),
  );
  app.delete<Call>("/v1/customers/:id", ({ params: { id } }) => {
    state.find("customers", id);
    const isTheirs = ({ customer }: { customer: string }): boolean => customer === id;
    Object.values(data.subscriptions)
      .filter(isTheirs)
      .forEach((each) => cycle.cancelNow(each));
    Object.values(data.sessions)
      .filter(isTheirs)
      .forEach((each) => cycle.expire(each));
    delete data.customers[id];
    // The answer kept for a repeated request has the email address, too.
    for (const [key, { answer }] of Object.entries(data.idempotent)) {
      if ((answer as { id?: string }).id === id) delete data.idempotent[key];
    }
    return { id, object: "customer", deleted: true };
  });
  app.post<Call>("/v1/products", ({ body }) =>
    state.add("products", { name: textOf(body, "name") }),
  );
  app.post<Call>("/v1/prices", ({ body }) => {
    const key = body["lookup_key"] === undefined ? null : textOf(body, "lookup_key");
    const holder = Object.values(data.prices).find((price) => key && price.lookup_key === key);
    if (holder && body["transfer_lookup_key"] !== "true") {
      throw new ApiFault(400, `A price (\`${holder.id}\`) already uses that lookup key.`);
    }
    if (holder) holder.lookup_key = null;
    return state.add("prices", {
      product: state.find("products", textOf(body, "product")).id,
      unit_amount: Number(textOf(body, "unit_amount")),
      active: true,
      lookup_key: key,
      recurring: body["recurring"] ? { interval: "month" } : null,
    });
  });
  app.get<Call>("/v1/prices", ({ query: { lookup_keys: wanted } }) =>
    page(
      Object.values(data.prices)
        .filter((price) => (wanted as string[]).includes(price.lookup_key ?? ""))
        .map((price) => ({ ...price, active: isActive(price) })),
    ),
  );
}

function payments(app: FastifyInstance, { state, cycle, publicUrl }: Parts): void {
  app.post<Call>("/v1/checkout/sessions", ({ body }) => {
    const price = state.find("prices", textOf(listOf(body["line_items"])[0] ?? {}, "price"));
    if (!isActive(price)) throw new ApiFault(400, "The price specified is inactive.");
    const session = state.add("sessions", {
      mode: price.recurring ? "subscription" : "payment",
      status: "open",
      payment_status: "unpaid",
      customer: state.find("customers", textOf(body, "customer")).id,
      price: price.id,
      amount_total: price.unit_amount,
      subscription: null,
      payment_intent: null,
      invoice: null,
      url: "",
      success_url: textOf(body, "success_url"),
      cancel_url: textOf(body, "cancel_url"),
      metadata: metadataOf(body),
      made: {
        payment_intent: metadataOf(body["payment_intent_data"]),
        subscription: metadataOf(body["subscription_data"]),
      },
      expires_at: state.now() + 86_400,
    });
    session.url = `${publicUrl}/checkout/${session.id}`;
    return session;
  });
  app.post<Call>("/v1/checkout/sessions/:id/expire", ({ params }) => {
    const session = state.find("sessions", params.id);
    if (!cycle.expire(session)) throw new ApiFault(400, "Only open checkouts can be expired.");
    return session;
  });
  app.post<Call>("/v1/invoices/:id/void", ({ params }) =>
    Object.assign(state.find("invoices", params.id), { status: "void" }),
  );
  app.post<Call>("/v1/invoices/:id", ({ params, body }) =>
    Object.assign(state.find("invoices", params.id), {
      auto_advance: body["auto_advance"] === "true",
    }),
  );
  app.get<Call>("/v1/invoices", ({ query: { customer, subscription } }) =>
    page(
      Object.values(state.data.invoices).filter((invoice) =>
        subscription
          ? invoice.parent.subscription_details.subscription === subscription
          : invoice.customer === customer,
      ),
    ),
  );
  app.post<Call>("/v1/invoices/create_preview", ({ body }) =>
    // The unused rest of the period, as a credit. Nothing is stored.
    ({
      object: "invoice",
      total: -cycle.restOf(state.find("subscriptions", textOf(body, "subscription"))),
    }),
  );
  // The only list by delivery: what our webhook has accepted, or has not.
  app.get<Call>("/v1/events", ({ query: { delivery_success: wanted } }) =>
    page(Object.values(state.data.events).filter(({ delivered }) => `${delivered}` === wanted)),
  );
}

function subscriptions(app: FastifyInstance, { state, cycle, webhooks }: Parts): void {
  app.get<Call>("/v1/subscriptions", ({ query: { customer, status: wanted } }) => {
    const all = Object.values(state.data.subscriptions);
    const own = all.filter((subscription) => subscription.customer === customer);
    // Like the provider, lists ended subscriptions only on request.
    return page(own.filter(({ status }) => (wanted ? status === wanted : status !== "canceled")));
  });
  app.post<Call>("/v1/subscriptions/:id", ({ params, body }) => {
    const subscription = state.find("subscriptions", params.id);
    if (subscription.status === "canceled") {
      throw new ApiFault(400, "A canceled subscription cannot be updated.");
    }
    if (body["cancel_at"] === "") subscription.cancel_at = null;
    else subscription.cancel_at_period_end = body["cancel_at_period_end"] === "true";
    webhooks.emit("customer.subscription.updated", subscription);
    return subscription;
  });
  app.delete<Call>("/v1/subscriptions/:id", ({ params: { id }, query }) => {
    const subscription = state.find("subscriptions", id);
    // The client sends a deletion's parameters in the URL.
    if (cycle.cancelNow(subscription, query["prorate"] === "true")) return subscription;
    throw new ApiFault(404, `No such subscription: '${id}'`, "resource_missing");
  });
}

function schedules(app: FastifyInstance, { state, cycle }: Parts): void {
  app.post<Call>("/v1/subscription_schedules", ({ body }) => {
    const subscription = state.find("subscriptions", textOf(body, "from_subscription"));
    if (subscription.schedule) {
      throw new ApiFault(400, "This subscription already has a schedule.");
    }
    const schedule = state.add("schedules", { subscription: subscription.id, phases: [] });
    subscription.schedule = schedule.id;
    return schedule;
  });
  app.post<Call>("/v1/subscription_schedules/:id", ({ params, body }) => {
    const schedule = state.find("schedules", params.id);
    const { created } = state.find("subscriptions", schedule.subscription ?? "");
    // Phases are consecutive. One without an end lasts a month.
    let end = 0;
    schedule.phases = listOf(body["phases"]).map(({ items, start_date, end_date }) => {
      const start = Number(start_date ?? end);
      end = Number(end_date ?? oneMonthLater(start, created));
      const prices = listOf(items).map((item) => state.find("prices", textOf(item, "price")).id);
      return { start_date: start, end_date: end, items: prices.map((price) => ({ price })) };
    });
    return schedule;
  });
  app.post<Call>("/v1/subscription_schedules/:id/release", ({ params }) => {
    const schedule = state.find("schedules", params.id);
    cycle.release(schedule);
    return schedule;
  });
}

function metadataOf(given: FormValue): Record<string, string> {
  return ((given as Body | undefined)?.["metadata"] ?? {}) as Record<string, string>;
}

/** Prices that earlier versions stored do not say. */
function isActive({ active }: { active?: boolean }): boolean {
  return active ?? true;
}

/** Objects, newest first, as returned by the provider's list calls. */
function page(items: { created: number }[]): unknown {
  const data = items.toSorted((a, b) => b.created - a.created);
  return { object: "list", has_more: false, data };
}
