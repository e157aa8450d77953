import { expect, it } from "vitest";
import { longDate } from "./long-date.ts";

it("formats the long American date in UTC, whatever the machine's time zone", () => {
  expect(longDate("2025-04-21T23:59:00Z")).toBe("April 21, 2025");
  expect(longDate(null)).toBe("–");
  expect(longDate("nonsense")).toBe("–");
});
