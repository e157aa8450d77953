import type { FastifyInstance } from "fastify";
import type { BillingCycle } from "../billing-cycle.ts";
import type { CheckoutSession, Customer, Event, Invoice, Phase, Subscription } from "../objects.ts";
import type { SandboxState } from "../state.ts";
import type { Webhooks } from "../webhooks.ts";
import {
  ApiFault,
  found,
  list,
  missing,
  object,
  optionalText,
  page,
  text,
  texts,
  type Body,
} from "./answers.ts";

interface Parts {
  state: SandboxState;
  webhooks: Webhooks;
  cycle: BillingCycle;
  publicUrl: string;
}

type Params = { id: string };

/** Fields for the sandbox's internal use. */
function shown<T extends Customer | Subscription | Event>(value: T): Partial<T> {
  const { card, failures, retryAt, attempts, delivered, ...rest } = value as T & {
    card?: unknown;
    failures?: unknown;
    retryAt?: unknown;
    attempts?: unknown;
    delivered?: unknown;
  };
  return rest as Partial<T>;
}

/** The part of the provider's HTTP API that our server uses. */
export function apiRoutes(
  app: FastifyInstance,
  { state, webhooks, cycle, publicUrl }: Parts,
): void {
  const { data } = state;

  /** The address may have changed since the objects were created, so links are completed when shown. */
  const withLink = (invoice: Invoice): Invoice => ({
    ...invoice,
    hosted_invoice_url: publicUrl + invoice.hosted_invoice_url,
  });
  const intentOf = (id: string, query: Body, prefix = ""): unknown => {
    const intent = found(data.paymentIntents[id], "payment_intent", id);
    const charge = data.charges[intent.latest_charge ?? ""];
    return expands(query, `${prefix}latest_charge`) && charge
      ? {
          ...intent,
          latest_charge: { ...charge, receipt_url: publicUrl + charge.receipt_url },
        }
      : intent;
  };

  app.post<{ Body: Body }>("/v1/customers", ({ body }) => {
    const customer: Customer = {
      id: state.newId("cus"),
      object: "customer",
      email: optionalText(body, "email"),
      metadata: texts(body["metadata"]),
      created: state.now(),
    };
    data.customers[customer.id] = customer;
    return customer;
  });
  app.get<{ Params: Params }>("/v1/customers/:id", ({ params: { id } }) =>
    shown(found(data.customers[id], "customer", id)),
  );
  app.delete<{ Params: Params }>("/v1/customers/:id", ({ params: { id } }) => {
    found(data.customers[id], "customer", id);
    for (const subscription of Object.values(data.subscriptions)) {
      if (subscription.customer === id) cycle.cancelNow(subscription);
    }
    for (const session of Object.values(data.sessions)) {
      if (session.customer === id && session.status === "open") cycle.expire(session);
    }
    state.forgetCustomer(id);
    return { id, object: "customer", deleted: true };
  });

  app.post<{ Body: Body }>("/v1/products", ({ body }) => {
    const id = optionalText(body, "id") ?? state.newId("prod");
    if (data.products[id]) throw new ApiFault(400, `Product already exists: ${id}`, "id");
    return (data.products[id] = {
      id,
      object: "product",
      name: text(body, "name"),
      metadata: texts(body["metadata"]),
    });
  });
  app.get<{ Params: Params }>("/v1/products/:id", ({ params: { id } }) =>
    found(data.products[id], "product", id),
  );

  app.post<{ Body: Body }>("/v1/prices", ({ body }) => {
    const product = text(body, "product");
    found(data.products[product], "product", product);
    const lookupKey = optionalText(body, "lookup_key");
    if (lookupKey && Object.values(data.prices).some((price) => price.lookup_key === lookupKey)) {
      throw new ApiFault(400, `A price with lookup key ${lookupKey} already exists.`, "lookup_key");
    }
    const id = state.newId("price");
    return (data.prices[id] = {
      id,
      object: "price",
      product,
      currency: text(body, "currency"),
      unit_amount: Number(text(body, "unit_amount")),
      lookup_key: lookupKey,
      recurring: body["recurring"] ? { interval: "month", interval_count: 1 } : null,
    });
  });
  app.get<{ Querystring: Body }>("/v1/prices", ({ query }) => {
    const keys = query["lookup_keys"];
    const wanted = Array.isArray(keys) ? keys : null;
    const prices = Object.values(data.prices).filter(
      ({ lookup_key }) => !wanted || (lookup_key !== null && wanted.includes(lookup_key)),
    );
    return page(prices as { created?: number }[], "/v1/prices", query);
  });

  app.post<{ Body: Body }>("/v1/checkout/sessions", ({ body }) => {
    const mode = text(body, "mode");
    if (mode !== "payment" && mode !== "subscription") {
      throw new ApiFault(400, `Invalid mode: ${mode}`, "mode");
    }
    const customer = text(body, "customer");
    found(data.customers[customer], "customer", customer);
    const priceId = text(list(body["line_items"])[0] ?? {}, "price");
    const price = found(data.prices[priceId], "price", priceId);
    if ((mode === "subscription") !== (price.recurring !== null)) {
      throw new ApiFault(400, `The price ${priceId} does not fit mode ${mode}.`, "line_items");
    }
    const id = state.newId("cs_test");
    const session: CheckoutSession = {
      id,
      object: "checkout.session",
      mode,
      status: "open",
      payment_status: "unpaid",
      customer,
      client_reference_id: optionalText(body, "client_reference_id"),
      price: priceId,
      amount_total: price.unit_amount,
      currency: price.currency,
      success_url: text(body, "success_url"),
      cancel_url: optionalText(body, "cancel_url") ?? publicUrl,
      url: `${publicUrl}/checkout/${id}`,
      metadata: texts(body["metadata"]),
      subscription_data: { metadata: texts(object(body["subscription_data"])["metadata"]) },
      subscription: null,
      payment_intent: null,
      invoice: null,
      created: state.now(),
      expires_at: state.now() + 86_400,
    };
    return (data.sessions[id] = session);
  });
  app.get<{ Params: Params; Querystring: Body }>(
    "/v1/checkout/sessions/:id",
    ({ params: { id }, query }) => {
      const session = found(data.sessions[id], "checkout.session", id);
      const intent = session.payment_intent;
      return {
        ...session,
        url: session.status === "open" ? `${publicUrl}/checkout/${id}` : null,
        payment_intent:
          intent && expands(query, "payment_intent")
            ? intentOf(intent, query, "payment_intent.")
            : intent,
      };
    },
  );
  app.post<{ Params: Params }>("/v1/checkout/sessions/:id/expire", ({ params: { id } }) => {
    const session = found(data.sessions[id], "checkout.session", id);
    if (session.status !== "open") {
      throw new ApiFault(400, "Only open checkout sessions can be expired.");
    }
    cycle.expire(session);
    return session;
  });
  app.get<{ Querystring: Body }>("/v1/checkout/sessions", ({ query }) =>
    page(Object.values(data.sessions).filter(ofCustomer(query)), "/v1/checkout/sessions", query),
  );
  app.get<{ Params: Params; Querystring: Body }>(
    "/v1/payment_intents/:id",
    ({ params: { id }, query }) => intentOf(id, query),
  );
  app.get<{ Querystring: Body }>("/v1/payment_intents", ({ query }) =>
    page(
      Object.values(data.paymentIntents).filter(ofCustomer(query)),
      "/v1/payment_intents",
      query,
    ),
  );
  app.get<{ Params: Params }>("/v1/invoices/:id", ({ params: { id } }) =>
    withLink(found(data.invoices[id], "invoice", id)),
  );
  app.post<{ Body: Body }>("/v1/invoices/create_preview", ({ body }) => {
    const id = text(body, "subscription");
    const subscription = found(data.subscriptions[id], "subscription", id);
    if (optionalText(object(body["subscription_details"]), "cancel_now") !== "true") {
      throw new ApiFault(400, "The sandbox previews only the end of a subscription (cancel_now).");
    }
    return cycle.previewEnd(subscription);
  });
  app.get<{ Querystring: Body }>("/v1/invoices", ({ query }) =>
    page(
      Object.values(data.invoices).filter(ofCustomer(query)).map(withLink),
      "/v1/invoices",
      query,
    ),
  );
  app.get<{ Params: Params }>("/v1/events/:id", ({ params: { id } }) =>
    shown(found(data.events[id], "event", id)),
  );
  app.get<{ Querystring: Body }>("/v1/events", ({ query }) =>
    page(Object.values(data.events).map(shown) as { created?: number }[], "/v1/events", query),
  );

  app.get<{ Params: Params }>("/v1/subscriptions/:id", ({ params: { id } }) =>
    shown(found(data.subscriptions[id], "subscription", id)),
  );
  app.get<{ Querystring: Body }>("/v1/subscriptions", ({ query }) => {
    const status = query["status"];
    const wanted = Object.values(data.subscriptions)
      .filter(ofCustomer(query))
      // Like the provider, lists ended subscriptions only on request.
      .filter((item) => status === "all" || item.status === (status ?? item.status))
      .filter((item) => status !== undefined || item.status !== "canceled");
    return page(wanted.map(shown) as { created?: number }[], "/v1/subscriptions", query);
  });
  app.post<{ Params: Params; Body: Body }>("/v1/subscriptions/:id", ({ params: { id }, body }) => {
    const subscription = found(data.subscriptions[id], "subscription", id);
    if (subscription.status === "canceled") {
      throw new ApiFault(400, "A canceled subscription cannot be updated.");
    }
    const cancel = optionalText(body, "cancel_at_period_end");
    if (cancel !== null) {
      subscription.cancel_at_period_end = cancel === "true";
      subscription.canceled_at = cancel === "true" ? state.now() : null;
    }
    Object.assign(subscription.metadata, texts(body["metadata"]));
    webhooks.emit("customer.subscription.updated", shown(subscription));
    return shown(subscription);
  });
  app.delete<{ Params: Params; Querystring: Body; Body: Body | undefined }>(
    "/v1/subscriptions/:id",
    ({ params: { id }, query, body }) => {
      const subscription = found(data.subscriptions[id], "subscription", id);
      // Like the provider: a subscription that has ended cannot be found and ended again.
      if (subscription.status === "canceled") throw missing("subscription", id);
      // The client sends a deletion's parameters in the URL.
      cycle.cancelNow(subscription, { prorate: { ...body, ...query }["prorate"] === "true" });
      return shown(subscription);
    },
  );

  app.post<{ Body: Body }>("/v1/subscription_schedules", ({ body }) => {
    const id = text(body, "from_subscription");
    const subscription = found(data.subscriptions[id], "subscription", id);
    if (subscription.schedule) {
      throw new ApiFault(400, "This subscription already has a schedule.");
    }
    const item = subscription.items.data[0]!;
    const schedule = {
      id: state.newId("sub_sched"),
      object: "subscription_schedule" as const,
      subscription: id,
      customer: subscription.customer,
      status: "active" as const,
      phases: [
        {
          start_date: item.current_period_start,
          end_date: item.current_period_end,
          items: [{ price: item.price.id, quantity: 1 }],
        },
      ],
      end_behavior: "release" as const,
      created: state.now(),
    };
    data.schedules[schedule.id] = schedule;
    subscription.schedule = schedule.id;
    return schedule;
  });
  app.get<{ Params: Params }>("/v1/subscription_schedules/:id", ({ params: { id } }) =>
    found(data.schedules[id], "subscription_schedule", id),
  );
  app.post<{ Params: Params; Body: Body }>(
    "/v1/subscription_schedules/:id",
    ({ params: { id }, body }) => {
      const schedule = found(data.schedules[id], "subscription_schedule", id);
      schedule.phases = readPhases(list(body["phases"]), (price) =>
        Boolean(found(data.prices[price], "price", price)),
      );
      schedule.end_behavior = body["end_behavior"] === "cancel" ? "cancel" : "release";
      webhooks.emit("subscription_schedule.updated", schedule);
      return schedule;
    },
  );
  app.post<{ Params: Params }>("/v1/subscription_schedules/:id/release", ({ params: { id } }) => {
    const schedule = found(data.schedules[id], "subscription_schedule", id);
    const subscription = schedule.subscription
      ? data.subscriptions[schedule.subscription]
      : undefined;
    if (subscription) subscription.schedule = null;
    schedule.status = "released";
    schedule.subscription = null;
    webhooks.emit("subscription_schedule.released", schedule);
    return schedule;
  });
}

/** Whether the caller wants an object expanded instead of its ID: `expand[0]=payment_intent.latest_charge`. */
function expands(query: Body, path: string): boolean {
  const wanted = query["expand"];
  return (
    Array.isArray(wanted) && wanted.some((item) => `${item as string}.`.startsWith(`${path}.`))
  );
}

function ofCustomer(query: Body): (item: { customer: string }) => boolean {
  const customer = query["customer"];
  return (item) => customer === undefined || item.customer === customer;
}

/** Phases are consecutive; the last may be open-ended. */
function readPhases(phases: Body[], priceExists: (id: string) => boolean): Phase[] {
  let start = 0;
  return phases.map((phase) => {
    const items = list(phase["items"]).map((item) => ({ price: text(item, "price"), quantity: 1 }));
    for (const { price } of items) priceExists(price);
    const startDate = Number(optionalText(phase, "start_date") ?? start);
    const endText = optionalText(phase, "end_date");
    start = endText === null ? startDate : Number(endText);
    return { start_date: startDate, end_date: endText === null ? null : Number(endText), items };
  });
}
