import { PLANS, type Plan, type Tier } from "@stipple/contract/business/plans";
import { FIVE_PACK, LABORATORY } from "@stipple/contract/business/testing/more-plans";
import { expect, it, vi } from "vitest";
import { planType } from "../../app/subscription/usage.ts";
import { planAction } from "./plan-action.ts";
import { planCard } from "./plan-offer.tsx";

// Adding a plan changes nothing but this list; here it has two more.
vi.mock(import("@stipple/contract/business/plan-list"), async (original) => {
  const list = await original();
  const { withMorePlans } = await import("@stipple/contract/business/testing/more-plans");
  return { ...list, PLANS: withMorePlans(list.PLANS) as never };
});

const plans: readonly Plan[] = PLANS;
const user = (tier: string, status: "active" | "expired" = "active") => ({
  subscription_tier: tier as Tier,
  subscription_status: status,
  is_one_time: tier === FIVE_PACK.tier || tier === "single_analysis",
});
const labels = (tier: string, status?: "active" | "expired") =>
  plans.map((plan) => planAction(plan, true, user(tier, status)).label);

it("shows cards for more plans", () => {
  expect(plans.map((plan) => planCard(plan).title)).toEqual([
    "Single Analysis",
    "Five Analyses",
    "Basic Tier",
    "Professional Tier",
    "Laboratory Tier",
    "Enterprise Tier",
  ]);
  const cards = plans.map(planCard);
  expect(cards[1]).toMatchObject({ price: "$1,000", priceNote: "one-time" });
  expect(cards[4]).toMatchObject({ price: "$2,499", priceNote: "/month" });
  expect(cards[4]!.points.join()).toMatch(/40 .*4 months/);
});

it("shows buttons according to rank", () => {
  const [select, down, current] = ["Select Plan", "Downgrade Plan", "Current Plan"];
  const again = "Purchase Another";
  expect(labels(LABORATORY.tier)).toEqual([select, select, down, down, current, select]);
  expect(labels("enterprise")).toEqual([select, select, down, down, down, current]);
  expect(labels("professional")).toEqual([select, select, down, current, select, select]);
  expect(labels(LABORATORY.tier, "expired")).toEqual(Array(6).fill(select));
  expect(labels(FIVE_PACK.tier)).toEqual([again, again, ...Array<string>(4).fill(select)]);
});

it("names them in the profile", () => {
  expect(planType(user(LABORATORY.tier))).toBe("Laboratory (Active)");
  expect(planType(user(FIVE_PACK.tier))).toBe("Five Analyses");
});
