import { setImmediate } from "node:timers/promises";
import { throwIfCancelled } from "../../errors.ts";
import type { ExpectedCounts } from "../../model/expected-counts.ts";
import type { AnnDataTarget } from "./target.ts";

/** Values computed at a time. */
const BLOCK_VALUES = 1 << 22;

/**
 * Writes layers/allocated to every target: the expected allocation, at most about `maxEntries` values. Returns the least
 * share of a spot's count that was kept, in UMIs; 0 when all were.
 */
export async function writeAllocated(
  expected: ExpectedCounts,
  targets: readonly AnnDataTarget[],
  { maxEntries, signal }: { maxEntries: number; signal: AbortSignal },
): Promise<number> {
  const { nCells, nGenes } = expected;
  const least = expected.leastFor(maxEntries);
  const layers = targets.map((target) => target.csr("layers/allocated", nCells, nGenes, "<f"));
  const block = Math.max(1, Math.floor(BLOCK_VALUES / Math.max(1, nGenes)));
  for (let from = 0; from < nCells; from += block) {
    const { lengths, indices, values } = expected.rows(from, Math.min(nCells, from + block), least);
    for (const layer of layers) await layer.append(lengths, indices, values);
    await setImmediate();
    throwIfCancelled(signal);
  }
  for (const layer of layers) await layer.finish();
  return least;
}
