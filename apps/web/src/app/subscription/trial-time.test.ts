import { expect, it } from "vitest";
import { trialTime } from "./trial-banner.tsx";

const now = new Date("2026-03-01T12:00:00Z");
const end = (hours: number): string => new Date(now.getTime() + hours * 3_600_000).toISOString();

it("shows days and hours, rounded down", () => {
  expect(trialTime(end(75.9), now)).toEqual({ days: 3, hours: 3, urgent: false, over: false });
});

it("is urgent below two days, not at two", () => {
  expect(trialTime(end(48), now)?.urgent).toBe(false);
  expect(trialTime(end(47.9), now)).toEqual({ days: 1, hours: 23, urgent: true, over: false });
});

it("never goes below zero, and requires an end date", () => {
  expect(trialTime(end(-5), now)).toEqual({ days: 0, hours: 0, urgent: true, over: true });
  expect(trialTime(null, now)).toBeNull();
});
