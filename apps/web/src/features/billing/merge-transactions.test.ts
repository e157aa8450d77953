import { expect, it } from "vitest";
import { mergeTransactions } from "./transaction-history.tsx";

const at = (seconds: number, plan_type = "Basic Tier", amount = 750, succeeded = true) => ({
  id: `t${seconds}${plan_type}`,
  date: new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString(),
  plan_type,
  amount,
  status: succeeded ? ("succeeded" as const) : ("failed" as const),
  has_receipt: succeeded,
});

it("keeps the largest amount and any success among records within ten seconds", () => {
  const [only, ...rest] = mergeTransactions([
    at(10, "Basic Tier", 750, false),
    at(0, "Basic Tier", 0),
  ]);
  expect(rest).toEqual([]);
  expect(only).toMatchObject({ amount: 750, status: "succeeded" });
});

it("does not chain: the ten seconds count from the first record of a group", () => {
  const merged = mergeTransactions([at(0), at(8), at(16)]);
  expect(merged.map((entry) => entry.date)).toEqual([at(16).date, at(0).date]);
});

it("keeps plans and later payments apart, newest first", () => {
  const merged = mergeTransactions([at(0), at(1, "Single Analysis", 250), at(11)]);
  expect(merged.map((entry) => entry.plan_type)).toEqual([
    "Basic Tier",
    "Single Analysis",
    "Basic Tier",
  ]);
});

it("leaves a failed payment failed", () => {
  expect(mergeTransactions([at(0, "Basic Tier", 750, false)])[0]?.status).toBe("failed");
});

it("keeps every record of an entry, because two payments may be real", () => {
  const [entry] = mergeTransactions([at(6), at(0, "Basic Tier", 750, false)]);
  expect(entry?.records.map(({ id }) => id)).toEqual(["t0Basic Tier", "t6Basic Tier"]);
});

it("counts a success regardless of the preceding record", () => {
  const pending = { ...at(0), status: "pending" as never };
  expect(mergeTransactions([pending, at(3)])[0]?.status).toBe("succeeded");
});
