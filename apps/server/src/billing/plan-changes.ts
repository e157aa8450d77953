import {
  isDowngrade,
  planByTier,
  type Activity,
  type PlanTier,
  type Subscription,
} from "@stipple/contract";
import type Stripe from "stripe";
import { audit } from "../audit/audit.ts";
import type { Database } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import type { Notices } from "../notices/notices.ts";
import { serializeByKey } from "../operations/serialize-by-key.ts";
import { endNow } from "./end-plan.ts";
import type { Entitlements } from "./entitlements.ts";
import { asking, idOf, isRefused, type PaymentServices } from "./provider.ts";
import { reconcilePerson, reconcileSubscription } from "./reconcile.ts";

export interface Changed {
  message: string;
  subscription_status: string;
  subscription_end_date: string | null;
}

/** What people do with a plan that they have. */
export interface PlanChanges {
  scheduleDowngrade(userId: string, target: PlanTier): Promise<Date>;
  /** Cancels a scheduled downgrade. Throws no_downgrade. */
  undoDowngrade(userId: string): Promise<Changed>;
  /** Ends a plan with its period, or at once if its renewal is unpaid. Throws no_subscription. */
  cancel(userId: string, subscriptionId: string | undefined): Promise<Changed>;
  reactivate(userId: string): Promise<Changed>;
}

interface Parts {
  database: Database;
  entitlements: Entitlements;
  notices: Notices;
  /** None if payments are not configured. */
  payments: PaymentServices | undefined;
  /** The same; throws where payments are not configured. */
  need: () => PaymentServices;
}

export function openPlanChanges(parts: Parts): PlanChanges {
  const changes = serializeByKey<string>();

  /**
   * Runs a plan change, which reads the provider's objects and then writes them. One user's changes run one after the
   * other; if another process interferes, the provider refuses, and the change starts again from the new state.
   */
  function changing<A extends unknown[], T>(
    change: (parts: Parts, userId: string, ...rest: A) => Promise<T>,
  ): (userId: string, ...rest: A) => Promise<T> {
    return (userId, ...rest) =>
      changes(userId, () =>
        change(parts, userId, ...rest).catch((error: unknown) => {
          if (!isRefused((error as Error).cause)) throw error;
          return change(parts, userId, ...rest);
        }),
      );
  }

  return {
    scheduleDowngrade: changing(scheduleDowngrade),
    undoDowngrade: changing(undoDowngrade),
    cancel: changing(cancel),
    reactivate: changing(reactivate),
  };
}

/**
 * A user's running subscription in the provider's current state. An upgrade that was just paid counts before its event
 * arrives: otherwise a cancellation would end the plan being replaced, and the new one would renew.
 */
async function running(
  { entitlements, payments }: Parts,
  userId: string,
): Promise<{ standing: Subscription; id: string }> {
  if (payments) {
    await asking(() => reconcilePerson(payments, userId));
    const known = planOf(await entitlements.subscriptionOf(userId));
    if (known) await asking(() => reconcileSubscription(payments, known));
  }
  const standing = await entitlements.subscriptionOf(userId);
  const id = planOf(standing);
  if (!id) throw new ApiError("no_subscription");
  return { standing, id };
}

function planOf(standing: Subscription): string | undefined {
  return standing.stripe_subscription_id ?? standing.unpaid_subscription?.id;
}

async function afterChange(
  { database, entitlements, need }: Parts,
  userId: string,
  id: string,
  what: Activity,
  message: string,
): Promise<Changed> {
  await asking(() => reconcileSubscription(need(), id));
  const now = await entitlements.subscriptionOf(userId);
  const { tier, until } = await database.db
    .selectFrom("subscriptions")
    .select((row) => ["tier", row.fn.coalesce("ended_at", "period_end").as("until")])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const about = { plan: planByTier(tier)?.title ?? tier, until: until.toISOString() };
  await audit(database.db, { userId, what, about });
  return {
    message,
    subscription_status: now.subscription_status,
    subscription_end_date: now.subscription_end_date,
  };
}

