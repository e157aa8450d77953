import { planByTitle, planByTier, tierRank, type Plan, type Tier } from "@stipple/contract";
import type Stripe from "stripe";
import type { Clock } from "../clock.ts";
import type { Db } from "../db/database.ts";
import type { Provider } from "./provider.ts";

/**
 * Brings our rows in line with the provider's state. Events only say what to look at: every function asks the
 * provider for the object as it is now and writes that, so that repeated, late and reordered events are harmless.
 */
export interface Reconciler {
  checkout(id: string): Promise<void>;
  subscription(id: string): Promise<void>;
  invoice(id: string): Promise<void>;
  failedPayment(intent: Stripe.PaymentIntent): Promise<void>;
  /** Looks at everything of a person that may have changed without an event having reached us. */
  person(userId: string): Promise<void>;
}

const at = (unixSeconds: number): Date => new Date(unixSeconds * 1000);
const idOf = (value: string | { id: string } | null | undefined): string | null =>
  typeof value === "string" ? value : (value?.id ?? null);

export function openReconciler(db: Db, provider: Provider, clock: Clock): Reconciler {
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
    succeeded: boolean;
    paidAt: Date;
  }): Promise<void> {
    const status = payment.succeeded ? "succeeded" : "failed";
    await db
      .insertInto("payments")
      .values({
        id: payment.id,
        user_id: payment.userId,
        tier: payment.plan.tier,
        amount_cents: payment.amountCents,
        status,
        paid_at: payment.paidAt,
      })
      .onConflict((conflict) =>
        // What has been paid stays paid, even when the news of an earlier failure comes late.
        conflict
          .column("id")
          .doUpdateSet({ status, amount_cents: payment.amountCents })
          .where("payments.status", "=", "failed"),
      )
      .execute();
  }

  async function subscription(id: string): Promise<void> {
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
      ended_at: found.ended_at ? at(found.ended_at) : null,
    };
    await db
      .insertInto("subscriptions")
      .values({ id, user_id: userId, created_at: at(found.created), ...row })
      .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
      .execute();
    if (!ended) await endOlder(userId);
  }

  /** A person has one running subscription: the newest. An upgrade ends the one it replaces, with the rest credited. */
  async function endOlder(userId: string): Promise<void> {
    const running = await db
      .selectFrom("subscriptions")
      .select(["id", "tier", "created_at"])
      .where("user_id", "=", userId)
      .where("status", "!=", "ended")
      .execute();
    // The provider's times are whole seconds: of two bought within one, the higher tier is the one to keep.
    running.sort(
      (a, b) =>
        b.created_at.getTime() - a.created_at.getTime() || tierRank(b.tier) - tierRank(a.tier),
    );
    for (const { id } of running.slice(1)) {
      await stripe.subscriptions.cancel(id, { prorate: true });
      await subscription(id);
    }
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
      .select("tier")
      .where("id", "=", subscriptionId)
      .executeTakeFirst();
    const plan = (await planOfPrice(priceId)) ?? (known && planByTier(known.tier));
    if (!plan) return;
    const paid = found.status === "paid";
    await recordPayment({
      id,
      userId,
      plan,
      amountCents: paid ? found.amount_paid : found.amount_due,
      succeeded: paid,
      paidAt: at(found.created),
    });
  }

  /** The plan of a price that the provider names by its id. */
  async function planOfPrice(id: string | null): Promise<Plan | undefined> {
    if (!id) return undefined;
    for (const tier of ["basic", "professional", "enterprise"] as const) {
      const plan = planByTier(tier);
      if (plan && (await provider.priceOf(plan)) === id) return plan;
    }
    return undefined;
  }

  async function checkout(id: string): Promise<void> {
    const session = await stripe.checkout.sessions.retrieve(id);
    if (session.status === "open") return;
    const userId = await userOf(session.customer as string);
    const plan =
      planByTier((session.metadata?.["tier"] ?? "") as Tier) ??
      planByTitle(session.metadata?.["plan"] ?? "");
    if (session.status === "complete" && userId && plan) {
      if (session.mode === "subscription") {
        const subscriptionId = idOf(session.subscription);
        const invoiceId = idOf(session.invoice);
        if (subscriptionId) await subscription(subscriptionId);
        if (invoiceId) await invoice(invoiceId);
      } else if (session.payment_status === "paid") {
        await db
          .insertInto("purchases")
          .values({ id, user_id: userId, tier: plan.tier, purchased_at: at(session.created) })
          .onConflict((conflict) => conflict.column("id").doNothing())
          .execute();
        await recordPayment({
          id: idOf(session.payment_intent) ?? id,
          userId,
          plan,
          amountCents: session.amount_total ?? plan.priceCents,
          succeeded: true,
          paidAt: at(session.created),
        });
      }
    }
    await db.updateTable("checkouts").set({ settled: true }).where("id", "=", id).execute();
  }

  return {
    checkout,
    subscription,
    invoice,
    async failedPayment(intent) {
      const userId = await userOf(intent.customer as string);
      const plan = planByTier((intent.metadata["tier"] ?? "") as Tier);
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
    async person(userId) {
      const open = await db
        .selectFrom("checkouts")
        .select("id")
        .where("user_id", "=", userId)
        .where("settled", "=", false)
        .execute();
      for (const { id } of open) await checkout(id);
      const due = await db
        .selectFrom("subscriptions")
        .select("id")
        .where("user_id", "=", userId)
        .where("status", "!=", "ended")
        .where("period_end", "<=", clock.now())
        .execute();
      for (const { id } of due) await subscription(id);
    },
  };
}
