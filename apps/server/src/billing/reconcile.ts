import { planByTier, planByTitle, tierRank } from "@stipple/contract";
import { sql } from "kysely";
import type Stripe from "stripe";
import { audit } from "../audit/audit.ts";
import type { Db } from "../db/database.ts";
import { endNow } from "./end-plan.ts";
import { expireCheckouts, openCheckouts } from "./open-checkouts.ts";
import { idOf, ifThere, type PaymentServices } from "./provider.ts";
import { recordPayment } from "./record-payment.ts";
import { promiseStorage } from "./storage-time.ts";
import { at, planOfPrice, subscriptionRow } from "./subscription-row.ts";

/*
 * Brings our rows in line with the provider's state. Events only say what to look at: every function requests the
 * object's current state from the provider and writes it, so repeated, late, and reordered events are harmless.
 * Requests about a subscription are numbered before they begin, and an earlier one never overwrites a later one.
 * Whatever changes last is checked last, so the rows end up in the provider's current state without any lock.
 */

export async function reconcileSubscription(services: PaymentServices, id: string): Promise<void> {
  const { database, provider } = services;
  const read = await nextRead(database.db);
  const found = await provider.stripe.subscriptions.retrieve(id);
  const userId = await userOf(database.db, found.customer);
  const item = found.items.data[0];
  const known = await database.db
    .selectFrom("subscriptions")
    .select("tier")
    .where("id", "=", id)
    .executeTakeFirst();
  // Begun at a checkout whose payment was declined or waits for the bank: no plan, and it must not end one.
  if (!known && found.status.startsWith("incomplete")) return;
  // A price that is not ours, e.g. a discount made by hand at the provider, leaves a known plan as it is.
  // One that was archived has no plan anymore; what was bought at it says which it is.
  const tier = known?.tier ?? found.metadata["tier"] ?? "";
  const plan = item && (provider.planOf(item.price) ?? planByTier(tier));
  if (!userId || !plan) return;
  const row = { ...(await subscriptionRow(provider, found, item, plan)), read_number: read };
  if (row.status === "active") await promiseStorage(database.db, userId, plan);
  const openBefore = known ? [] : await openCheckouts(database.db, userId);
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
    if (row.status === "ended" && written && before && before.status !== "ended") {
      const about = { plan: plan.title };
      await audit(transaction, { userId, what: "plan_ended", by: "provider", about });
    }
  });
  if (row.status === "ended") return;
  await endOlder(services, userId);
  // A tab that was left open before must not pay for a second subscription.
  // Of those opened within its second, which times of whole seconds cannot order, that is one opened before it was known.
  await expireCheckouts(services, userId, ({ id: checkout, mode, created }) => {
    const isOlder =
      created < found.created ||
      (created === found.created && openBefore.some((each) => each.id === checkout));
    return mode === "subscription" && isOlder;
  });
}

/**
 * A person has one running subscription: the newest. Whatever it replaces ends, with the rest credited, whether by an
 * upgrade or because two plans were paid in two tabs.
 */
async function endOlder(services: PaymentServices, userId: string): Promise<void> {
  const { clock, database, provider } = services;
  const running = await database.db
    .selectFrom("subscriptions")
    .select(["id", "tier", "created_at"])
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
  for (const { id } of running.slice(1)) {
    // Another check of the same user may be faster.
    await ifThere(endNow(provider.stripe, id));
    const isNoted = await ifThere(reconcileSubscription(services, id).then(() => true));
    if (isNoted) continue;
    // Unknown there, so nobody else would end it.
    await database.db
      .updateTable("subscriptions")
      .set({ status: "ended", ended_at: await clock.now() })
      .where("id", "=", id)
      .execute();
  }
}

