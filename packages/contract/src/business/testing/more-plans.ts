import { PLANS, type PlanEntry } from "../plan-list.ts";

/** A monthly plan between two others, and a one-time plan of several analyses, for tests that add them to the list. */
export const LABORATORY = {
  tier: "laboratory",
  name: "Laboratory",
  title: "Laboratory Tier",
  billing: "monthly",
  priceCents: 249_900,
  analyses: 40,
  projects: 20_000,
  storageGb: 8_000,
  retentionDays: 120,
  retentionLabel: "4 months",
  highlighted: false,
} as const satisfies PlanEntry;

export const FIVE_PACK = {
  tier: "five_pack",
  name: "Five Analyses",
  title: "Five Analyses",
  billing: "one_time",
  priceCents: 100_000,
  analyses: 5,
  projects: 1_000,
  storageGb: 500,
  retentionDays: 20,
  retentionLabel: "20 days",
  highlighted: false,
} as const satisfies PlanEntry;

/** The list with both of them in their places. */
export function withMorePlans(plans: readonly PlanEntry[] = PLANS): PlanEntry[] {
  return plans.flatMap((plan) =>
    plan.tier === "single_analysis"
      ? [plan, FIVE_PACK]
      : plan.tier === "enterprise"
        ? [LABORATORY, plan]
        : [plan],
  );
}
