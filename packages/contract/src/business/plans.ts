import { PLANS, type PlanEntry } from "./plan-list.ts";
import { TRIAL } from "./trial.ts";

export { PLANS, UNLIMITED } from "./plan-list.ts";
export { TRIAL } from "./trial.ts";

/** Tier of a plan that can be bought. */
export type PlanTier = (typeof PLANS)[number]["tier"];
export type Tier = typeof TRIAL.tier | PlanTier;
export type SubscriptionStatus = "trial" | "active" | "expired" | "cancelled";

export interface Plan extends PlanEntry {
  tier: PlanTier;
}

/** Every tier, lowest first. */
export const TIERS: readonly Tier[] = [TRIAL.tier, ...PLANS.map(({ tier }) => tier)];

const monthly: readonly Plan[] = PLANS.filter(({ billing }) => billing === "monthly");
/** What a monthly plan may be lowered to: every monthly tier but the highest. */
export const DOWNGRADE_TIERS: readonly PlanTier[] = monthly.slice(0, -1).map(({ tier }) => tier);

/** A plan by its card title, or undefined. */
export function planByTitle(title: string): Plan | undefined {
  return PLANS.find((plan) => plan.title === title);
}

/** A plan by its tier; undefined for the trial. */
export function planByTier(tier: string): Plan | undefined {
  return PLANS.find((plan) => plan.tier === tier);
}

export function isTrial(tier: Tier): boolean {
  return tier === TRIAL.tier;
}

/** The tier as a word: "Professional". */
export function tierName(tier: Tier): string {
  return planByTier(tier)?.name ?? TRIAL.name;
}

/** Order of the tiers, lowest first. */
export function tierRank(tier: Tier): number {
  return TIERS.indexOf(tier);
}

/** Whether going from one monthly tier to another is a downgrade. */
export function isDowngrade(from: Tier, to: Tier): boolean {
  const between = [from, to].map((tier) => planByTier(tier));
  return between.every((plan) => plan?.billing === "monthly") && tierRank(to) < tierRank(from);
}
