import { isDowngrade, tierRank, type PlanTier, type Tier } from "@stipple/contract";
import { FIVE_PACK, LABORATORY } from "@stipple/contract/business/testing/more-plans";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { standingOf, type AccountRecord } from "../src/billing/standing.ts";
import { storageEnd } from "../src/billing/storage-time.ts";
import { startServerWithSandbox, type ServerWithSandbox } from "./server-with-sandbox.ts";

// Adding a plan changes only the list: here it has two more.
vi.mock(import("@stipple/contract/business/plan-list"), async (original) => {
  const list = await original();
  const { withMorePlans } = await import("@stipple/contract/business/testing/more-plans");
  return { ...list, PLANS: withMorePlans(list.PLANS) as never };
});

const laboratory = LABORATORY.tier as Tier;
const fivePack = FIVE_PACK.tier as string as PlanTier;

describe("rules of more plans", () => {
  const DAY = 86_400_000;
  const day = (n: number): Date => new Date(Date.UTC(2026, 2, 1) + n * DAY);
  const analysis = (plan: string, on: number, completed: number | null) => ({
    plan,
    countedAt: day(on),
    completedAt: completed === null ? null : day(completed),
    running: false,
  });

  it("ranks them by their position in the list", () => {
    expect(tierRank(laboratory)).toBeGreaterThan(tierRank("professional"));
    expect(tierRank("enterprise")).toBeGreaterThan(tierRank(laboratory));
    expect(isDowngrade("enterprise", laboratory)).toBe(true);
    expect(isDowngrade(laboratory, "professional")).toBe(true);
    expect(isDowngrade(laboratory, "enterprise")).toBe(false);
    expect(isDowngrade(fivePack, "single_analysis")).toBe(false);
  });

  it("counts every analysis of a one-time plan, and keeps results as long as the plan specifies", () => {
    const record: AccountRecord = {
      registeredAt: day(0),
      subscriptions: [],
      purchases: [
        { tier: fivePack, purchasedAt: day(0) },
        { tier: "single_analysis", purchasedAt: day(0) },
      ],
      analyses: [1, 2, 3, 4].map((on) => analysis(fivePack, on, on)),
    };
    const now = standingOf(record, day(5));
    expect(now).toMatchObject({ tier: fivePack, isOneTime: true, used: 4, limit: 6 });
    const kept = storageEnd(now, {
      createdAt: day(1),
      completedAt: day(4),
      promisedDays: null,
    });
    expect(kept).toEqual(day(4 + FIVE_PACK.retentionDays));
    // The shorter plan lapsed on day 11; one of the five-pack remains, its last.
    expect(standingOf(record, day(11))).toMatchObject({ limit: 5, next: { plan: fivePack } });
    const all = { ...record, analyses: [...record.analyses, analysis(fivePack, 11, null)] };
    expect(standingOf(all, day(12)).next).toEqual({ refusal: "quota_used_up" });
  });
});

describe("buying more plans", () => {
  let both: ServerWithSandbox;
  let token: string;
  beforeAll(async () => {
    both = await startServerWithSandbox();
    token = await both.server.signUp();
  });
  afterAll(() => both?.[Symbol.asyncDispose]());

  const call = (method: "GET" | "POST", path: string, body?: object) =>
    both.server.call(method, path, { token, ...(body ? { body } : {}) });
  const standing = async () => (await call("GET", "/verify-subscription")).json;
  async function buy(plan: string): Promise<void> {
    const { json } = await call("POST", "/create-checkout-session", { plan });
    expect((await both.sandbox.pay(json.url as string)).status).toBe(303);
  }

  it("sells them with their limits, and up- and downgrades by their ranks", async () => {
    await buy(FIVE_PACK.title);
    await expect
      .poll(standing)
      .toMatchObject({ subscription_tier: FIVE_PACK.tier, analyses_limit: 5, is_one_time: true });
    await buy("Professional Tier");
    await expect.poll(async () => (await standing()).subscription_tier).toBe("professional");
    await buy(LABORATORY.title);
    await expect
      .poll(standing)
      .toMatchObject({ subscription_tier: LABORATORY.tier, analyses_limit: 40 + 5 });
    const lower = { target_tier: "professional" };
    const refused = await call("POST", "/create-checkout-session", { plan: "Professional Tier" });
    expect(refused.json.code).toBe("downgrade_instead");
    expect((await call("POST", "/downgrade-subscription", lower)).status).toBe(200);
    const up = await call("POST", "/downgrade-subscription", { target_tier: "enterprise" });
    expect(up.status).toBe(400);
    await buy("Enterprise Tier");
    await expect.poll(async () => (await standing()).subscription_tier).toBe("enterprise");
    const middle = await call("POST", "/downgrade-subscription", { target_tier: LABORATORY.tier });
    expect(middle.status).toBe(200);
  });
});
