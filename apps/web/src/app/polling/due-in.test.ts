import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { dueIn } from "./use-shared-query.ts";

beforeEach(() => void vi.useFakeTimers({ now: 100_000 }));
afterEach(() => void vi.useRealTimers());

it("counts from the last response, whichever tab received it", () => {
  const idle = { fetchStatus: "idle", errorUpdatedAt: 0 };
  expect(dueIn(10_000, { ...idle, dataUpdatedAt: 100_000 })).toBe(10_000);
  expect(dueIn(10_000, { ...idle, dataUpdatedAt: 96_000 })).toBe(6_000);
  expect(dueIn(10_000, { ...idle, dataUpdatedAt: 40_000 })).toBe(1);
  expect(dueIn(10_000, { ...idle, dataUpdatedAt: 40_000, errorUpdatedAt: 99_000 })).toBe(9_000);
});

it("waits a whole interval while a request is pending", () => {
  const last = { fetchStatus: "fetching", dataUpdatedAt: 40_000, errorUpdatedAt: 0 };
  expect(dueIn(10_000, last)).toBe(10_000);
});
