import { tierName, UNLIMITED } from "@stipple/contract/business/plans";
import type { Subscription } from "@stipple/contract";
import { statusName, UNLIMITED_TEXT } from "./status-names.ts";

export interface Usage {
  allowed: string;
  /** Analyses that are left, never negative; the word when unlimited. */
  remaining: string;
  /** 0–100; 20 for unlimited, where a share has no meaning. */
  percent: number;
}

/** Used, allowed and remaining analyses as the pages show them. */
export function usageOf(user: Pick<Subscription, "analyses_count" | "analyses_limit">): Usage {
  const { analyses_count: used, analyses_limit: limit } = user;
  if (limit === UNLIMITED)
    return { allowed: UNLIMITED_TEXT, remaining: UNLIMITED_TEXT, percent: 20 };
  return {
    allowed: String(limit),
    remaining: String(Math.max(0, limit - used)),
    percent: limit > 0 ? Math.min(100, (used / limit) * 100) : 100,
  };
}

/** Why a new project could not be analyzed now; null when it could. */
export function nothingLeft(
  user: Pick<Subscription, "analyses_count" | "analyses_limit" | "subscription_status">,
): "expired" | "used" | null {
  const { analyses_count: used, analyses_limit: limit, subscription_status: status } = user;
  if (status === "expired") return "expired";
  return limit !== UNLIMITED && used >= limit ? "used" : null;
}

/** Whether the plan is renewed at its end, which only extends the time that projects are kept. */
export function isRenewed(
  user: Pick<Subscription, "subscription_status" | "stripe_subscription_id">,
): boolean {
  return user.subscription_status === "active" && user.stripe_subscription_id !== null;
}

/** A one-time plan's name, or the tier's name with the status in parentheses. */
export function planType(
  user: Pick<Subscription, "subscription_tier" | "subscription_status" | "is_one_time">,
): string {
  if (user.is_one_time) return tierName(user.subscription_tier);
  return `${tierName(user.subscription_tier)} (${statusName(user.subscription_status)})`;
}
