import type { FastifyInstance } from "fastify";
import { ApiFault, flagOf, listOf, textOf, textsOf, type Body, type FormValue } from "./form.ts";
import type { BillingCycle } from "./billing-cycle.ts";
import type { Stored } from "./objects.ts";
import { missing, type SandboxState } from "./state.ts";
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

/** The part of the provider's HTTP API that our server uses. */
export function apiRoutes(app: FastifyInstance, parts: Parts): void {
  customersAndPrices(app, parts);
  payments(app, parts);
  subscriptions(app, parts);
}

function customersAndPrices(app: FastifyInstance, { state, cycle }: Parts): void {
  const { data } = state;
  app.post<Call>("/v1/customers", ({ body }) =>
    state.add("customers", { email: textOf(body, "email", null) }),
  );
  app.get<Call>("/v1/customers/:id", ({ params }) => state.find("customers", params.id));
  app.delete<Call>("/v1/customers/:id", ({ params: { id } }) => {
    state.find("customers", id);
    for (const subscription of Object.values(data.subscriptions)) {
      if (subscription.customer === id) cycle.cancelNow(subscription);
    }
    for (const session of Object.values(data.sessions)) {
      if (session.customer === id && session.status === "open") cycle.expire(session);
    }
    state.forgetCustomer(id);
    return { id, object: "customer", deleted: true };
  });
  app.post<Call>("/v1/products", ({ body }) =>
    state.add("products", { name: textOf(body, "name") }),
  );
  app.post<Call>("/v1/prices", ({ body }) => {
    const lookupKey = textOf(body, "lookup_key", null);
    if (Object.values(data.prices).some((price) => lookupKey && price.lookup_key === lookupKey)) {
      throw new ApiFault(400, `A price with lookup key ${lookupKey} already exists.`);
    }
    return state.add("prices", {
      product: state.find("products", textOf(body, "product")).id,
      unit_amount: Number(textOf(body, "unit_amount")),
      lookup_key: lookupKey,
      recurring: body["recurring"] ? { interval: "month" } : null,
    });
  });
  app.get<Call>("/v1/prices", ({ query }) => {
    const keys = query["lookup_keys"];
    const wanted = (key: string | null) => !Array.isArray(keys) || (key && keys.includes(key));
    const prices = Object.values(data.prices).filter(({ lookup_key }) => wanted(lookup_key));
    return page(prices, query);
  });
}

function payments(app: FastifyInstance, { state, cycle, publicUrl }: Parts): void {
  const { data } = state;
  /** The address may have changed since the objects were created, so links are completed when shown. */
  const withLink = (invoice: Stored<"invoices">): Stored<"invoices"> => ({
    ...invoice,
    hosted_invoice_url: publicUrl + invoice.hosted_invoice_url,
  });
  const withCharge = (intent: Stored<"paymentIntents">, query: Body): unknown => {
    const charge = data.charges[intent.latest_charge ?? ""];
    if (!charge || !expands(query, "latest_charge")) return intent;
    return {
      ...intent,
      latest_charge: { ...charge, receipt_url: publicUrl + charge.receipt_url },
    };
  };
  app.post<Call>("/v1/checkout/sessions", ({ body }) => {
    const mode = textOf(body, "mode");
    const price = state.find("prices", textOf(listOf(body["line_items"])[0] ?? {}, "price"));
    if (mode !== (price.recurring ? "subscription" : "payment")) {
      throw new ApiFault(400, `The price ${price.id} does not fit mode ${mode}.`);
    }
    const ofSubscription = (body["subscription_data"] ?? {}) as Body;
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
      cancel_url: textOf(body, "cancel_url", publicUrl),
      metadata: textsOf(body["metadata"]),
      subscription_data: { metadata: textsOf(ofSubscription["metadata"]) },
      expires_at: state.now() + 86_400,
    });
    session.url = `${publicUrl}/checkout/${session.id}`;
    return session;
  });
  app.get<Call>("/v1/checkout/sessions/:id", ({ params: { id }, query }) => {
    const session = state.find("sessions", id);
    const intent = data.paymentIntents[session.payment_intent ?? ""];
    return {
      ...session,
      url: session.status === "open" ? `${publicUrl}/checkout/${id}` : null,
      ...(intent && expands(query, "payment_intent")
        ? { payment_intent: withCharge(intent, query) }
        : {}),
    };
  });
  app.post<Call>("/v1/checkout/sessions/:id/expire", ({ params }) => {
    const session = state.find("sessions", params.id);
    if (session.status !== "open") {
      throw new ApiFault(400, "Only open checkout sessions can be expired.");
    }
    cycle.expire(session);
    return session;
  });
  app.get<Call>("/v1/payment_intents/:id", ({ params, query }) =>
    withCharge(state.find("paymentIntents", params.id), query),
  );
  app.get<Call>("/v1/invoices/:id", ({ params }) => withLink(state.find("invoices", params.id)));
  app.get<Call>("/v1/invoices", ({ query }) =>
    page(Object.values(data.invoices).filter(ofCustomer(query)).map(withLink), query),
  );
  app.post<Call>("/v1/invoices/create_preview", ({ body }) => {
    if (!flagOf((body["subscription_details"] ?? {}) as Body, "cancel_now")) {
      throw new ApiFault(400, "The sandbox previews only the end of a subscription (cancel_now).");
    }
    return cycle.previewEnd(state.find("subscriptions", textOf(body, "subscription")));
  });
  // The only list by delivery: what our webhook has accepted, or has not.
  app.get<Call>("/v1/events", ({ query }) => {
    const wanted = flagOf(query, "delivery_success");
    const events = Object.values(data.events).filter(({ delivered }) => delivered === wanted);
    return page(events, query);
  });
}

