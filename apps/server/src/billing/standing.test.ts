import { planByTier, TRIAL, UNLIMITED, type Tier } from "@stipple/contract";
import { Random } from "@stipple/numerics/random";
import { describe, expect, it } from "vitest";
import { standingOf, type AccountRecord } from "./standing.ts";
import { storageEnd } from "./storage-time.ts";

const DAY = 86_400_000;
const start = new Date("2026-03-01T00:00:00Z");
const day = (n: number): Date => new Date(start.getTime() + n * DAY);

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer U)[] ? U[] : T[K] };

function account(change: Partial<AccountRecord> = {}): Mutable<AccountRecord> {
  return {
    registeredAt: start,
    subscriptions: [],
    purchases: [],
    analyses: [],
    ...change,
  } as Mutable<AccountRecord>;
}

function subscription(tier: Tier, from: number, to: number, change = {}) {
  return {
    id: `sub_${tier}_${from}`,
    tier,
    status: "active" as const,
    periodStart: day(from),
    periodEnd: day(to),
    cancelAtPeriodEnd: false,
    createdAt: day(from),
    endedAt: null,
    ...change,
  };
}

describe("trial", () => {
  it("allows one analysis within four days and then expires", () => {
    expect(standingOf(account(), day(0))).toMatchObject({
      tier: "trial",
      status: "trial",
      used: 0,
      limit: 1,
      endsAt: day(TRIAL.days),
      next: { plan: "trial" },
    });
    expect(standingOf(account(), day(4))).toMatchObject({
      status: "expired",
      next: { refusal: "subscription_expired" },
    });
  });

  it("keeps the results of a run that outlasts it long enough to buy a plan", () => {
    const project = { createdAt: day(1), promisedDays: null };
    const kept = (completedAt: Date) =>
      storageEnd(standingOf(account(), day(5)), { ...project, completedAt });
    expect(kept(day(3))).toEqual(day(4));
    expect(kept(day(4.5))).toEqual(day(8.5));
  });

  it("is used up by its one analysis", () => {
    const used = account({
      analyses: [{ plan: "trial", countedAt: day(1), completedAt: null, running: false }],
    });
    expect(standingOf(used, day(2)).next).toEqual({ refusal: "quota_used_up" });
  });
});

describe("single analysis", () => {
  const trialUsed = { plan: "trial", countedAt: day(1), completedAt: day(1), running: false };

  it("grants one analysis after the trial's is used, valid for ten days", () => {
    const bought = account({
      analyses: [trialUsed],
      purchases: [{ tier: "single_analysis", purchasedAt: day(2) }],
    });
    expect(standingOf(bought, day(3))).toMatchObject({
      tier: "single_analysis",
      status: "active",
      isOneTime: true,
      used: 0,
      limit: 1,
      endsAt: day(12),
      next: { plan: "single_analysis" },
    });
    expect(standingOf(bought, day(12)).status).toBe("expired");
  });

  it("is valid for ten days after its results are complete", () => {
    const used = account({
      purchases: [{ tier: "single_analysis", purchasedAt: day(2) }],
      analyses: [
        { plan: "single_analysis", countedAt: day(9), completedAt: day(11), running: false },
      ],
    });
    expect(standingOf(used, day(20))).toMatchObject({ status: "active", used: 1, limit: 1 });
    expect(standingOf(used, day(20)).endsAt).toEqual(day(21));
    expect(standingOf(used, day(21)).status).toBe("expired");
  });

  it("adds to a tier", () => {
    const both = account({
      subscriptions: [subscription("basic", 0, 30)],
      purchases: [{ tier: "single_analysis", purchasedAt: day(1) }],
    });
    expect(standingOf(both, day(2))).toMatchObject({ tier: "basic", isOneTime: false, limit: 6 });
  });
});

describe("subscription", () => {
  it("resets the count each period", () => {
    const basic = subscription("basic", 0, 30);
    const analyses = Array.from({ length: 5 }, (_, i) => ({
      plan: basic.id,
      countedAt: day(i),
      completedAt: day(i),
      running: false,
    }));
    const full = account({ subscriptions: [basic], analyses });
    expect(standingOf(full, day(10))).toMatchObject({
      used: 5,
      limit: 5,
      next: { refusal: "quota_used_up" },
    });
    const renewed = { ...basic, periodStart: day(30), periodEnd: day(61) };
    expect(standingOf({ ...full, subscriptions: [renewed] }, day(31))).toMatchObject({
      used: 0,
      next: { plan: basic.id },
    });
  });

  it("keeps access until the end date after cancellation, then expires", () => {
    const cancelled = account({
      subscriptions: [subscription("professional", 0, 30, { cancelAtPeriodEnd: true })],
    });
    expect(standingOf(cancelled, day(29))).toMatchObject({
      status: "cancelled",
      next: { plan: "sub_professional_0" },
    });
    expect(standingOf(cancelled, day(30))).toMatchObject({
      tier: "professional",
      status: "expired",
    });
  });

  it("grants nothing while a renewal is unpaid", () => {
    const unpaid = account({
      subscriptions: [subscription("enterprise", 30, 60, { status: "past_due" })],
    });
    expect(standingOf(unpaid, day(31))).toMatchObject({
      status: "expired",
      used: 0,
      limit: 0,
      next: { refusal: "subscription_expired" },
    });
  });

  it("keeps results while the card of a renewal is tried again, also beside a one-time plan", () => {
    const old = { createdAt: day(1), completedAt: day(5), promisedDays: 30 };
    const unpaid = account({
      subscriptions: [subscription("basic", 60, 90, { status: "past_due" })],
    });
    expect(storageEnd(standingOf(unpaid, day(61)), old)).toEqual(day(90));
    const single = { tier: "single_analysis", purchasedAt: day(61) } as const;
    const beside = { ...unpaid, purchases: [single] };
    expect(storageEnd(standingOf(beside, day(62)), old)).toEqual(day(90));
  });

  it("is unlimited for enterprise", () => {
    const enterprise = account({ subscriptions: [subscription("enterprise", 0, 30)] });
    expect(standingOf(enterprise, day(1)).limit).toBe(UNLIMITED);
  });
});

