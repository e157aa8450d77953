import { expect, it } from "vitest";
import { planType, usageOf } from "./usage.ts";

it("never counts below zero", () => {
  expect(usageOf({ analyses_count: 2, analyses_limit: 5 })).toEqual({
    allowed: "5",
    remaining: "3",
    percent: 40,
  });
  expect(usageOf({ analyses_count: 7, analyses_limit: 5 })).toEqual({
    allowed: "5",
    remaining: "0",
    percent: 100,
  });
});

it("shows unlimited as a word with a 20% bar", () => {
  expect(usageOf({ analyses_count: 99, analyses_limit: -1 })).toEqual({
    allowed: "Unlimited",
    remaining: "Unlimited",
    percent: 20,
  });
});

it("names the plan", () => {
  expect(
    planType({
      subscription_tier: "basic",
      subscription_status: "cancelled",
      is_one_time: false,
    }),
  ).toBe("Basic (Cancelled)");
  expect(
    planType({
      subscription_tier: "single_analysis",
      subscription_status: "active",
      is_one_time: true,
    }),
  ).toBe("Single Analysis");
  // A status that is none of a subscription's is shown as it is.
  expect(
    planType({
      subscription_tier: "basic",
      subscription_status: "paused" as never,
      is_one_time: false,
    }),
  ).toBe("Basic (paused)");
});
