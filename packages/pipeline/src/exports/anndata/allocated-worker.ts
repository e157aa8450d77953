import { expectedCounts, type ExpectedCounts, type RowBlock } from "../../model/expected-counts.ts";
import { rowsOf } from "../../store/sparse-rows.ts";
import type { AllocatedWork } from "./allocated-task.ts";

let held: { key: string; expected: ExpectedCounts } | null = null;

/** Runs in a worker thread. */
export default function work(
  { key, parts, spotCounts, least }: AllocatedWork,
  { from, to }: { from: number; to: number },
): RowBlock {
  if (held?.key !== key) {
    held = { key, expected: expectedCounts({ ...parts, spotCounts: rowsOf(spotCounts) }) };
  }
  return held.expected.rows(from, to, least);
}
