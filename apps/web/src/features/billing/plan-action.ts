import { isDowngrade, type Plan } from "@stipple/contract/business/plans";
import type { Subscription } from "@stipple/contract";
import { PRICING_TEXTS } from "./texts.ts";

/** What a price card's button says and does. */
export interface PlanAction {
  label: string;
  does: "login" | "checkout" | "downgrade" | "nothing";
}

type Standing = Pick<Subscription, "subscription_tier" | "subscription_status" | "is_one_time">;

/** Label and effect of a card's button. An expired plan always goes through a fresh checkout. */
export function planAction(
  plan: Pick<Plan, "tier" | "billing">,
  hasToken: boolean,
  user: Standing,
): PlanAction {
  if (!hasToken) return { label: PRICING_TEXTS.loginToSelect, does: "login" };
  const expired = user.subscription_status === "expired";
  if (plan.billing === "one_time") {
    const again = !expired && (user.subscription_tier === plan.tier || user.is_one_time);
    return {
      label: again ? PRICING_TEXTS.purchaseAnother : PRICING_TEXTS.select,
      does: "checkout",
    };
  }
  if (!expired) {
    if (user.subscription_tier === plan.tier) {
      return { label: PRICING_TEXTS.currentPlan, does: "nothing" };
    }
    if (isDowngrade(user.subscription_tier, plan.tier)) {
      return { label: PRICING_TEXTS.downgrade, does: "downgrade" };
    }
  }
  return { label: PRICING_TEXTS.select, does: "checkout" };
}
