import type { Random } from "@stipple/numerics/random";
import { transpose } from "@stipple/numerics/sparse";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { SAMPLES } from "../model/limits.ts";

/**
 * All spots in random order, in patches of neighbors if each captures many cells. A subset of a large sample then
 * contains most of the spots that capture its cells, whereas scattered spots would each add cells that no other spot
 * captures. Small bins capture little more than their own cell and are drawn one by one.
 */
export function spotsInPatches(overlap: SparseMatrix, random: Random): Uint32Array {
  const { nRows, indptr, indices } = overlap;
  const order = Uint32Array.from({ length: nRows }, (_, s) => s);
  random.shuffle(order);
  if (indices.length < SAMPLES.PATCH_CELLS * nRows) return order;
  const seenBy = transpose(overlap);
  const taken = new Uint8Array(nRows);
  const found: number[] = [];
  for (const first of order) {
    if (taken[first]) continue;
    const patch = [first];
    const known = new Set(patch);
    for (let at = 0; at < patch.length && patch.length < SAMPLES.PATCH; at++) {
      for (let i = indptr[patch[at]]; i < indptr[patch[at] + 1]; i++) {
        const cell = indices[i];
        for (let j = seenBy.indptr[cell]; j < seenBy.indptr[cell + 1]; j++) {
          const spot = seenBy.indices[j];
          if (taken[spot] || known.has(spot) || patch.length >= SAMPLES.PATCH) continue;
          known.add(spot);
          patch.push(spot);
        }
      }
    }
    for (const spot of patch) taken[spot] = 1;
    found.push(...patch);
  }
  return Uint32Array.from(found);
}