async function scheduleDowngrade(parts: Parts, userId: string, target: PlanTier): Promise<Date> {
  const { standing, id } = await running(parts, userId);
  // What is unpaid goes through a fresh checkout.
  if (standing.subscription_status === "expired") throw new ApiError("no_subscription");
  if (!isDowngrade(standing.subscription_tier, target)) throw new ApiError("not_a_downgrade");
  const plan = planByTier(target);
  if (!plan) throw new ApiError("plan_unknown");
  const services = parts.need();
  const { stripe, priceOf } = services.provider;
  return asking(async () => {
    const found = await stripe.subscriptions.retrieve(id);
    const item = found.items.data[0];
    if (!item) throw new ApiError("no_subscription");
    const price = await priceOf(plan);
    // Choosing a lower plan undoes a cancellation; the page says so before asking.
    const isCanceled = await goOn(stripe, found);
    try {
      await changeAtPeriodEnd(stripe, found, item, price);
    } catch (error) {
      // The plan was not to renew, and there is no lower one that does.
      if (isCanceled) await endWithPeriod(stripe, id);
      throw error;
    }
    await reconcileSubscription(services, id);
    const effective = new Date(item.current_period_end * 1000);
    const about = { plan: plan.title, until: effective.toISOString() };
    await audit(parts.database.db, { userId, what: "downgrade_scheduled", about });
    return effective;
  });
}

async function changeAtPeriodEnd(
  stripe: Stripe,
  { id, schedule: known }: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  price: string,
): Promise<void> {
  const schedule =
    idOf(known) ?? (await stripe.subscriptionSchedules.create({ from_subscription: id })).id;
  await stripe.subscriptionSchedules.update(schedule, {
    end_behavior: "release",
    phases: [
      {
        items: [{ price: item.price.id, quantity: 1 }],
        start_date: item.current_period_start,
        end_date: item.current_period_end,
      },
      { items: [{ price, quantity: 1 }] },
    ],
  });
}

async function endWithPeriod(stripe: Stripe, id: string): Promise<void> {
  // A scheduled downgrade would renew what is to end.
  await release(stripe, id);
  await stripe.subscriptions.update(id, { cancel_at_period_end: true });
}

/** Withdraws a cancellation, which has a time of its own if it was made at the provider; false if there is none. */
async function goOn(
  stripe: Stripe,
  { id, cancel_at, cancel_at_period_end }: Stripe.Subscription,
): Promise<boolean> {
  if (!cancel_at && !cancel_at_period_end) return false;
  const change = cancel_at_period_end
    ? { cancel_at_period_end: false }
    : { cancel_at: "" as const };
  await stripe.subscriptions.update(id, change);
  return true;
}

async function undoDowngrade(parts: Parts, userId: string): Promise<Changed> {
  const { standing, id } = await running(parts, userId);
  if (!standing.scheduled_downgrade) throw new ApiError("no_downgrade");
  const services = parts.need();
  await asking(async () => {
    if (await release(services.provider.stripe, id)) return;
    // It has taken effect, or another call was faster; our rows may be out of date.
    await reconcileSubscription(services, id);
    throw new ApiError("no_downgrade");
  });
  return afterChange(parts, userId, id, "downgrade_undone", "Your plan does not change.");
}

/** Lets a subscription go on without its schedule; false if it has none. */
async function release(stripe: Stripe, id: string): Promise<boolean> {
  const schedule = idOf((await stripe.subscriptions.retrieve(id)).schedule);
  if (schedule) await stripe.subscriptionSchedules.release(schedule);
  return schedule !== null;
}

async function cancel(
  parts: Parts,
  userId: string,
  subscriptionId: string | undefined,
): Promise<Changed> {
  const { standing, id } = await running(parts, userId);
  if (subscriptionId !== undefined && subscriptionId !== id) throw new ApiError("no_subscription");
  if (standing.subscription_status === "cancelled") throw new ApiError("no_subscription");
  const { stripe } = parts.need().provider;
  if (standing.unpaid_subscription) {
    // Otherwise the failed charge would be tried again.
    await asking(() => endNow(stripe, id));
    const ended = "Your subscription has ended. You are not charged again.";
    return afterChange(parts, userId, id, "plan_cancelled", ended);
  }
  await asking(() => endWithPeriod(stripe, id));
  const message = "Your subscription ends at the end of the current period.";
  const changed = await afterChange(parts, userId, id, "plan_cancelled", message);
  const until = new Date(changed.subscription_end_date ?? Date.now());
  parts.notices.cancelled(userId, { plan: planByTier(standing.subscription_tier), until });
  return changed;
}

async function reactivate(parts: Parts, userId: string): Promise<Changed> {
  const { standing, id } = await running(parts, userId);
  if (standing.subscription_status !== "cancelled") throw new ApiError("no_subscription");
  const { stripe } = parts.need().provider;
  await asking(async () => goOn(stripe, await stripe.subscriptions.retrieve(id)));
  const message = "Your subscription is active again.";
  return afterChange(parts, userId, id, "plan_reactivated", message);
}
