import { PLANS } from "@stipple/contract";
import { expect, it } from "vitest";
import { cancelled, paid } from "./texts.ts";

it("thanks for no payment of a renewal that credit covers", () => {
  const payment = { plan: PLANS[1], amountCents: 0, renews: true, until: null };
  const { subject, text } = paid(payment, { receipt: null, publicUrl: "https://example.org" });
  expect(subject).toBe("Stipple: Basic Tier paid from your credit");
  expect(text).toMatch(
    /^Your credit covered Basic Tier\. Your card was not charged\.\nYour plan has/,
  );
  expect(subject + text).not.toMatch(/\$0|received/);
});

it("says of a plan without a name that the subscription is canceled", () => {
  const until = new Date("2026-12-31T00:00:00Z");
  const { subject, text } = cancelled({ plan: undefined, until }, "https://example.org");
  expect(subject).toBe("Stipple: your plan is canceled");
  expect(text).toContain("Your subscription is canceled. You won't be charged again.");
});
