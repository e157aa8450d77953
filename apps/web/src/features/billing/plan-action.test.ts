import { PLANS, type Tier } from "@stipple/contract/business/plans";
import { describe, expect, it } from "vitest";
import { planAction } from "./plan-action.ts";

function labels(tier: Tier, status: "trial" | "active" | "expired" | "cancelled"): string[] {
  const user = {
    subscription_tier: tier,
    subscription_status: status,
    is_one_time: tier === "single_analysis",
  };
  return PLANS.map((plan) => planAction(plan, true, user).label);
}

describe("labels of the price cards", () => {
  it("asks a visitor to log in", () => {
    const user = {
      subscription_tier: "trial",
      subscription_status: "trial",
      is_one_time: false,
    } as const;
    for (const plan of PLANS) {
      expect(planAction(plan, false, user)).toEqual({ label: "Login to Select", does: "login" });
    }
  });

  it("follows the tier", () => {
    const select = "Select Plan";
    expect(labels("trial", "trial")).toEqual([select, select, select, select]);
    expect(labels("single_analysis", "active")).toEqual([
      "Purchase Another",
      select,
      select,
      select,
    ]);
    expect(labels("basic", "active")).toEqual([select, "Current Plan", select, select]);
    expect(labels("professional", "active")).toEqual([
      select,
      "Downgrade Plan",
      "Current Plan",
      select,
    ]);
    expect(labels("enterprise", "cancelled")).toEqual([
      select,
      "Downgrade Plan",
      "Downgrade Plan",
      "Current Plan",
    ]);
  });

  it("sends an expired plan to a fresh checkout", () => {
    expect(labels("single_analysis", "expired")).toEqual(Array(4).fill("Select Plan"));
    const user = {
      subscription_tier: "enterprise",
      subscription_status: "expired",
      is_one_time: false,
    } as const;
    for (const plan of PLANS) {
      expect(planAction(plan, true, user)).toEqual({ label: "Select Plan", does: "checkout" });
    }
  });
});
