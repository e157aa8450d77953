import {
  isDowngrade,
  planByTier,
  planByTitle,
  type Plan,
  type Subscription,
  type Transaction,
} from "@stipple/contract";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import { accountGone, ApiError } from "../http/api-error.ts";
import type { Logger } from "pino";
import type { Notices } from "../notices/notices.ts";
import type { BillingClock } from "./billing-clock.ts";
import { openCheckout } from "./checkout.ts";
import type { Entitlements } from "./entitlements.ts";
import { asking, isGone, openProvider, type Provider } from "./provider.ts";
import { receiptKind, receiptUrl } from "./receipts.ts";
import { readEvent } from "./events.ts";
import { openPlanChanges, type PlanChanges } from "./plan-changes.ts";
import { openReconciler, type Reconciler } from "./reconcile.ts";
import { takeEvent } from "./take-event.ts";

export interface Preview {
  /** Dollars. */
  charged_today: number;
  ends: { plan: string; credit: number } | null;
}

/** Buying, changing and ending plans. */
export interface Billing extends PlanChanges {
  openCheckout(userId: string, planTitle: string): Promise<{ id: string; url: string }>;
  /**
   * What a checkout of a plan would charge, and what would become of the current plan. Throws the same errors as the
   * checkout.
   */
  preview(userId: string, planTitle: string): Promise<Preview>;
  transactions(userId: string): Promise<Transaction[]>;
  /** Handles one event from the provider. Throws if its signature is invalid. */
  takeEvent(payload: Buffer, signature: string): Promise<void>;
  /** Looks for payments whose event has not reached us. Never throws. */
  catchUp(userId: string): Promise<void>;
  /** `catchUp` for a decision that must not be wrong: throws when the provider cannot be asked. */
  lookUp(userId: string): Promise<void>;
  /** A link to the provider's receipt or invoice of a payment. Throws receipt_missing. */
  receipt(userId: string, paymentId: string): Promise<string>;
  /** Ends everything at the provider for a departing user: open checkouts, the plan (immediately), the stored card. */
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
  notices: Notices;
}): Billing {
  const { database, clock, config, logger, entitlements, notices } = parts;
  const { db } = database;
  const provider = openProvider(config);
  const reconciler = provider && openReconciler(database, provider, { clock, notices });
  const asked = new Map<string, number>();

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

  /** Dollars that ending a subscription now would credit, as calculated by the provider. */
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

  return {
    ...openPlanChanges({ database, entitlements, notices, reconciler, need }),

    async openCheckout(userId, planTitle) {
      const plan = planByTitle(planTitle);
      if (!plan) throw new ApiError("plan_unknown", `There is no plan named "${planTitle}".`);
      refuseUnfit(plan, await entitlements.subscriptionOf(userId));
      const { provider, reconciler } = need();
      return asking(async () => {
        // What was just paid in another tab counts, though its event may not have arrived.
        await reconciler.person(userId);
        refuseUnfit(plan, await entitlements.subscriptionOf(userId));
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
      await takeEvent({ db, clock, logger, reconciler }, event);
    },

    async catchUp(userId) {
      if (!reconciler) return;
      const now = Date.now();
      if (now - (asked.get(userId) ?? 0) < CATCH_UP_MS) return;
      for (const [id, at] of asked) if (now - at > CATCH_UP_MS) asked.delete(id);
      asked.set(userId, now);
      await reconciler
        .person(userId)
        .catch((error: unknown) => logger.warn({ err: error }, "payments could not be retrieved"));
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
        // Once the account is gone, payment events can no longer be matched to anyone.
        await reconciler.payments(userId, customer.id);
        // Deleting the customer ends the subscription immediately; the provider keeps the invoices.
        await provider.stripe.customers.del(customer.id).catch((error: unknown) => {
          if (!isGone(error)) throw error;
        });
      });
    },
  };
}
