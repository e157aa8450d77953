import { pickRows } from "../numerics/dense.ts";
import { Random } from "../numerics/random.ts";
import { chooseRows, transpose } from "../numerics/sparse.ts";
import type { SparseMatrix } from "../fields.ts";
import type { AnchoredData } from "./anchored-fit.ts";

/** Random halves of the spots, each with the cells that it captures. */
export function halvesOfSpots(data: AnchoredData, seed: number): AnchoredData[] {
  const { nRows } = data.overlap;
  const middle = nRows >> 1;
  const order = Array.from({ length: nRows }, (_, s) => s);
  new Random(seed + 1).shuffle(order);
  return [order.slice(0, middle), order.slice(middle)].map((spots) => spotsOf(data, spots));
}

/** Spots per patch, and the mean number of cells per spot above which patches are used. */
const PATCH = 50;
const MANY_CELLS = 10;

/**
 * All spots in random order, in patches of neighbors if each captures many cells. A subset of a large sample then
 * contains most of the spots that capture its cells, whereas scattered spots would each add cells that no other spot
 * captures. Small bins capture little more than their own cell and are drawn one by one.
 */
export function spotsInPatches(overlap: SparseMatrix, random: Random): Uint32Array {
  const { nRows, indptr, indices } = overlap;
  const order = Uint32Array.from({ length: nRows }, (_, s) => s);
  random.shuffle(order);
  if (indices.length < MANY_CELLS * nRows) return order;
  const seenBy = transpose(overlap);
  const taken = new Uint8Array(nRows);
  const found: number[] = [];
  for (const first of order) {
    if (taken[first]) continue;
    const patch = [first];
    const known = new Set(patch);
    for (let at = 0; at < patch.length && patch.length < PATCH; at++) {
      for (let i = indptr[patch[at]]; i < indptr[patch[at] + 1]; i++) {
        const cell = indices[i];
        for (let j = seenBy.indptr[cell]; j < seenBy.indptr[cell + 1]; j++) {
          const spot = seenBy.indices[j];
          if (taken[spot] || known.has(spot) || patch.length >= PATCH) continue;
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

function spotsOf(data: AnchoredData, spots: readonly number[]): AnchoredData {
  const { nGenes, phi } = data;
  const chosen = chooseRows(data.overlap, spots);
  const cells = [...new Set(chosen.indices)];
  const place = new Uint32Array(data.overlap.nCols);
  cells.forEach((cell, at) => (place[cell] = at));
  const overlap = {
    ...chosen,
    nCols: cells.length,
    indices: chosen.indices.map((cell) => place[cell]),
  };
  return {
    ...data,
    overlap,
    reached: transpose(overlap),
    counts: pickRows(data.counts, nGenes, spots),
    phi: { data: pickRows(phi.data, phi.nCols, cells), nCols: phi.nCols },
  };
}
