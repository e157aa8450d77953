import {
  planByTier,
  TRIAL,
  UNLIMITED,
  type ErrorCode,
  type SubscriptionStatus,
  tierRank,
  type PlanTier,
  type Tier,
} from "@stipple/contract";

const DAY_MS = 86_400_000;

/** What is known of an account, as rows. */
export interface AccountRecord {
  registeredAt: Date;
  subscriptions: readonly {
    id: string;
    tier: Tier;
    status: "active" | "past_due" | "ended";
    periodStart: Date;
    periodEnd: Date;
    cancelAtPeriodEnd: boolean;
    /** What follows at the end of the period; absent or null if the tier stays. */
    nextTier?: PlanTier | null;
    createdAt: Date;
    endedAt: Date | null;
  }[];
  /** One-time plans bought. */
  purchases: readonly { tier: PlanTier; purchasedAt: Date }[];
  /** Analyses counted so far; `plan` = the tier of the trial or of a one-time plan, or a subscription's id. */
  analyses: readonly {
    plan: string;
    countedAt: Date;
    completedAt: Date | null;
    /** A run of it is queued or in progress. */
    running: boolean;
  }[];
}

/** An account's standing at one point in time. */
export interface Standing {
  tier: Tier;
  status: SubscriptionStatus;
  endsAt: Date;
  /** Until when projects without results are kept; null while the plan goes on. */
  keptUntil: Date | null;
  /** Analyses used and allowed (-1 = unlimited) in the current period. */
  used: number;
  limit: number;
  isOneTime: boolean;
  singlesPurchased: number;
  subscriptionId: string | null;
  /** The subscription whose renewal is unpaid, even with a one-time plan. */
  unpaid: { id: string; tier: Tier } | null;
  /**
   * Results are kept for the plan's storage time after the last paid day while a card is tried again, and no less once
   * the plan has ended over it. Null if no renewal was unpaid.
   */
  graceUntil: Date | null;
  /** The lower tier that follows when `endsAt` is reached; null if none is scheduled. */
  nextTier: PlanTier | null;
  /** What the next new analysis would count against and when that started, or why there is none. */
  next: { plan: string; since: Date } | { refusal: ErrorCode };
}

const retentionMs = (tier: Tier): number => (planByTier(tier)?.retentionDays ?? 0) * DAY_MS;

/**
 * What one-time plans allow: an entry per analysis. Entries are matched in order with the analyses of their plan. An
 * unused entry lapses; the retention of a used one ends counted from its completion.
 */
function singlesOf(record: AccountRecord, now: Date) {
  const uses = record.analyses
    .filter(({ plan }) => planByTier(plan)?.billing === "one_time")
    .toSorted((a, b) => a.countedAt.getTime() - b.countedAt.getTime());
  const bought = record.purchases
    .toSorted((a, b) => a.purchasedAt.getTime() - b.purchasedAt.getTime())
    .flatMap(({ tier, purchasedAt }) =>
      Array.from({ length: planByTier(tier)?.analyses ?? 0 }, () => ({
        tier,
        purchasedAt,
        use: undefined as (typeof uses)[number] | undefined,
      })),
    );
  for (const use of uses) {
    const unused = bought.filter(({ tier, use: taken }) => tier === use.plan && !taken);
    const free =
      unused.find(
        ({ tier, purchasedAt }) =>
          purchasedAt <= use.countedAt &&
          purchasedAt.getTime() + retentionMs(tier) > use.countedAt.getTime(),
      ) ??
      // Clocks may differ, and an analysis without a purchase would be free.
      unused[0];
    if (free) free.use = use;
  }
  const singles = bought.map(({ tier, purchasedAt, use }) => {
    // The storage time runs from the purchase until the results exist, then from their completion.
    const ends = (use?.completedAt ?? purchasedAt).getTime() + retentionMs(tier);
    // A run that is in progress at the end may finish.
    const until = use?.running ? Math.max(ends, now.getTime() + DAY_MS) : ends;
    return { tier, purchasedAt, used: use !== undefined, until: new Date(until) };
  });
  const valid = singles.filter(({ until }) => until > now);
  const free = valid.filter(({ used }) => !used);
  const next = free[0]
    ? { plan: free[0].tier, since: free[0].purchasedAt }
    : { refusal: "quota_used_up" as const };
  return { singles, valid, next };
}

/** The highest tier among one-time plans. */
function highest(singles: readonly { tier: PlanTier }[]): PlanTier {
  return singles.map(({ tier }) => tier).toSorted((a, b) => tierRank(b) - tierRank(a))[0];
}

/**
 * The state of an account. Pure: the same rows and moment give the same standing.
 * A running subscription comes first, then valid single purchases, then what has ended last, then the trial.
 */
export function standingOf(record: AccountRecord, now: Date): Standing {
  return { ...planOf(record, now), graceUntil: graceOf(record) };
}

type PlanStanding = Omit<Standing, "graceUntil">;

