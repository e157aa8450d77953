import type { SparseMatrix } from "@stipple/numerics/matrices";
import type { Cells } from "../anatomy/place-cells.ts";
import type { CellKind } from "../catalog/tissue-plan.ts";
import type { TissueOptions } from "../options.ts";
import { BODY_POINTS, BODY_X, BODY_Y } from "./body-points.ts";

/** Bleed is cut off at this many decay lengths. */
const REACH_LENGTHS = 5;

/**
 * How much of each cell's RNA each spot captures (spots × cells): (1 − β) × the fraction of the cell's body in
 * the disk + β × κ·exp(−d/ℓ), with κ chosen so that over uniform tissue β of the counts come from the
 * exponential. O(spots × cells within five decay lengths).
 */
export function captureInDiscs(
  spots: { count: number; sizeUm: number; x: Float64Array; y: Float64Array },
  efficiency: Float64Array,
  cells: Cells,
  looks: readonly CellKind[],
  options: TissueOptions,
): SparseMatrix {
  const { bleed, bleedLengthUm } = options;
  const radius = spots.sizeUm / 2;
  const reach = bleed > 0 ? REACH_LENGTHS * bleedLengthUm : radius + 30;
  const kappa = (radius * radius) / (2 * bleedLengthUm * bleedLengthUm);
  const indptr = new Uint32Array(spots.count + 1);
  const indices: number[] = [];
  const data: number[] = [];
  for (let spot = 0; spot < spots.count; spot++) {
    for (let cell = 0; cell < cells.count; cell++) {
      const dx = cells.x[cell] - spots.x[spot];
      const dy = cells.y[cell] - spots.y[spot];
      if (Math.abs(dx) > reach || Math.abs(dy) > reach) continue;
      const d = Math.hypot(dx, dy);
      if (d > reach) continue;
      const inside = d > radius + 30 ? 0 : fractionInDisc(dx, dy, radius, cells, cell, looks);
      const value = (1 - bleed) * inside + bleed * kappa * Math.exp(-d / bleedLengthUm);
      if (value <= 0) continue;
      indices.push(cell);
      data.push(value * efficiency[spot]);
    }
    indptr[spot + 1] = indices.length;
  }
  return {
    nRows: spots.count,
    nCols: cells.count,
    indptr,
    indices: Uint32Array.from(indices),
    data: Float32Array.from(data),
  };
}

/** Fraction of a cell's elliptical body inside a disk whose center is (−dx, −dy) from the cell. */
function fractionInDisc(
  dx: number,
  dy: number,
  radius: number,
  cells: Cells,
  cell: number,
  looks: readonly CellKind[],
): number {
  const around = looks[cells.kind[cell]].cytoplasmUm;
  const a = cells.major[cell] + around;
  const b = cells.minor[cell] + around;
  const cos = Math.cos(cells.angle[cell]);
  const sin = Math.sin(cells.angle[cell]);
  let inside = 0;
  for (let point = 0; point < BODY_POINTS; point++) {
    const u = a * BODY_X[point];
    const v = b * BODY_Y[point];
    const x = dx + u * cos - v * sin;
    const y = dy + u * sin + v * cos;
    if (x * x + y * y <= radius * radius) inside++;
  }
  return inside / BODY_POINTS;
}