function subscriptions(app: FastifyInstance, parts: Parts): void {
  const { state, cycle, webhooks } = parts;
  app.get<Call>("/v1/subscriptions/:id", ({ params }) => state.find("subscriptions", params.id));
  app.get<Call>("/v1/subscriptions", ({ query }) => {
    // Like the provider, lists ended subscriptions only on request.
    const { status: asked } = query;
    const wanted = (status: string) =>
      asked === undefined ? status !== "canceled" : asked === "all" || asked === status;
    const own = Object.values(state.data.subscriptions).filter(ofCustomer(query));
    const found = own.filter(({ status }) => wanted(status));
    return page(found, query);
  });
  app.post<Call>("/v1/subscriptions/:id", ({ params, body }) => {
    const subscription = state.find("subscriptions", params.id);
    if (subscription.status === "canceled") {
      throw new ApiFault(400, "A canceled subscription cannot be updated.");
    }
    if (body["cancel_at_period_end"] !== undefined) {
      subscription.cancel_at_period_end = flagOf(body, "cancel_at_period_end");
    }
    webhooks.emit("customer.subscription.updated", subscription);
    return subscription;
  });
  app.delete<Call>("/v1/subscriptions/:id", ({ params: { id }, query, body }) => {
    const subscription = state.find("subscriptions", id);
    // Like the provider: a subscription that has ended cannot be found and ended again.
    if (subscription.status === "canceled") throw missing("subscriptions", id);
    // The client sends a deletion's parameters in the URL.
    cycle.cancelNow(subscription, { prorate: flagOf({ ...body, ...query }, "prorate") });
    return subscription;
  });

  app.post<Call>("/v1/subscription_schedules", ({ body }) => {
    const subscription = state.find("subscriptions", textOf(body, "from_subscription"));
    if (subscription.schedule) {
      throw new ApiFault(400, "This subscription already has a schedule.");
    }
    const { price, current_period_start, current_period_end } = subscription.items.data[0];
    const phase = { start_date: current_period_start, end_date: current_period_end };
    const schedule = state.add("schedules", {
      subscription: subscription.id,
      customer: subscription.customer,
      status: "active",
      phases: [{ ...phase, items: [{ price: price.id }] }],
      end_behavior: "release",
    });
    subscription.schedule = schedule.id;
    return schedule;
  });
  app.get<Call>("/v1/subscription_schedules/:id", ({ params }) =>
    state.find("schedules", params.id),
  );
  app.post<Call>("/v1/subscription_schedules/:id", ({ params, body }) => {
    const schedule = state.find("schedules", params.id);
    // Phases are consecutive; the last may be open-ended.
    let start = 0;
    schedule.phases = listOf(body["phases"]).map((phase) => {
      const items = listOf(phase["items"]).map((item) => ({
        price: state.find("prices", textOf(item, "price")).id,
      }));
      const begins = Number(textOf(phase, "start_date", null) ?? start);
      const end = textOf(phase, "end_date", null);
      start = end === null ? begins : Number(end);
      return { start_date: begins, end_date: end === null ? null : start, items };
    });
    schedule.end_behavior = body["end_behavior"] === "cancel" ? "cancel" : "release";
    webhooks.emit("subscription_schedule.updated", schedule);
    return schedule;
  });
  app.post<Call>("/v1/subscription_schedules/:id/release", ({ params }) => {
    const schedule = state.find("schedules", params.id);
    cycle.release(schedule);
    return schedule;
  });
}

/** Whether the caller wants an object instead of its ID: `expand[0]=payment_intent.latest_charge`. */
function expands(query: Body, name: string): boolean {
  const wanted = query["expand"] as FormValue[] | undefined;
  return wanted?.some((path) => `${path as string}`.split(".").includes(name)) ?? false;
}

function ofCustomer({ customer }: Body): (item: { customer: string }) => boolean {
  return (item) => customer === undefined || item.customer === customer;
}

/** A page of objects, newest first, as returned by the provider's list calls. */
function page(items: { created?: number }[], query: Body): unknown {
  const limit = Math.min(100, Math.max(1, Number(query["limit"] ?? 10)));
  const sorted = items.toSorted((a, b) => (b.created ?? 0) - (a.created ?? 0));
  return { object: "list", has_more: sorted.length > limit, data: sorted.slice(0, limit) };
}