describe("after the last plan", () => {
  const basic = subscription("basic", 0, 30);

  it("is what ended last, a one-time plan after a subscription, too", () => {
    const single = { tier: "single_analysis", purchasedAt: day(60) } as const;
    const singleLast = account({ subscriptions: [basic], purchases: [single] });
    expect(standingOf(singleLast, day(75))).toMatchObject({
      tier: "single_analysis",
      status: "expired",
      isOneTime: true,
      endsAt: day(70),
    });
    const basicLast = { ...singleLast, subscriptions: [subscription("basic", 62, 92)] };
    expect(standingOf(basicLast, day(93))).toMatchObject({ tier: "basic", endsAt: day(92) });
  });

  it("is the one-time plan that ended last, not the one bought last", () => {
    const purchases = [0, 1].map((n) => ({
      tier: "single_analysis" as const,
      purchasedAt: day(n),
    }));
    const used = {
      plan: "single_analysis",
      countedAt: day(8),
      completedAt: day(9),
      running: false,
    };
    const both = account({ purchases, analyses: [used] });
    expect(standingOf(both, day(18)).endsAt).toEqual(day(19));
    expect(standingOf(both, day(20))).toMatchObject({ status: "expired", endsAt: day(19) });
  });

  it("keeps projects as long as any of the plans promised", () => {
    const unanalyzed = { createdAt: day(1), completedAt: null, promisedDays: null };
    const single = { tier: "single_analysis", purchasedAt: day(25) } as const;
    const both = account({ subscriptions: [basic], purchases: [single] });
    expect(storageEnd(standingOf(both, day(36)), unanalyzed)).toEqual(day(60));
  });
});

it("keeps its invariants over random histories", () => {
  const random = new Random(11);
  const tiers: Tier[] = ["basic", "professional", "enterprise"];
  for (let history = 0; history < 300; history++) {
    const state = account();
    let free = 0;
    for (let now = 0; now < 120; now++) {
      const live = state.subscriptions.findIndex(
        ({ status, periodEnd }) => status !== "ended" && periodEnd > day(now),
      );
      const roll = random.uniform();
      if (roll < 0.05) state.purchases.push({ tier: "single_analysis", purchasedAt: day(now) });
      else if (roll < 0.08 && live < 0) {
        state.subscriptions.push(subscription(tiers[random.below(3)], now, now + 30));
      } else if (roll < 0.11 && live >= 0) {
        state.subscriptions[live] = { ...state.subscriptions[live], cancelAtPeriodEnd: true };
      }
      const standing = standingOf(state, day(now));
      expect(standing.used).toBeGreaterThanOrEqual(0);
      if (standing.limit !== UNLIMITED) expect(standing.used).toBeLessThanOrEqual(standing.limit);
      if (standing.status === "expired") expect(standing.next).toHaveProperty("refusal");
      if (standing.status !== "expired") expect(standing.endsAt > day(now)).toBe(true);
      if ("plan" in standing.next) {
        if (standing.limit !== UNLIMITED) expect(standing.used).toBeLessThan(standing.limit);
        if (random.uniform() < 0.5) {
          const { plan } = standing.next;
          state.analyses.push({ plan, countedAt: day(now), completedAt: day(now), running: false });
          free += plan === "trial" ? 1 : 0;
        }
      }
    }
    expect(free).toBeLessThanOrEqual(TRIAL.analyses);
    const singles = state.analyses.filter(({ plan }) => plan === "single_analysis").length;
    expect(singles).toBeLessThanOrEqual(state.purchases.length);
    for (const { id, tier, periodStart } of state.subscriptions) {
      const quota = planByTier(tier)!.analyses;
      const counted = state.analyses.filter(
        ({ plan, countedAt }) => plan === id && countedAt >= periodStart,
      ).length;
      if (quota !== UNLIMITED) expect(counted).toBeLessThanOrEqual(quota);
    }
  }
});
