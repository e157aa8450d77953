import { cardBehavior } from "./cards.ts";
import type { CheckoutSession, Invoice, Price, Subscription } from "./objects.ts";
import { addMonths, type SandboxState } from "./state.ts";
import type { Webhooks } from "./webhooks.ts";

const DAY = 86_400;
/** Days after a failed renewal on which it is retried; after the last attempt the subscription ends. */
const RETRY_DAYS = [3, 5, 7];

/** Everything that changes subscriptions: purchase, renewal, failed payment, scheduled changes, end. */
export class BillingCycle {
  readonly #state: SandboxState;
  readonly #webhooks: Webhooks;
  readonly #clockDeletes: boolean;

  /** `clockDeletes`: the operator has agreed in advance that the shifted clock may delete projects. */
  constructor(state: SandboxState, webhooks: Webhooks, clockDeletes: boolean) {
    this.#state = state;
    this.#webhooks = webhooks;
    this.#clockDeletes = clockDeletes;
  }

  /** Pays a checkout with a test card. Returns the message to show if the card is declined. */
  pay(session: CheckoutSession, card: string): string | null {
    if (session.status !== "open") return null;
    const { data } = this.#state;
    const behavior = cardBehavior(card);
    if (!behavior) return "This is not one of the test cards below. Use one of them.";
    const now = this.#state.now();
    const intent = {
      id: this.#state.newId("pi"),
      object: "payment_intent" as const,
      amount: session.amount_total,
      currency: session.currency,
      customer: session.customer,
      status: behavior.now ? ("succeeded" as const) : ("requires_payment_method" as const),
      latest_charge: null as string | null,
      metadata: session.metadata,
      created: now,
    };
    data.paymentIntents[intent.id] = intent;
    if (!behavior.now) {
      this.#webhooks.emit("payment_intent.payment_failed", intent);
      this.#state.save();
      return "Your card was declined. Try another card.";
    }
    const customer = data.customers[session.customer];
    if (customer) customer.card = card;
    intent.latest_charge = this.#receipt(session, intent.id, now);
    session.status = "complete";
    session.payment_status = "paid";
    session.payment_intent = intent.id;
    if (session.mode === "subscription") {
      const subscription = this.#open(session, now);
      session.subscription = subscription.id;
      const invoice = this.#invoice(subscription, "subscription_create", true);
      session.invoice = invoice.id;
      this.#webhooks.emit("customer.subscription.created", subscription);
      this.#webhooks.emit("invoice.paid", invoice);
    }
    this.#webhooks.emit("checkout.session.completed", session);
    this.#state.save();
    return null;
  }

