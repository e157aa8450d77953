import { expect, it } from "vitest";
import { cancelled } from "./texts.ts";

it("says of a plan without a name that the subscription is canceled", () => {
  const until = new Date("2026-12-31T00:00:00Z");
  const { subject, text } = cancelled({ plan: undefined, until }, "https://example.org");
  expect(subject).toBe("Stipple: your plan is canceled");
  expect(text).toContain("Your subscription is canceled. You won't be charged again.");
});
