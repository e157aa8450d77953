import {
  isDowngrade,
  planByTier,
  planByTitle,
  type Activity,
  type Plan,
  type PlanTier,
  type Subscription,
  type Transaction,
} from "@stipple/contract";
import type Stripe from "stripe";
import type { Config } from "../config.ts";
import { audit } from "../audit/audit.ts";
import type { Database } from "../db/database.ts";
import { accountGone, ApiError } from "../http/api-error.ts";
import type { Logger } from "pino";
import type { BillingClock } from "./billing-clock.ts";
import { openCheckout } from "./checkout.ts";
import type { Entitlements } from "./entitlements.ts";
import { asking, isGone, isRefused, openProvider, type Provider } from "./provider.ts";
import { receiptKind, receiptUrl } from "./receipts.ts";
import { isClockMove, readEvent } from "./events.ts";
import { onePerPerson } from "./one-per-person.ts";
import { openReconciler, type Reconciler } from "./reconcile.ts";

export interface Changed {
  message: string;
  subscription_status: string;
  subscription_end_date: string | null;
}

export interface Preview {
  /** Dollars. */
  charged_today: number;
  ends: { plan: string; credit: number } | null;
}

/** Buying, changing and ending plans. */
export interface Billing {
  openCheckout(userId: string, planTitle: string): Promise<{ id: string; url: string }>;
  scheduleDowngrade(userId: string, target: PlanTier): Promise<Date>;
  /** Takes a scheduled downgrade back. Throws no_downgrade. */
  undoDowngrade(userId: string): Promise<Changed>;
  /** What a checkout of a plan would charge, and what becomes of the plan that runs. Throws what the checkout would. */
  preview(userId: string, planTitle: string): Promise<Preview>;
  cancel(userId: string, subscriptionId: string | undefined): Promise<Changed>;
  reactivate(userId: string): Promise<Changed>;
  transactions(userId: string): Promise<Transaction[]>;
  /** Takes one event of the provider. Throws when its signature is not the provider's. */
  takeEvent(payload: Buffer, signature: string): Promise<void>;
  /** Looks for payments whose event has not reached us. Never throws. */
  catchUp(userId: string): Promise<void>;
  /** The same for a decision that must not be wrong: throws when the provider cannot be asked. */
  lookUp(userId: string): Promise<void>;
  /** A link to the provider's receipt or invoice of a payment. Throws receipt_missing. */
  receipt(userId: string, paymentId: string): Promise<string>;
  /** Ends everything at the provider for a person who leaves: open checkouts, the plan at once, the stored card. */
  leave(userId: string): Promise<void>;
}

/** How often the provider is asked about one person's open checkouts. */
const CATCH_UP_MS = 2_000;

