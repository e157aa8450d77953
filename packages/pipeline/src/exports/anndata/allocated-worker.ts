import { expectedCounts, type ExpectedCounts, type RowBlock } from "../../model/expected-counts.ts";
import { rowsOf } from "@stipple/numerics/sparse-rows";
import type { AllocatedRange, AllocatedRoom, AllocatedWork } from "./allocated-task.ts";

/** Room for more entries than this block's, so that the next block fits as well. */
const SPARE = 1.25;

let held: { key: string; expected: ExpectedCounts } | null = null;

/** Runs in a worker thread. */
export default function work(
  { key, parts, spotCounts, least }: AllocatedWork,
  { from, to, room }: AllocatedRange,
): RowBlock {
  if (held?.key !== key) {
    held = { key, expected: expectedCounts({ ...parts, spotCounts: rowsOf(spotCounts) }) };
  }
  const { lengths, indices, values } = held.expected.rows(from, to, least);
  const n = indices.length;
  const into = room && room.indices.length >= n ? room : newRoom(Math.ceil(SPARE * n));
  into.indices.set(indices);
  into.values.set(values);
  return { lengths, indices: into.indices.subarray(0, n), values: into.values.subarray(0, n) };
}

function newRoom(length: number): AllocatedRoom {
  const bytes = (): SharedArrayBuffer => new SharedArrayBuffer(4 * length);
  return { indices: new Int32Array(bytes()), values: new Float32Array(bytes()) };
}
