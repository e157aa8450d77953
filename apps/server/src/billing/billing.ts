import { planByTier, planByTitle, type Plan, type Transaction } from "@stipple/contract";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Db } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import { creditOf, customerOf, openCheckout, refuseUnfit } from "./checkout.ts";
import { endNow } from "./end-plan.ts";
import type { Entitlements } from "./entitlements.ts";
import { readEvent } from "./events.ts";
import { expireCheckouts } from "./open-checkouts.ts";
import { openPlanChanges, type PlanChanges } from "./plan-changes.ts";
import { asking, ifThere, openProvider, type PaymentServices } from "./provider.ts";
import { receiptKind, receiptUrl } from "./receipts.ts";
import { reconcilePayments, reconcilePerson } from "./reconcile.ts";
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

type Parts = Omit<PaymentServices, "provider"> & {
  config: Config;
  logger: Logger;
  entitlements: Entitlements;
};

export function openBilling(parts: Parts): Billing {
  const { config, database, entitlements, logger } = parts;
  const { db } = database;
  const provider = openProvider(config);
  const payments = provider && { ...parts, provider };

  function need(): PaymentServices {
    if (payments) return payments;
    throw new ApiError(
      "payment_provider_failed",
      "Payments are not configured on this server: set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.",
    );
  }

  return {
    ...openPlanChanges({ entitlements, payments, need, database, notices: parts.notices }),
    async openCheckout(userId, planTitle) {
      const plan = planTitled(planTitle);
      refuseUnfit(plan, await entitlements.subscriptionOf(userId));
      const services = need();
      return asking(async () => {
        // What was just paid in another tab counts, though its event may not have arrived.
        await reconcilePerson(services, userId);
        refuseUnfit(plan, await entitlements.subscriptionOf(userId));
        const customer = await customerOf(services, userId);
        return openCheckout(services, config.publicUrl, { userId, customer, plan });
      });
    },
    preview: (userId, planTitle) => preview({ entitlements, need }, userId, planTitle),
    transactions: (userId) => transactions(db, userId),
    async takeEvent(payload, signature) {
      const services = need();
      const event = readEvent(services.provider.verifiedEvent(payload, signature));
      await takeEvent(services, logger, event);
    },
    catchUp: catchingUp(payments, logger),
    async lookUp(userId) {
      if (payments) await reconcilePerson(payments, userId);
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
    leave: (userId) => leave(db, need, userId),
  };
}

function planTitled(title: string): Plan {
  const plan = planByTitle(title);
  if (!plan) throw new ApiError("plan_unknown", `There is no plan named "${title}".`);
  return plan;
}

async function preview(
  { entitlements, need }: { entitlements: Entitlements; need: () => PaymentServices },
  userId: string,
  planTitle: string,
): Promise<Preview> {
  const plan = planTitled(planTitle);
  const standing = await entitlements.subscriptionOf(userId);
  refuseUnfit(plan, standing);
  const charged = { charged_today: plan.priceCents / 100 };
  const { stripe_subscription_id: id, subscription_tier: tier } = standing;
  if (id === null || plan.billing !== "monthly") return { ...charged, ends: null };
  const isExpired = standing.subscription_status === "expired";
  const credit = isExpired ? 0 : await asking(() => creditOf(need(), id));
  return { ...charged, ends: { plan: planByTier(tier)?.title ?? tier, credit } };
}

async function transactions(db: Db, userId: string): Promise<Transaction[]> {
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
}

/** Asks the provider about a person. Callers at the same time, and a moment after, share one look. */
function catchingUp(payments: PaymentServices | undefined, logger: Logger): Billing["catchUp"] {
  const looks = new Map<string, { at: number; look: Promise<void> }>();
  return async (userId) => {
    if (!payments) return;
    const now = Date.now();
    for (const [id, { at }] of looks) if (now - at >= CATCH_UP_MS) looks.delete(id);
    const look =
      looks.get(userId)?.look ??
      reconcilePerson(payments, userId).catch((error: unknown) =>
        logger.warn({ err: error }, "payments could not be retrieved"),
      );
    if (!looks.has(userId)) looks.set(userId, { at: now, look });
    await look;
  };
}

async function leave(db: Db, need: () => PaymentServices, userId: string): Promise<void> {
  const customer = await db
    .selectFrom("customers")
    .select("id")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (!customer) return;
  await asking(async () => {
    const services = need();
    await expireCheckouts(services, userId, () => true);
    // Once the account is gone, payment events can no longer be matched to anyone.
    await ifThere(reconcilePayments(services, userId, customer.id));
    const { stripe } = services.provider;
    const unpaid = await db
      .selectFrom("subscriptions")
      .select("id")
      .where("user_id", "=", userId)
      .where("status", "=", "past_due")
      .execute();
    for (const { id } of unpaid) await ifThere(endNow(stripe, id));
    // Deleting the customer ends a paid plan immediately; the provider keeps the invoices, unpaid ones for payment.
    await ifThere(stripe.customers.del(customer.id));
  });
}