export function openBilling(parts: {
  database: Database;
  clock: BillingClock;
  config: Config;
  logger: Logger;
  entitlements: Entitlements;
}): Billing {
  const { database, clock, config, logger, entitlements } = parts;
  const { db } = database;
  const provider = openProvider(config);
  const reconciler = provider && openReconciler(database, provider, clock);
  const asked = new Map<string, number>();
  const changes = onePerPerson();

  function need(): { provider: Provider; reconciler: Reconciler } {
    if (!provider || !reconciler) {
      throw new ApiError(
        "payment_provider_failed",
        "Payments are not configured on this server: set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.",
      );
    }
    return { provider, reconciler };
  }

  async function customerOf(userId: string): Promise<string> {
    const { provider } = need();
    const known = await db
      .selectFrom("customers")
      .select("id")
      .where("user_id", "=", userId)
      .executeTakeFirst();
    if (known) return known.id;
    const { email } = await db
      .selectFrom("users")
      .select("email")
      .where("id", "=", userId)
      .executeTakeFirstOrThrow(() => accountGone());
    const customer = await provider.stripe.customers.create(
      { email, metadata: { user_id: userId } },
      // Two clicks at once make one customer.
      { idempotencyKey: `customer-${userId}` },
    );
    await db
      .insertInto("customers")
      .values({ user_id: userId, id: customer.id })
      .onConflict((conflict) => conflict.column("user_id").doNothing())
      .execute();
    return customer.id;
  }

  /**
   * The running subscription of a person as the provider has it now. An upgrade that was paid a moment ago counts before
   * its event arrives: otherwise a cancellation would end the plan that it replaces, and the new one would renew.
   */
  async function running(userId: string): Promise<{ standing: Subscription; id: string }> {
    if (reconciler) {
      await asking(() => reconciler.person(userId));
      const known = (await entitlements.subscriptionOf(userId)).stripe_subscription_id;
      if (known) await asking(() => reconciler.subscription(known));
    }
    const standing = await entitlements.subscriptionOf(userId);
    if (!standing.stripe_subscription_id) throw new ApiError("no_subscription");
    return { standing, id: standing.stripe_subscription_id };
  }

  async function afterChange(
    userId: string,
    id: string,
    what: Activity,
    message: string,
  ): Promise<Changed> {
    await asking(() => need().reconciler.subscription(id));
    const now = await entitlements.subscriptionOf(userId);
    await audit(db, {
      userId,
      what,
      about: {
        plan: planByTier(now.subscription_tier)?.title ?? now.subscription_tier,
        until: now.subscription_end_date ?? "",
      },
    });
    return {
      message,
      subscription_status: now.subscription_status,
      subscription_end_date: now.subscription_end_date,
    };
  }

  /** Dollars that ending a subscription now credits, as the provider reckons them. */
  async function creditOf(subscriptionId: string): Promise<number> {
    const { total } = await need().provider.stripe.invoices.createPreview({
      subscription: subscriptionId,
      subscription_details: { cancel_now: true, proration_behavior: "create_prorations" },
    });
    return Math.max(0, -total) / 100;
  }

  function refuseUnfit(plan: Plan, standing: Subscription): void {
    const live = standing.stripe_subscription_id !== null;
    if (!live || standing.subscription_status === "expired" || plan.billing === "one_time") return;
    if (plan.tier === standing.subscription_tier) throw new ApiError("plan_current");
    if (isDowngrade(standing.subscription_tier, plan.tier)) throw new ApiError("downgrade_instead");
  }

  /**
   * A change of a plan reads the provider's objects and then writes them. Those of one person follow one another; should
   * another process come between, the provider refuses and the change begins again with what is there then.
   */
  function changing<A extends unknown[], T>(
    change: (userId: string, ...rest: A) => Promise<T>,
  ): (userId: string, ...rest: A) => Promise<T> {
    return (userId, ...rest) =>
      changes(userId, () =>
        change(userId, ...rest).catch((error: unknown) => {
          if (!isRefused((error as Error).cause)) throw error;
          return change(userId, ...rest);
        }),
      );
  }

  return {
    async openCheckout(userId, planTitle) {
      const plan = planByTitle(planTitle);
      if (!plan) throw new ApiError("plan_unknown", `There is no plan named "${planTitle}".`);
      refuseUnfit(plan, await entitlements.subscriptionOf(userId));
      const { provider, reconciler } = need();
      return asking(async () => {
        const customer = await customerOf(userId);
        return openCheckout(
          { db, clock, provider, reconciler, publicUrl: config.publicUrl },
          {
            userId,
            customer,
            plan,
          },
        );
      });
    },

    scheduleDowngrade: changing(async (userId, target: PlanTier) => {
      const { standing, id } = await running(userId);
      if (!isDowngrade(standing.subscription_tier, target)) throw new ApiError("not_a_downgrade");
      const plan = planByTier(target);
      if (!plan) throw new ApiError("plan_unknown");
      const { stripe, priceOf } = need().provider;
      return asking(async () => {
        const found = await stripe.subscriptions.retrieve(id);
        const item = found.items.data[0];
        if (!item) throw new ApiError("no_subscription");
        // Going on with less takes a cancellation back; the page says so before it asks.
        if (found.cancel_at_period_end) {
          await stripe.subscriptions.update(id, { cancel_at_period_end: false });
        }
        const existing = found.schedule;
        const schedule = existing
          ? typeof existing === "string"
            ? existing
            : existing.id
          : (await stripe.subscriptionSchedules.create({ from_subscription: id })).id;
        await stripe.subscriptionSchedules.update(schedule, {
          end_behavior: "release",
          phases: [
            {
              items: [{ price: item.price.id, quantity: 1 }],
              start_date: item.current_period_start,
              end_date: item.current_period_end,
            },
            { items: [{ price: await priceOf(plan), quantity: 1 }] },
          ],
        });
        await need().reconciler.subscription(id);
        const effective = new Date(item.current_period_end * 1000);
        await audit(db, {
          userId,
          what: "downgrade_scheduled",
          about: { plan: plan.title, until: effective.toISOString() },
        });
        return effective;
      });
    }),

    undoDowngrade: changing(async (userId) => {
      const { standing, id } = await running(userId);
      if (!standing.scheduled_downgrade) throw new ApiError("no_downgrade");
      const { stripe } = need().provider;
      await asking(async () => {
        const { schedule } = await stripe.subscriptions.retrieve(id);
        if (!schedule) {
          // It has begun, or somebody else was faster: our rows may not know yet.
          await need().reconciler.subscription(id);
          throw new ApiError("no_downgrade");
        }
        await stripe.subscriptionSchedules.release(
          typeof schedule === "string" ? schedule : schedule.id,
        );
      });
      return afterChange(userId, id, "downgrade_undone", "Your plan stays as it is.");
    }),

    async preview(userId, planTitle) {
      const plan = planByTitle(planTitle);
      if (!plan) throw new ApiError("plan_unknown", `There is no plan named "${planTitle}".`);
      const standing = await entitlements.subscriptionOf(userId);
      refuseUnfit(plan, standing);
      const charged = { charged_today: plan.priceCents / 100 };
      const id = standing.stripe_subscription_id;
      const ending = id !== null && plan.billing === "monthly";
      if (!ending) return { ...charged, ends: null };
      const credit =
        standing.subscription_status === "expired" ? 0 : await asking(() => creditOf(id));
      const { subscription_tier: tier } = standing;
      return { ...charged, ends: { plan: planByTier(tier)?.title ?? tier, credit } };
    },

    cancel: changing(async (userId, subscriptionId: string | undefined) => {
      const { standing, id } = await running(userId);
      if (subscriptionId !== undefined && subscriptionId !== id) {
        throw new ApiError("no_subscription");
      }
      if (standing.subscription_status !== "active") throw new ApiError("no_subscription");
      const { stripe } = need().provider;
      await asking(async () => {
        const { schedule } = await stripe.subscriptions.retrieve(id);
        // A scheduled downgrade would renew what is being cancelled.
        if (schedule) {
          await stripe.subscriptionSchedules.release(
            typeof schedule === "string" ? schedule : schedule.id,
          );
        }
        await stripe.subscriptions.update(id, { cancel_at_period_end: true });
      });
      return afterChange(
        userId,
        id,
        "plan_cancelled",
        "Your subscription ends at the end of the current period.",
      );
    }),

    reactivate: changing(async (userId) => {
      const { standing, id } = await running(userId);
      if (standing.subscription_status !== "cancelled") throw new ApiError("no_subscription");
      await asking(() =>
        need().provider.stripe.subscriptions.update(id, { cancel_at_period_end: false }),
      );
      return afterChange(userId, id, "plan_reactivated", "Your subscription is active again.");
    }),

    async transactions(userId) {
      const rows = await db
        .selectFrom("payments")
        .selectAll()
        .where("user_id", "=", userId)
        .orderBy("paid_at", "desc")
        .execute();
      return rows.map((row) => ({
        id: row.id,
        date: row.paid_at.toISOString(),
        plan_type: planByTier(row.tier)?.title ?? row.tier,
        amount: row.amount_cents / 100,
        status: row.status,
        has_receipt: receiptKind(row) !== null,
      }));
    },

    async takeEvent(payload, signature) {
      const { provider, reconciler } = need();
      const event = readEvent(provider.verifiedEvent(payload, signature));
      const taken = await db
        .selectFrom("provider_events")
        .select("id")
        .where("id", "=", event.id)
        .executeTakeFirst();
      if (taken) return;
      if (isClockMove(event)) {
        const { ahead_ms, deletes_ahead_ms } = event.data.object;
        await clock.moved(ahead_ms, deletes_ahead_ms);
      } else {
        await asking(() => apply(event as unknown as Stripe.Event, reconciler)).catch(
          (error: unknown) => {
            // What the provider itself does not know has no state that ours could be brought in line with.
            if (!isGone((error as Error).cause)) throw error;
            logger.warn(
              { event: event.id },
              "an event of an object that the provider does not know",
            );
          },
        );
      }
      const takenAt = await clock.now();
      // Only now: an event that could not be applied is delivered again.
      await db
        .insertInto("provider_events")
        .values({ id: event.id, type: event.type, taken_at: takenAt })
        .onConflict((conflict) => conflict.column("id").doNothing())
        .execute();
    },

    async catchUp(userId) {
      if (!reconciler) return;
      const now = Date.now();
      if (now - (asked.get(userId) ?? 0) < CATCH_UP_MS) return;
      for (const [id, at] of asked) if (now - at > CATCH_UP_MS) asked.delete(id);
      asked.set(userId, now);
      await reconciler
        .person(userId)
        .catch((error: unknown) => logger.warn({ err: error }, "payments could not be looked up"));
    },

    async lookUp(userId) {
      await reconciler?.person(userId);
    },

    async receipt(userId, paymentId) {
      const row = await db
        .selectFrom("payments")
        .select(["id", "status"])
        .where("id", "=", paymentId)
        .where("user_id", "=", userId)
        .executeTakeFirst();
      const kind = row && receiptKind(row);
      if (!kind) throw new ApiError("receipt_missing");
      const { stripe } = need().provider;
      const url = await asking(() => receiptUrl(stripe, paymentId, kind));
      if (!url) throw new ApiError("receipt_missing");
      return url;
    },

    async leave(userId) {
      const customer = await db
        .selectFrom("customers")
        .select("id")
        .where("user_id", "=", userId)
        .executeTakeFirst();
      if (!customer) return;
      await asking(async () => {
        const { provider, reconciler } = need();
        await reconciler.expireCheckouts(userId);
        // Once the account is gone, the news of a payment names nobody whom we know.
        await reconciler.payments(userId, customer.id);
        // Without its customer a subscription ends at once; the provider keeps the invoices.
        await provider.stripe.customers.del(customer.id).catch((error: unknown) => {
          if (!isGone(error)) throw error;
        });
      });
    },
  };
}

async function apply(event: Stripe.Event, reconciler: Reconciler): Promise<void> {
  switch (event.type) {
    case "checkout.session.completed":
    case "checkout.session.async_payment_succeeded":
    case "checkout.session.expired":
      return reconciler.checkout(event.data.object.id);
    case "customer.subscription.created":
    case "customer.subscription.updated":
    case "customer.subscription.deleted":
      return reconciler.subscription(event.data.object.id);
    case "invoice.paid":
    case "invoice.payment_failed":
      return event.data.object.id ? reconciler.invoice(event.data.object.id) : undefined;
    case "payment_intent.payment_failed":
      return reconciler.failedPayment(event.data.object.id);
    default:
      return undefined;
  }
}
