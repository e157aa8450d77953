import type { Stored } from "./objects.ts";
import type { SandboxState } from "./state.ts";
import type { Webhooks } from "./webhooks.ts";

const DAY = 86_400;
/** How long after a failed renewal the subscription ends. */
const GRACE_SECONDS = 7 * DAY;

/** Test cards: whether each can be charged now, and at renewals. */
export const CARDS = [
  { number: "4242 4242 4242 4242", what: "is accepted", now: true, renewal: true },
  { number: "4000 0000 0000 0002", what: "is declined", now: false, renewal: false },
  {
    number: "4000 0000 0000 0341",
    what: "is accepted now, declined at each renewal",
    now: true,
    renewal: false,
  },
] as const;

const cardOf = (number: string | undefined) =>
  CARDS.find((card) => card.number.replaceAll(" ", "") === number?.replaceAll(/\D/g, ""));

/** Everything that changes subscriptions: purchase, renewal, failed payment, scheduled changes, end. */
export class BillingCycle {
  readonly #state: SandboxState;
  readonly #webhooks: Webhooks;
  readonly #publicUrl: string;
  readonly #clockDeletes: boolean;

  constructor(
    state: SandboxState,
    webhooks: Webhooks,
    { publicUrl, clockDeletes }: { publicUrl: string; clockDeletes: boolean },
  ) {
    this.#state = state;
    this.#webhooks = webhooks;
    this.#publicUrl = publicUrl;
    this.#clockDeletes = clockDeletes;
  }

