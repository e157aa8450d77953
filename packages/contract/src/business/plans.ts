/** Everything that differs between plans: the pages show these objects and the server enforces them. */
export type Tier = "trial" | "single_analysis" | "basic" | "professional" | "enterprise";
export type SubscriptionStatus = "trial" | "active" | "expired" | "cancelled";

export const UNLIMITED = -1;

export interface Plan {
  tier: Exclude<Tier, "trial">;
  /** The card's title, which is also what `create-checkout-session` names as the plan. */
  title: string;
  billing: "one_time" | "monthly";
  priceCents: number;
  /** Analyses a purchase (one-time) or a period (monthly) allows; -1 = unlimited. */
  analyses: number;
  /** How long results are kept, in days. */
  retentionDays: number;
  retentionLabel: string;
}

export const PLANS = [
  {
    tier: "single_analysis",
    title: "Single Analysis",
    billing: "one_time",
    priceCents: 25_000,
    analyses: 1,
    retentionDays: 10,
    retentionLabel: "10 days",
  },
  {
    tier: "basic",
    title: "Basic Tier",
    billing: "monthly",
    priceCents: 75_000,
    analyses: 5,
    retentionDays: 30,
    retentionLabel: "30 days",
  },
  {
    tier: "professional",
    title: "Professional Tier",
    billing: "monthly",
    priceCents: 149_900,
    analyses: 15,
    retentionDays: 90,
    retentionLabel: "3 months",
  },
  {
    tier: "enterprise",
    title: "Enterprise Tier",
    billing: "monthly",
    priceCents: 499_900,
    analyses: UNLIMITED,
    retentionDays: 180,
    retentionLabel: "6 months",
  },
] as const satisfies readonly Plan[];

export const TRIAL = { tier: "trial", days: 4, analyses: 1, urgentBelowDays: 2 } as const;

/** A plan by its card title, or undefined. */
export function planByTitle(title: string): Plan | undefined {
  return PLANS.find((plan) => plan.title === title);
}

export function planByTier(tier: Tier): Plan | undefined {
  return PLANS.find((plan) => plan.tier === tier);
}

const RANK: Record<Tier, number> = {
  trial: 0,
  single_analysis: 1,
  basic: 2,
  professional: 3,
  enterprise: 4,
};

/** Order of the tiers, lowest first. */
export function tierRank(tier: Tier): number {
  return RANK[tier];
}

/** Whether going from one monthly tier to another is a downgrade (enterprise → professional | basic, professional → basic). */
export function isDowngrade(from: Tier, to: Tier): boolean {
  return RANK[from] >= RANK.professional && RANK[to] >= RANK.basic && RANK[to] < RANK[from];
}
