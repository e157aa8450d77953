export const UNLIMITED = -1;

/** Everything that differs between plans: the pages show these objects and the server enforces them. */
export interface PlanEntry {
  /** Its name in the API and the database. */
  tier: string;
  /** The plan in a sentence. */
  name: string;
  /** The card's title, which is also what `create-checkout-session` names as the plan. */
  title: string;
  billing: "one_time" | "monthly";
  priceCents: number;
  /** Analyses a purchase (one-time) or a period (monthly) allows; -1 = unlimited, for monthly plans only. */
  analyses: number;
  /** Projects a user may keep at a time. */
  projects: number;
  /** GB (2³⁰ bytes) allowed for files and results of all projects. */
  storageGb: number;
  /** How long results are kept, in days. */
  retentionDays: number;
  retentionLabel: string;
  /** Whether its card stands out. */
  highlighted: boolean;
}

/** The plans for sale, lowest first: the order is their rank. A new plan is one entry here. */
export const PLANS = [
  {
    tier: "single_analysis",
    name: "Single Analysis",
    title: "Single Analysis",
    billing: "one_time",
    priceCents: 25_000,
    analyses: 1,
    projects: 1_000,
    storageGb: 200,
    retentionDays: 10,
    retentionLabel: "10 days",
    highlighted: false,
  },
  {
    tier: "basic",
    name: "Basic",
    title: "Basic Tier",
    billing: "monthly",
    priceCents: 75_000,
    analyses: 5,
    projects: 2_500,
    storageGb: 1_000,
    retentionDays: 30,
    retentionLabel: "30 days",
    highlighted: false,
  },
  {
    tier: "professional",
    name: "Professional",
    title: "Professional Tier",
    billing: "monthly",
    priceCents: 149_900,
    analyses: 15,
    projects: 10_000,
    storageGb: 4_000,
    retentionDays: 90,
    retentionLabel: "3 months",
    highlighted: true,
  },
  {
    tier: "enterprise",
    name: "Enterprise",
    title: "Enterprise Tier",
    billing: "monthly",
    priceCents: 499_900,
    analyses: UNLIMITED,
    projects: 50_000,
    storageGb: 20_000,
    retentionDays: 180,
    retentionLabel: "6 months",
    highlighted: false,
  },
] as const satisfies readonly PlanEntry[];