function planOf(record: AccountRecord, now: Date): PlanStanding {
  const singles = singlesOf(record, now);
  const live = record.subscriptions
    .filter(({ status, periodEnd }) => status !== "ended" && periodEnd > now)
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())[0];
  const unpaid = live ? unpaidOf(live) : null;
  // One-time purchases stay usable while a renewal is unpaid.
  if (live && !(unpaid && singles.valid.length > 0)) {
    return subscribed(record, live, { singles, unpaid });
  }
  if (singles.valid.length > 0) {
    return {
      ...NO_SUBSCRIPTION,
      unpaid,
      tier: highest(singles.valid),
      status: "active",
      endsAt: new Date(Math.max(...singles.valid.map(({ until }) => until.getTime()))),
      used: usedOf(singles),
      limit: singles.valid.length,
      isOneTime: true,
      singlesPurchased: singles.valid.length,
      next: singles.next,
    };
  }
  return ended(record, singles, now) ?? trial(record, now);
}

type Singles = ReturnType<typeof singlesOf>;
const NO_SUBSCRIPTION = {
  isOneTime: false,
  singlesPurchased: 0,
  subscriptionId: null,
  unpaid: null,
  nextTier: null,
  keptUntil: null,
} as const;

function countOf({ analyses }: AccountRecord, plan: string, since?: Date): number {
  return analyses.filter((each) => each.plan === plan && (!since || each.countedAt >= since))
    .length;
}

function usedOf({ valid }: Singles): number {
  return valid.filter(({ used }) => used).length;
}

type Subscribed = AccountRecord["subscriptions"][number];

function unpaidOf({ id, tier, status }: Subscribed): Standing["unpaid"] {
  return status === "past_due" ? { id, tier } : null;
}

/** A plan that has ended within its period may have ended over an unpaid renewal. */
function graceOf({ subscriptions }: AccountRecord): Date | null {
  const kept = subscriptions
    .filter(({ status, endedAt, periodEnd }) =>
      status === "ended" ? endedAt && endedAt < periodEnd : status === "past_due",
    )
    .map(({ periodStart, tier }) => periodStart.getTime() + retentionMs(tier));
  return kept.length > 0 ? new Date(Math.max(...kept)) : null;
}

/** With a subscription whose period is not over. */
function subscribed(
  record: AccountRecord,
  live: Subscribed,
  { singles, unpaid }: { singles: Singles; unpaid: Standing["unpaid"] },
): PlanStanding {
  const quota = unpaid ? 0 : (planByTier(live.tier)?.analyses ?? 0);
  const usedOfTier = countOf(record, live.id, live.periodStart);
  // With an unpaid renewal, the paid time ended when the renewal was due.
  const endsAt = unpaid ? live.periodStart : live.periodEnd;
  const tierHasRoom = quota === UNLIMITED || usedOfTier < quota;
  return {
    tier: live.tier,
    status: unpaid ? "expired" : live.cancelAtPeriodEnd ? "cancelled" : "active",
    endsAt,
    keptUntil: unpaid && new Date(live.periodStart.getTime() + retentionMs(live.tier)),
    used: usedOfTier + usedOf(singles),
    limit: quota === UNLIMITED ? UNLIMITED : quota + singles.valid.length,
    isOneTime: false,
    singlesPurchased: singles.valid.length,
    subscriptionId: live.id,
    unpaid,
    nextTier: live.nextTier && live.nextTier !== live.tier ? live.nextTier : null,
    next: tierHasRoom
      ? { plan: live.id, since: live.periodStart }
      : unpaid
        ? { refusal: "subscription_expired" }
        : singles.next,
  };
}

/** After the last subscription or one-time plan; null for those who never had any. */
function ended(record: AccountRecord, { singles }: Singles, now: Date): PlanStanding | null {
  const all = [
    ...record.subscriptions.map(({ tier, periodEnd, endedAt }) => ({
      tier,
      endsAt: new Date(Math.min(periodEnd.getTime(), (endedAt ?? now).getTime())),
      isOneTime: false,
    })),
    ...singles.map(({ tier, until }) => ({ tier, endsAt: until, isOneTime: true })),
  ];
  const [last] = all.toSorted((a, b) => b.endsAt.getTime() - a.endsAt.getTime());
  if (!last) return null;
  const kept = all.map(({ tier, endsAt }) => endsAt.getTime() + retentionMs(tier));
  return {
    ...NO_SUBSCRIPTION,
    status: "expired",
    used: 0,
    limit: 0,
    next: { refusal: "subscription_expired" },
    ...last,
    keptUntil: new Date(Math.max(...kept)),
  };
}

function trial(record: AccountRecord, now: Date): PlanStanding {
  const endsAt = new Date(record.registeredAt.getTime() + TRIAL.days * DAY_MS);
  const used = countOf(record, TRIAL.tier);
  const over = endsAt <= now;
  return {
    ...NO_SUBSCRIPTION,
    tier: TRIAL.tier,
    status: over ? "expired" : "trial",
    endsAt,
    keptUntil: endsAt,
    used,
    limit: TRIAL.analyses,
    next: over
      ? { refusal: "subscription_expired" }
      : used < TRIAL.analyses
        ? { plan: TRIAL.tier, since: record.registeredAt }
        : { refusal: "quota_used_up" },
  };
}