  #receipt(session: CheckoutSession, intent: string, now: number): string {
    const id = this.#state.newId("ch");
    const product = this.#state.data.products[this.#price(session.price).product];
    this.#state.data.charges[id] = {
      id,
      object: "charge",
      amount: session.amount_total,
      currency: session.currency,
      customer: session.customer,
      payment_intent: intent,
      description: product?.name ?? "",
      receipt_url: `/receipts/${id}`,
      created: now,
    };
    return id;
  }

  #open(session: CheckoutSession, now: number): Subscription {
    const price = this.#price(session.price);
    const subscription: Subscription = {
      id: this.#state.newId("sub"),
      object: "subscription",
      customer: session.customer,
      status: "active",
      cancel_at_period_end: false,
      canceled_at: null,
      ended_at: null,
      items: {
        object: "list",
        data: [
          {
            id: this.#state.newId("si"),
            object: "subscription_item",
            price,
            quantity: 1,
            current_period_start: now,
            current_period_end: addMonths(now, price.recurring?.interval_count ?? 1),
          },
        ],
      },
      schedule: null,
      metadata: session.subscription_data.metadata,
      latest_invoice: null,
      created: now,
    };
    this.#state.data.subscriptions[subscription.id] = subscription;
    return subscription;
  }

  #price(id: string): Price {
    const price = this.#state.data.prices[id];
    if (!price) throw new Error(`No such price: ${id}`);
    return price;
  }

  #invoice(subscription: Subscription, reason: Invoice["billing_reason"], paid: boolean): Invoice {
    const invoice = this.#drawInvoice(subscription, reason);
    const customer = this.#state.data.customers[subscription.customer];
    // A checkout charges its full price; renewals use up the customer's credit first.
    if (reason === "subscription_cycle" && customer) {
      const credit = Math.min(invoice.total, Math.max(0, -(customer.balance ?? 0)));
      invoice.amount_due -= credit;
      if (paid) customer.balance = (customer.balance ?? 0) + credit;
    }
    invoice.status = paid ? "paid" : "open";
    invoice.amount_paid = paid ? invoice.amount_due : 0;
    this.#state.data.invoices[invoice.id] = invoice;
    subscription.latest_invoice = invoice.id;
    return invoice;
  }

  #drawInvoice(subscription: Subscription, reason: Invoice["billing_reason"]): Invoice {
    const item = subscription.items.data[0]!;
    const id = this.#state.newId("in");
    return {
      id,
      object: "invoice",
      customer: subscription.customer,
      status: "open",
      total: item.price.unit_amount,
      amount_due: item.price.unit_amount,
      amount_paid: 0,
      currency: item.price.currency,
      billing_reason: reason,
      parent: {
        type: "subscription_details",
        subscription_details: { subscription: subscription.id },
      },
      lines: {
        object: "list",
        data: [
          {
            id: this.#state.newId("il"),
            amount: item.price.unit_amount,
            pricing: { price_details: { price: item.price.id, product: item.price.product } },
            period: { start: item.current_period_start, end: item.current_period_end },
          },
        ],
      },
      hosted_invoice_url: `/invoices/${id}`,
      created: this.#state.now(),
    };
  }

  /** Closes an unpaid checkout. */
  expire(session: CheckoutSession): void {
    session.status = "expired";
    this.#webhooks.emit("checkout.session.expired", session);
  }

  /** Value of the rest of the paid period, in cents: the provider prorates by the second. */
  restOf(subscription: Subscription): number {
    if (subscription.status !== "active") return 0;
    const {
      price,
      current_period_start: start,
      current_period_end: end,
    } = subscription.items.data[0]!;
    const left = Math.max(0, end - this.#state.now()) / (end - start);
    return Math.round(price.unit_amount * Math.min(1, left));
  }

  /** The invoice if the subscription ended now: the unused rest, as a credit. Nothing is stored. */
  previewEnd(subscription: Subscription): Omit<Invoice, "id" | "hosted_invoice_url"> {
    const {
      id: _id,
      hosted_invoice_url: _url,
      ...drawn
    } = this.#drawInvoice(subscription, "upcoming");
    const total = -this.restOf(subscription);
    return { ...drawn, status: "open", total, amount_due: 0, amount_paid: 0 };
  }

  /** Ends a subscription now; with `prorate`, the rest of its period is credited to the customer. */
  cancelNow(subscription: Subscription, { prorate = false } = {}): void {
    if (subscription.status === "canceled") return;
    const customer = this.#state.data.customers[subscription.customer];
    if (prorate && customer) {
      customer.balance = (customer.balance ?? 0) - this.restOf(subscription);
    }
    subscription.status = "canceled";
    subscription.ended_at = this.#state.now();
    subscription.canceled_at ??= subscription.ended_at;
    this.#webhooks.emit("customer.subscription.deleted", subscription);
  }

  /** Moves the clock ahead, notifies our server, and processes what has become due. */
  forward(days: number): void {
    const { data } = this.#state;
    data.clockAheadMs += days * DAY * 1000;
    if (this.#clockDeletes) data.deletesAheadMs = data.clockAheadMs;
    this.announceClock();
    this.catchUp();
    this.#state.save();
  }

  /** The operator's confirmation: projects past their storage time on the clock as of now may be deleted. */
  confirmDeletions(): void {
    this.#state.data.deletesAheadMs = this.#state.data.clockAheadMs;
    this.announceClock();
    this.#state.save();
  }

  /** Not a provider event: our server counts trials and storage by the same clock. */
  announceClock(): void {
    const { clockAheadMs, deletesAheadMs } = this.#state.data;
    if (clockAheadMs === 0) return;
    this.#webhooks.emit("sandbox.clock_moved", {
      ahead_ms: clockAheadMs,
      deletes_ahead_ms: deletesAheadMs,
    });
  }

  /** Processes everything that has become due on the sandbox's clock, oldest first. */
  catchUp(): void {
    let changed = false;
    for (const session of Object.values(this.#state.data.sessions)) {
      if (session.status === "open" && session.expires_at <= this.#state.now()) {
        this.expire(session);
        changed = true;
      }
    }
    for (const subscription of Object.values(this.#state.data.subscriptions)) {
      while (this.#step(subscription)) changed = true;
    }
    if (changed) this.#state.save();
  }

  /** One due change of a subscription; false when nothing is due. */
  #step(subscription: Subscription): boolean {
    const item = subscription.items.data[0]!;
    const now = this.#state.now();
    if (subscription.status === "canceled") return false;
    if (subscription.status === "past_due") {
      if (!subscription.retryAt || subscription.retryAt > now) return false;
      this.#charge(subscription);
      return true;
    }
    if (item.current_period_end > now) return false;
    if (subscription.cancel_at_period_end) {
      this.cancelNow(subscription);
      return true;
    }
    this.#applySchedule(subscription, item.current_period_end);
    item.current_period_start = item.current_period_end;
    item.current_period_end = addMonths(
      item.current_period_start,
      item.price.recurring?.interval_count ?? 1,
    );
    this.#charge(subscription);
    return true;
  }

  #charge(subscription: Subscription): void {
    const card = this.#state.data.customers[subscription.customer]?.card ?? "";
    const paid = cardBehavior(card)?.renewal ?? false;
    const invoice = this.#invoice(subscription, "subscription_cycle", paid);
    if (paid) {
      subscription.status = "active";
      subscription.failures = 0;
      subscription.retryAt = null;
      this.#webhooks.emit("invoice.paid", invoice);
      this.#webhooks.emit("customer.subscription.updated", subscription);
      return;
    }
    const failures = (subscription.failures ?? 0) + 1;
    subscription.failures = failures;
    this.#webhooks.emit("invoice.payment_failed", invoice);
    const days = RETRY_DAYS[failures - 1];
    if (days === undefined) {
      this.cancelNow(subscription);
      return;
    }
    const item = subscription.items.data[0]!;
    subscription.status = "past_due";
    subscription.retryAt = item.current_period_start + days * DAY;
    this.#webhooks.emit("customer.subscription.updated", subscription);
  }

  #applySchedule(subscription: Subscription, at: number): void {
    const schedule = subscription.schedule
      ? this.#state.data.schedules[subscription.schedule]
      : undefined;
    if (!schedule || schedule.status !== "active") return;
    const phase = schedule.phases.find(
      ({ start_date, end_date }) => start_date <= at && (end_date === null || at < end_date),
    );
    const price = phase?.items[0]?.price;
    if (!price) return;
    subscription.items.data[0]!.price = this.#price(price);
    if (phase === schedule.phases.at(-1) && schedule.end_behavior === "release") {
      schedule.status = "released";
      schedule.subscription = null;
      subscription.schedule = null;
      this.#webhooks.emit("subscription_schedule.released", schedule);
    }
  }
}
