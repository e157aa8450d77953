import {
  PLANS,
  planByTitle,
  planByTier,
  tierRank,
  type Plan,
  type PlanTier,
  type Tier,
} from "@stipple/contract";
import { sql } from "kysely";
import Stripe from "stripe";
import { audit } from "../audit/audit.ts";
import type { Database } from "../db/database.ts";
import type { BillingClock } from "./billing-clock.ts";
import type { Notices } from "../notices/notices.ts";
import { isGone, type Provider } from "./provider.ts";
import { receiptKind, receiptUrl } from "./receipts.ts";

/**
 * Brings our rows in line with the provider's state. Events only say what to look at: every function requests the
 * object's current state from the provider and writes it, so repeated, late, and reordered events are harmless.
 * Requests about a subscription are numbered before they begin, and an earlier one never overwrites a later one.
 * Whatever changes last is checked last, so the rows end up in the provider's current state without any lock.
 */
export interface Reconciler {
  checkout(id: string): Promise<void>;
  subscription(id: string): Promise<void>;
  invoice(id: string): Promise<void>;
  failedPayment(intentId: string): Promise<void>;
  /** Looks at everything of a person that may have changed without an event having reached us. */
  person(userId: string): Promise<void>;
  /** Records every payment of a person whose event has not reached us yet. */
  payments(userId: string, customer: string): Promise<void>;
  /** Checkouts whose outcome is not known. */
  openCheckouts(userId: string): Promise<{ id: string; tier: Tier }[]>;
  /** Closes a person's open checkouts. */
  expireCheckouts(userId: string): Promise<void>;
}

const at = (unixSeconds: number): Date => new Date(unixSeconds * 1000);
const DOLLARS = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const idOf = (value: string | { id: string } | null | undefined): string | null =>
  typeof value === "string" ? value : (value?.id ?? null);

function chargeOf(intent: string | Stripe.PaymentIntent | null): Stripe.Charge | null {
  const charge = typeof intent === "string" ? null : intent?.latest_charge;
  return typeof charge === "object" ? charge : null;
}

