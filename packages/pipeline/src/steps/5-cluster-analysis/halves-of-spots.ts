import { pickRows } from "../../numerics/dense.ts";
import { Random } from "../../numerics/random.ts";
import { chooseRows, transpose } from "../../numerics/sparse.ts";
import type { AnchoredData } from "./anchored-fit.ts";

/** Fewer spots are halved three times, since a half of them alone says little. */
const FEW_SPOTS = 300;

/** Both halves of the spots, drawn at random, each with the cells that it reaches; of few spots, three times. */
export function halvesOfSpots(data: AnchoredData, seed: number): AnchoredData[] {
  const { nRows } = data.overlap;
  const middle = nRows >> 1;
  return Array.from({ length: nRows < FEW_SPOTS ? 3 : 1 }, (_, i) => {
    const order = Array.from({ length: nRows }, (_, s) => s);
    new Random(seed + 1 + i).shuffle(order);
    return [order.slice(0, middle), order.slice(middle)];
  })
    .flat()
    .map((spots) => spotsOf(data, spots));
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