  /** Pays a checkout with a test card. Returns the message to show if the card is declined. */
  pay(session: Stored<"sessions">, number: string): string | null {
    if (session.status !== "open") return null;
    const card = cardOf(number);
    if (!card) return "This is not one of the test cards below. Use one of them.";
    const { customers, paymentIntents } = this.#state.data;
    const { amount_total: amount, customer, made } = session;
    const price = this.#state.find("prices", session.price);
    const intent =
      paymentIntents[session.payment_intent ?? ""] ??
      this.#state.add("paymentIntents", {
        amount,
        customer,
        metadata: made.payment_intent,
        latest_charge: null,
        status: "requires_payment_method",
      });
    if (session.mode === "payment") session.payment_intent = intent.id;
    if (!card.now) {
      this.#webhooks.emit("payment_intent.payment_failed", intent);
      this.#state.save();
      return "Your card was declined. Try another card.";
    }
    if (customers[customer]) customers[customer].card = number;
    const charge = this.#state.add("charges", {
      amount,
      customer,
      session: session.id,
      description: this.#state.find("products", price.product).name,
      receipt_url: "",
    });
    charge.receipt_url = `${this.#publicUrl}/receipts/${charge.id}`;
    intent.latest_charge = charge.id;
    intent.status = "succeeded";
    session.status = "complete";
    session.payment_status = "paid";
    if (session.mode === "subscription") this.#open(session, price);
    this.#webhooks.emit("checkout.session.completed", session);
    this.#state.save();
    return null;
  }

  #open(session: Stored<"sessions">, price: Stored<"prices">): void {
    const start = this.#state.now();
    const period = { current_period_start: start, current_period_end: oneMonthLater(start) };
    const subscription = this.#state.add("subscriptions", {
      customer: session.customer,
      status: "active",
      cancel_at_period_end: false,
      cancel_at: null,
      ended_at: null,
      schedule: null,
      latest_invoice: null,
      metadata: session.made.subscription,
      items: { object: "list", data: [{ price, ...period }] },
    });
    const invoice = this.#invoice(subscription, "subscription_create", true);
    session.subscription = subscription.id;
    session.invoice = invoice.id;
    this.#webhooks.emit("customer.subscription.created", subscription);
    this.#webhooks.emit("invoice.paid", invoice);
  }

  /** The invoice of the current period, dated by its start. */
  #invoice(
    subscription: Stored<"subscriptions">,
    reason: Stored<"invoices">["billing_reason"],
    paid: boolean,
  ): Stored<"invoices"> {
    const { price, current_period_start: created } = subscription.items.data[0];
    const total = price.unit_amount;
    const customer = this.#state.data.customers[subscription.customer];
    const balance = customer?.balance ?? 0;
    // A checkout charges its full price; renewals use up the customer's credit first.
    const credit = reason === "subscription_cycle" ? Math.min(total, Math.max(0, -balance)) : 0;
    if (customer && paid) customer.balance = balance + credit;
    const invoice = this.#state.add("invoices", {
      customer: subscription.customer,
      status: paid ? "paid" : "open",
      total,
      amount_due: total - credit,
      amount_paid: paid ? total - credit : 0,
      billing_reason: reason,
      description: this.#state.find("products", price.product).name,
      hosted_invoice_url: "",
      parent: { subscription_details: { subscription: subscription.id } },
      lines: { object: "list", data: [{ pricing: { price_details: { price: price.id } } }] },
    });
    invoice.created = created;
    invoice.hosted_invoice_url = `${this.#publicUrl}/receipts/${invoice.id}`;
    subscription.latest_invoice = invoice.id;
    return invoice;
  }

  /** Closes an unpaid checkout; false if it is not open. */
  expire(session: Stored<"sessions">): boolean {
    if (session.status !== "open") return false;
    session.status = "expired";
    this.#webhooks.emit("checkout.session.expired", session);
    return true;
  }

  /** Value of the rest of the paid period, in cents: the provider prorates by the second. */
  restOf({ status, items }: Stored<"subscriptions">): number {
    const { price, current_period_start: start, current_period_end: end } = items.data[0];
    const left = Math.max(0, end - this.#state.now()) / (end - start);
    return status === "active" ? Math.round(price.unit_amount * Math.min(1, left)) : 0;
  }

  /** Ends a subscription; with `prorate`, the rest of its period is credited. False if it has ended already. */
  cancelNow(
    subscription: Stored<"subscriptions">,
    prorate = false,
    at = this.#state.now(),
  ): boolean {
    if (subscription.status === "canceled") return false;
    const customer = this.#state.data.customers[subscription.customer];
    if (prorate && customer) {
      customer.balance = (customer.balance ?? 0) - this.restOf(subscription);
    }
    subscription.status = "canceled";
    subscription.ended_at = at;
    this.#webhooks.emit("customer.subscription.deleted", subscription);
    return true;
  }

  /** Moves the clock ahead, notifies our server, and processes what has become due. */
  forward(days: number): void {
    const { data } = this.#state;
    // 1.1 days are not a whole number of milliseconds, and our server takes no other.
    data.clockAheadMs = Math.round(data.clockAheadMs + days * DAY * 1000);
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
    const { clockAheadMs: ahead_ms, deletesAheadMs } = this.#state.data;
    const deletes_ahead_ms = this.#clockDeletes ? ahead_ms : deletesAheadMs;
    if (ahead_ms > 0) this.#webhooks.emit("sandbox.clock_moved", { ahead_ms, deletes_ahead_ms });
  }

  /** Processes everything that has become due on the sandbox's clock, oldest first; false if nothing has. */
  catchUp(): boolean {
    let isChanged = false;
    for (const session of Object.values(this.#state.data.sessions)) {
      if (session.expires_at <= this.#state.now() && this.expire(session)) isChanged = true;
    }
    for (const subscription of Object.values(this.#state.data.subscriptions)) {
      while (this.#step(subscription)) isChanged = true;
    }
    return isChanged;
  }

  /** One due change of a subscription; false when nothing is due. */
  #step(subscription: Stored<"subscriptions">): boolean {
    if (subscription.status === "canceled") return false;
    const item = subscription.items.data[0];
    const isUnpaid = subscription.status === "past_due";
    const due = isUnpaid ? item.current_period_start + GRACE_SECONDS : item.current_period_end;
    if (due > this.#state.now()) return false;
    if (isUnpaid || subscription.cancel_at_period_end) {
      return this.cancelNow(subscription, false, due);
    }
    this.#applySchedule(subscription, due);
    item.current_period_start = due;
    item.current_period_end = oneMonthLater(due, subscription.created);
    const paid = cardOf(this.#state.data.customers[subscription.customer]?.card)?.renewal ?? false;
    subscription.status = paid ? "active" : "past_due";
    const invoice = this.#invoice(subscription, "subscription_cycle", paid);
    this.#webhooks.emit(paid ? "invoice.paid" : "invoice.payment_failed", invoice);
    this.#webhooks.emit("customer.subscription.updated", subscription);
    return true;
  }

  #applySchedule(subscription: Stored<"subscriptions">, at: number): void {
    const { schedules, prices } = this.#state.data;
    const schedule = schedules[subscription.schedule ?? ""];
    if (!schedule) return;
    const phase = schedule.phases.find((each) => each.start_date <= at && at < each.end_date);
    if (phase) subscription.items.data[0].price = prices[phase.items[0].price];
    else this.release(schedule);
  }

  /** The subscription goes on without its schedule. */
  release(schedule: Stored<"schedules">): void {
    const subscription = this.#state.data.subscriptions[schedule.subscription ?? ""];
    if (subscription) subscription.schedule = null;
    schedule.subscription = null;
  }
}

/** The day of the month on which it all began, or the last of a shorter one: January 31, February 28 or 29, March 31. */
export function oneMonthLater(unixSeconds: number, begun = unixSeconds): number {
  const date = new Date(unixSeconds * 1000);
  // The last day of the next month.
  date.setUTCMonth(date.getUTCMonth() + 2, 0);
  const day = new Date(begun * 1000).getUTCDate();
  date.setUTCDate(Math.min(day, date.getUTCDate()));
  return Math.floor(date.getTime() / 1000);
}