export function openReconciler(
  database: Database,
  provider: Provider,
  { clock, notices }: { clock: BillingClock; notices: Notices },
): Reconciler {
  const { db } = database;
  const { stripe } = provider;

  async function userOf(customer: string | { id: string } | null): Promise<string | undefined> {
    const row = await db
      .selectFrom("customers")
      .select("user_id")
      .where("id", "=", idOf(customer) ?? "")
      .executeTakeFirst();
    return row?.user_id;
  }

  async function recordPayment(payment: {
    id: string;
    userId: string;
    plan: Plan;
    amountCents: number;
    /** Whether it pays for a further period of a running plan. */
    renews?: boolean;
    /** When it renews next. */
    until?: Date | null;
    succeeded: boolean;
    paidAt: Date;
  }): Promise<void> {
    const status = payment.succeeded ? "succeeded" : "failed";
    const { id, userId, plan, amountCents, renews = false, until = null } = payment;
    const isNews = await database.transaction(async (transaction) => {
      const isNew = await transaction
        .insertInto("payments")
        .values({
          id: payment.id,
          user_id: userId,
          tier: plan.tier,
          amount_cents: amountCents,
          status,
          paid_at: payment.paidAt,
        })
        .onConflict((conflict) => conflict.column("id").doNothing())
        .returning("id")
        .executeTakeFirst();
      if (!isNew) {
        const changed = await transaction
          .updateTable("payments")
          .set({ status, amount_cents: amountCents })
          .where("id", "=", payment.id)
          // A payment stays paid even if the event of an earlier failure arrives late.
          .where("status", "=", "failed")
          .returning("id")
          .executeTakeFirst();
        if (!changed || status === "failed") return false;
      }
      await audit(transaction, {
        userId,
        what: payment.succeeded
          ? payment.renews
            ? "plan_renewed"
            : "plan_bought"
          : "payment_failed",
        by: "provider",
        about: { plan: plan.title, amount: DOLLARS.format(amountCents / 100) },
      });
      return true;
    });
    if (!isNews) return;
    if (payment.succeeded) {
      const kind = receiptKind({ id, status });
      notices.paid(userId, { plan, amountCents, renews, until }, async () =>
        kind ? receiptUrl(stripe, id, kind) : null,
      );
    } else if (renews) notices.renewalFailed(userId, { plan, amountCents });
  }

  async function nextRead(): Promise<number> {
    const { rows } = await sql<{ number: string }>`
      select nextval('provider_reads') as number`.execute(db);
    return Number(rows[0]?.number);
  }

  async function subscription(id: string): Promise<void> {
    const read = await nextRead();
    const found = await stripe.subscriptions.retrieve(id);
    const userId = await userOf(found.customer);
    const item = found.items.data[0];
    const plan = item && provider.planOf(item.price);
    if (!userId || !plan) return;
    const ended = ["canceled", "unpaid", "incomplete_expired"].includes(found.status);
    const row = {
      tier: plan.tier,
      status: ended
        ? ("ended" as const)
        : ["active", "trialing"].includes(found.status)
          ? ("active" as const)
          : ("past_due" as const),
      period_start: at(item.current_period_start),
      period_end: at(item.current_period_end),
      cancel_at_period_end: found.cancel_at_period_end,
      schedule_id: idOf(found.schedule),
      next_tier: ended ? null : await nextTierOf(found, item.current_period_end),
      ended_at: found.ended_at ? at(found.ended_at) : null,
      read_number: read,
    };
    await database.transaction(async (transaction) => {
      const before = await transaction
        .selectFrom("subscriptions")
        .select("status")
        .where("id", "=", id)
        .forUpdate()
        .executeTakeFirst();
      const written = await transaction
        .insertInto("subscriptions")
        .values({ id, user_id: userId, created_at: at(found.created), ...row })
        .onConflict((conflict) =>
          conflict
            .column("id")
            .doUpdateSet(row)
            .where("subscriptions.read_number", "<", String(read)),
        )
        .returning("id")
        .executeTakeFirst();
      if (ended && written && before && before.status !== "ended") {
        const about = { plan: plan.title };
        await audit(transaction, { userId, what: "plan_ended", by: "provider", about });
      }
    });
    if (ended) return;
    await endOlder(userId);
    // A tab that was left open before must not pay for a second subscription.
    await expireCheckouts(userId, found.created);
  }

  /** The tier of the phase that begins when the period ends; null without a schedule. */
  async function nextTierOf(
    { schedule }: Stripe.Subscription,
    periodEnd: number,
  ): Promise<PlanTier | null> {
    const id = idOf(schedule);
    if (!id) return null;
    const { phases } = await stripe.subscriptionSchedules.retrieve(id);
    const next = phases.find(({ start_date }) => start_date >= periodEnd);
    const plan = await planOfPrice(idOf(next?.items[0]?.price));
    return plan?.tier ?? null;
  }

  /**
   * A person has one running subscription: the newest. Whatever it replaces ends, with the rest credited, whether by an
   * upgrade or because two plans were paid in two tabs.
   */
  async function endOlder(userId: string): Promise<void> {
    const running = await db
      .selectFrom("subscriptions")
      .select(["id", "tier", "status", "created_at"])
      .where("user_id", "=", userId)
      .where("status", "!=", "ended")
      .execute();
    if (running.length < 2) return;
    // The provider's times are whole seconds: of two bought within one, the higher tier is the one to keep. Every process
    // must choose the same one, or they end each other's.
    running.sort(
      (a, b) =>
        b.created_at.getTime() - a.created_at.getTime() ||
        tierRank(b.tier) - tierRank(a.tier) ||
        (a.id < b.id ? -1 : 1),
    );
    for (const { id, status } of running.slice(1)) {
      // An unpaid period has nothing to credit.
      const rest = status === "active" ? { prorate: true, invoice_now: true } : {};
      await stripe.subscriptions.cancel(id, rest).catch((error: unknown) => {
        // Another check of the same user was faster.
        if (!isGone(error)) throw error;
      });
      await subscription(id);
    }
  }

  /** Closes checkouts that are still open; with `until` (Unix seconds) only those of plans opened by then. */
  async function expireCheckouts(userId: string, until?: number): Promise<void> {
    for (const { id } of await openCheckouts(userId)) {
      const session = await stripe.checkout.sessions.retrieve(id);
      const concerned =
        until === undefined || (session.mode === "subscription" && session.created <= until);
      if (session.status === "open" && concerned) {
        await stripe.checkout.sessions.expire(id).catch((error: unknown) => {
          // Paid at this very moment: then it counts.
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
        });
      }
    }
  }

  function openCheckouts(userId: string) {
    return db
      .selectFrom("checkouts")
      .select(["id", "tier"])
      .where("user_id", "=", userId)
      .where("settled", "=", false)
      .execute();
  }

  async function invoice(id: string): Promise<void> {
    const found = await stripe.invoices.retrieve(id);
    const userId = await userOf(found.customer as string);
    const subscriptionId = idOf(found.parent?.subscription_details?.subscription);
    if (!userId || !subscriptionId) return;
    await subscription(subscriptionId);
    const priceId = idOf(found.lines.data[0]?.pricing?.price_details?.price);
    const known = await db
      .selectFrom("subscriptions")
      .select(["tier", "period_end"])
      .where("id", "=", subscriptionId)
      .executeTakeFirst();
    const plan = (await planOfPrice(priceId)) ?? (known && planByTier(known.tier));
    if (!plan) return;
    // The final invoice of a replaced subscription only carries the credit.
    if (found.total <= 0) return;
    const paid = found.status === "paid";
    await recordPayment({
      id,
      userId,
      plan,
      amountCents: paid ? found.amount_paid : found.amount_due,
      renews: found.billing_reason === "subscription_cycle",
      until: known?.period_end ?? null,
      succeeded: paid,
      paidAt: at(found.created),
    });
  }

  /** The plan of a price, given the provider's id of it. */
  async function planOfPrice(id: string | null): Promise<Plan | undefined> {
    if (!id) return undefined;
    for (const plan of PLANS) {
      if (plan.billing === "monthly" && (await provider.priceOf(plan)) === id) return plan;
    }
    return undefined;
  }

  async function checkout(id: string): Promise<void> {
    const session = await stripe.checkout.sessions.retrieve(id, {
      expand: ["payment_intent.latest_charge"],
    });
    if (session.status === "open") return;
    const userId = await userOf(session.customer as string);
    const plan =
      planByTier(session.metadata?.["tier"] ?? "") ?? planByTitle(session.metadata?.["plan"] ?? "");
    if (session.status === "complete" && userId && plan) {
      if (session.mode === "subscription") {
        const subscriptionId = idOf(session.subscription);
        const invoiceId = idOf(session.invoice);
        if (subscriptionId) await subscription(subscriptionId);
        if (invoiceId) await invoice(invoiceId);
      } else if (session.payment_status === "paid") {
        // A checkout may stay open for a day: what counts is when the card was charged.
        const paidAt = at(chargeOf(session.payment_intent)?.created ?? session.created);
        await db
          .insertInto("purchases")
          .values({ id, user_id: userId, tier: plan.tier, purchased_at: paidAt })
          .onConflict((conflict) => conflict.column("id").doNothing())
          .execute();
        await recordPayment({
          id: idOf(session.payment_intent) ?? id,
          userId,
          plan,
          amountCents: session.amount_total ?? plan.priceCents,
          succeeded: true,
          paidAt,
        });
      }
    }
    await db.updateTable("checkouts").set({ settled: true }).where("id", "=", id).execute();
  }

  async function person(userId: string): Promise<void> {
    for (const { id } of await openCheckouts(userId)) await checkout(id);
    const running = await db
      .selectFrom("subscriptions")
      .select(["id", "period_end"])
      .where("user_id", "=", userId)
      .where("status", "!=", "ended")
      .execute();
    const now = await clock.now();
    for (const { id, period_end } of running) {
      if (period_end <= now || running.length > 1) await subscription(id);
    }
  }

  return {
    checkout,
    subscription,
    invoice,
    async failedPayment(intentId) {
      const intent = await stripe.paymentIntents.retrieve(intentId);
      // It was retried with another card, and its checkout records it.
      if (intent.status === "succeeded") return;
      const userId = await userOf(intent.customer as string);
      const plan = planByTier(intent.metadata["tier"] ?? "");
      if (!userId || !plan) return;
      await recordPayment({
        id: intent.id,
        userId,
        plan,
        amountCents: intent.amount,
        succeeded: false,
        paidAt: at(intent.created),
      });
    },
    openCheckouts,
    expireCheckouts: (userId) => expireCheckouts(userId),
    person,
    async payments(userId, customer) {
      await person(userId);
      const recorded = await db
        .selectFrom("payments")
        .select("id")
        .where("user_id", "=", userId)
        .where("status", "=", "succeeded")
        .execute();
      const known = new Set(recorded.map(({ id }) => id));
      for await (const { id, status } of stripe.invoices.list({ customer, limit: 100 })) {
        if (id && status === "paid" && !known.has(id)) await invoice(id);
      }
    },
  };
}