export async function reconcileInvoice(services: PaymentServices, id: string): Promise<void> {
  const { provider } = services;
  const { db } = services.database;
  const found = await provider.stripe.invoices.retrieve(id);
  const userId = await userOf(db, found.customer as string);
  const subscriptionId = idOf(found.parent?.subscription_details?.subscription);
  if (!userId || !subscriptionId) return;
  await reconcileSubscription(services, subscriptionId);
  const priceId = idOf(found.lines.data[0]?.pricing?.price_details?.price);
  const known = await db
    .selectFrom("subscriptions")
    .select(["tier", "period_end"])
    .where("id", "=", subscriptionId)
    .executeTakeFirst();
  const plan = (await planOfPrice(provider, priceId)) ?? (known && planByTier(known.tier));
  if (!plan) return;
  // The final invoice of a replaced subscription only carries the credit.
  if (found.total <= 0) return;
  const paid = found.status === "paid";
  await recordPayment(services, {
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

export async function reconcileCheckout(services: PaymentServices, id: string): Promise<void> {
  const { provider } = services;
  const { db } = services.database;
  const session = await ifThere(
    provider.stripe.checkout.sessions.retrieve(id, { expand: ["payment_intent.latest_charge"] }),
  );
  if (session?.status === "open") return;
  if (session?.status === "complete") await takeCheckout(services, session);
  await db.updateTable("checkouts").set({ settled: true }).where("id", "=", id).execute();
}

async function takeCheckout(
  services: PaymentServices,
  session: Stripe.Checkout.Session,
): Promise<void> {
  const { db } = services.database;
  const userId = await userOf(db, session.customer as string);
  const plan =
    planByTier(session.metadata?.["tier"] ?? "") ?? planByTitle(session.metadata?.["plan"] ?? "");
  if (!userId || !plan) return;
  if (session.mode === "subscription") {
    const subscriptionId = idOf(session.subscription);
    const invoiceId = idOf(session.invoice);
    if (subscriptionId) await reconcileSubscription(services, subscriptionId);
    if (invoiceId) await reconcileInvoice(services, invoiceId);
  } else if (session.payment_status === "paid") {
    // A checkout may stay open for a day: what counts is when the card was charged.
    const paidAt = at(chargeOf(session.payment_intent)?.created ?? session.created);
    await db
      .insertInto("purchases")
      .values({ id: session.id, user_id: userId, tier: plan.tier, purchased_at: paidAt })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
    await promiseStorage(db, userId, plan);
    await recordPayment(services, {
      id: idOf(session.payment_intent) ?? session.id,
      userId,
      plan,
      amountCents: session.amount_total ?? plan.priceCents,
      succeeded: true,
      paidAt,
    });
  }
}

function chargeOf(intent: string | Stripe.PaymentIntent | null): Stripe.Charge | null {
  const charge = typeof intent === "string" ? null : intent?.latest_charge;
  return typeof charge === "object" ? charge : null;
}

export async function reconcileFailedPayment(
  services: PaymentServices,
  intentId: string,
): Promise<void> {
  const intent = await services.provider.stripe.paymentIntents.retrieve(intentId);
  // It was retried with another card, and its checkout records it.
  if (intent.status === "succeeded") return;
  const userId = await userOf(services.database.db, intent.customer as string);
  const plan = planByTier(intent.metadata["tier"] ?? "");
  if (!userId || !plan) return;
  await recordPayment(services, {
    id: intent.id,
    userId,
    plan,
    amountCents: intent.amount,
    succeeded: false,
    paidAt: at(intent.created),
  });
}

/** Looks at everything of a person that may have changed without an event having reached us. */
export async function reconcilePerson(services: PaymentServices, userId: string): Promise<void> {
  const { clock } = services;
  const { db } = services.database;
  for (const { id } of await openCheckouts(db, userId)) {
    await reconcileCheckout(services, id);
  }
  const running = await db
    .selectFrom("subscriptions")
    .select(["id", "period_end"])
    .where("user_id", "=", userId)
    .where("status", "!=", "ended")
    .execute();
  const now = await clock.now();
  for (const { id, period_end } of running) {
    if (period_end > now && running.length === 1) continue;
    await ifThere(reconcileSubscription(services, id));
  }
}

/** Records every payment of a person whose event has not reached us yet. */
export async function reconcilePayments(
  services: PaymentServices,
  userId: string,
  customer: string,
): Promise<void> {
  await reconcilePerson(services, userId);
  const recorded = await services.database.db
    .selectFrom("payments")
    .select("id")
    .where("user_id", "=", userId)
    .where("status", "=", "succeeded")
    .execute();
  const known = new Set(recorded.map(({ id }) => id));
  for await (const { id, status } of services.provider.stripe.invoices.list({
    customer,
    limit: 100,
  })) {
    if (id && status === "paid" && !known.has(id)) await reconcileInvoice(services, id);
  }
}

async function userOf(
  db: Db,
  customer: string | { id: string } | null,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("customers")
    .select("user_id")
    .where("id", "=", idOf(customer) ?? "")
    .executeTakeFirst();
  return row?.user_id;
}

async function nextRead(db: Db): Promise<number> {
  const { rows } = await sql<{ number: string }>`
    select nextval('provider_reads') as number`.execute(db);
  return Number(rows[0]?.number);
}
