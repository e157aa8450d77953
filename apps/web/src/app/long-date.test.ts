import { expect, it } from "vitest";
import { longDate, momentText } from "./long-date.ts";

it("formats the long American date in UTC, whatever the machine's time zone", () => {
  expect(longDate("2025-04-21T23:59:00Z")).toBe("April 21, 2025");
  expect(longDate(null)).toBe("–");
  expect(longDate("nonsense")).toBe("–");
});

it("writes the date of a moment in the same format", () => {
  expect(momentText("2025-04-21T12:04:00Z")).toMatch(/^April 2[12], 2025 at \d+:\d\d [AP]M$/);
});
