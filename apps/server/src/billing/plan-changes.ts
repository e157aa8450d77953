import {
  isDowngrade,
  planByTier,
  type Activity,
  type PlanTier,
  type Subscription,
} from "@stipple/contract";
import { audit } from "../audit/audit.ts";
import type { Database } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import type { Notices } from "../notices/notices.ts";
import type { Entitlements } from "./entitlements.ts";
import { onePerPerson } from "./one-per-person.ts";
import { asking, isRefused, type Provider } from "./provider.ts";
import type { Reconciler } from "./reconcile.ts";

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
  cancel(userId: string, subscriptionId: string | undefined): Promise<Changed>;
  reactivate(userId: string): Promise<Changed>;
}

export function openPlanChanges(parts: {
  database: Database;
  entitlements: Entitlements;
  notices: Notices;
  /** None if payments are not configured. */
  reconciler: Reconciler | undefined;
  /** Provider and reconciler; throws where payments are not configured. */
  need: () => { provider: Provider; reconciler: Reconciler };
}): PlanChanges {
  const {
    database: { db },
    entitlements,
    notices,
    reconciler,
    need,
  } = parts;
  const changes = onePerPerson();

  /**
   * A user's running subscription in the provider's current state. An upgrade that was just paid counts before its
   * event arrives: otherwise a cancellation would end the plan being replaced, and the new one would renew.
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

  /**
   * Runs a plan change, which reads the provider's objects and then writes them. One user's changes run one after the
   * other; if another process interferes, the provider refuses, and the change starts again from the new state.
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
        // Choosing a lower plan undoes a cancellation; the page says so before asking.
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
          // It has taken effect, or another call was faster; our rows may be out of date.
          await need().reconciler.subscription(id);
          throw new ApiError("no_downgrade");
        }
        await stripe.subscriptionSchedules.release(
          typeof schedule === "string" ? schedule : schedule.id,
        );
      });
      return afterChange(userId, id, "downgrade_undone", "Your plan does not change.");
    }),

    cancel: changing(async (userId, subscriptionId: string | undefined) => {
      const { standing, id } = await running(userId);
      if (subscriptionId !== undefined && subscriptionId !== id) {
        throw new ApiError("no_subscription");
      }
      if (standing.subscription_status !== "active") throw new ApiError("no_subscription");
      const { stripe } = need().provider;
      await asking(async () => {
        const { schedule } = await stripe.subscriptions.retrieve(id);
        // A scheduled downgrade would renew what is being canceled.
        if (schedule) {
          await stripe.subscriptionSchedules.release(
            typeof schedule === "string" ? schedule : schedule.id,
          );
        }
        await stripe.subscriptions.update(id, { cancel_at_period_end: true });
      });
      const changed = await afterChange(
        userId,
        id,
        "plan_cancelled",
        "Your subscription ends at the end of the current period.",
      );
      const until = new Date(changed.subscription_end_date ?? Date.now());
      notices.cancelled(userId, { plan: planByTier(standing.subscription_tier), until });
      return changed;
    }),

    reactivate: changing(async (userId) => {
      const { standing, id } = await running(userId);
      if (standing.subscription_status !== "cancelled") throw new ApiError("no_subscription");
      await asking(() =>
        need().provider.stripe.subscriptions.update(id, { cancel_at_period_end: false }),
      );
      return afterChange(userId, id, "plan_reactivated", "Your subscription is active again.");
    }),
  };
}
