import { Random } from "@stipple/pipeline/numerics/random";
import type { SparseMatrix } from "@stipple/pipeline/fields";
import type { Cells } from "../anatomy/place-cells.ts";
import type { TissueMap } from "../anatomy/tissue-map.ts";
import type { CellKind } from "../catalogue/tissue-plan.ts";
import type { TissueOptions } from "../options.ts";
import { BODY_POINTS, BODY_X, BODY_Y } from "./body-points.ts";
import type { CaptureArray } from "./capture-array.ts";

const PITCH_UM = 100;
const SPOT_DIAMETER_UM = 55;
/** Bleed is cut off at this many decay lengths. */
const REACH_LENGTHS = 5;

/** A hexagonal array (100 µm pitch) over the image, turned by up to one degree as on a real slide. */
export function visiumArray(
  map: TissueMap,
  cells: Cells,
  looks: readonly CellKind[],
  options: TissueOptions,
): CaptureArray {
  const { sizeUm, seed, spotEfficiencyCv } = options;
  const random = new Random(seed + 6 * 2 ** 32);
  const tilt = ((random.uniform() - 0.5) * 2 * Math.PI) / 180;
  const shift = [random.uniform() * 20 - 10, random.uniform() * 20 - 10] as const;
  const rowUm = (PITCH_UM * Math.sqrt(3)) / 2;
  const rows = Math.floor((sizeUm - 40) / rowUm);
  const columns = Math.floor((sizeUm - 40) / PITCH_UM);
  const middle = sizeUm / 2;
  const places: { x: number; y: number; row: number; col: number }[] = [];
  for (let row = 0; row < rows; row++) {
    for (let i = 0; i < columns; i++) {
      const u = (i + (row % 2) / 2 - columns / 2 + 0.25) * PITCH_UM;
      const v = (row - (rows - 1) / 2) * rowUm;
      const x = middle + u * Math.cos(tilt) - v * Math.sin(tilt) + shift[0];
      const y = middle + u * Math.sin(tilt) + v * Math.cos(tilt) + shift[1];
      places.push({ x, y, row, col: 2 * i + (row % 2) });
    }
  }
  const barcodes = new Set<string>();
  while (barcodes.size < places.length) {
    let barcode = "";
    for (let i = 0; i < 16; i++) barcode += "ACGT"[random.below(4)]!;
    barcodes.add(`${barcode}-1`);
  }
  const shape = spotEfficiencyCv > 0 ? 1 / spotEfficiencyCv ** 2 : 0;
  const array = {
    name: "visium",
    shape: "disc" as const,
    sizeUm: SPOT_DIAMETER_UM,
    count: places.length,
    barcode: [...barcodes],
    x: Float64Array.from(places, (place) => place.x),
    y: Float64Array.from(places, (place) => place.y),
    arrayRow: Int32Array.from(places, (place) => place.row),
    arrayCol: Int32Array.from(places, (place) => place.col),
    inTissue: Uint8Array.from(places, (place) => (map.tissue.at(place.x, place.y) > 0 ? 1 : 0)),
  };
  const efficiency = Float64Array.from(places, () => (shape > 0 ? random.gamma(shape) / shape : 1));
  return { ...array, capture: captureMatrix(array, efficiency, cells, looks, options) };
}

/**
 * How much of each cell's RNA each spot captures (spots × cells): (1 − β) × the fraction of the cell's body in
 * the disc + β × κ·exp(−d/ℓ), with κ such that over an even tissue β of the counts come from the exponential.
 * O(spots × cells within five decay lengths).
 */
function captureMatrix(
  spots: { count: number; x: Float64Array; y: Float64Array },
  efficiency: Float64Array,
  cells: Cells,
  looks: readonly CellKind[],
  options: TissueOptions,
): SparseMatrix {
  const { bleed, bleedLengthUm } = options;
  const radius = SPOT_DIAMETER_UM / 2;
  const reach = bleed > 0 ? REACH_LENGTHS * bleedLengthUm : 60;
  const kappa = (radius * radius) / (2 * bleedLengthUm * bleedLengthUm);
  const indptr = new Uint32Array(spots.count + 1);
  const indices: number[] = [];
  const data: number[] = [];
  for (let spot = 0; spot < spots.count; spot++) {
    for (let cell = 0; cell < cells.count; cell++) {
      const dx = cells.x[cell]! - spots.x[spot]!;
      const dy = cells.y[cell]! - spots.y[spot]!;
      if (Math.abs(dx) > reach || Math.abs(dy) > reach) continue;
      const d = Math.hypot(dx, dy);
      if (d > reach) continue;
      const inside = d > radius + 30 ? 0 : fractionInDisc(dx, dy, radius, cells, cell, looks);
      const value = (1 - bleed) * inside + bleed * kappa * Math.exp(-d / bleedLengthUm);
      if (value <= 0) continue;
      indices.push(cell);
      data.push(value * efficiency[spot]!);
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

/** Fraction of a cell's elliptical body that lies in a disc whose centre is (−dx, −dy) from the cell. */
function fractionInDisc(
  dx: number,
  dy: number,
  radius: number,
  cells: Cells,
  cell: number,
  looks: readonly CellKind[],
): number {
  const around = looks[cells.kind[cell]!]!.cytoplasmUm;
  const a = cells.major[cell]! + around;
  const b = cells.minor[cell]! + around;
  const cos = Math.cos(cells.angle[cell]!);
  const sin = Math.sin(cells.angle[cell]!);
  let inside = 0;
  for (let point = 0; point < BODY_POINTS; point++) {
    const u = a * BODY_X[point]!;
    const v = b * BODY_Y[point]!;
    const x = dx + u * cos - v * sin;
    const y = dy + u * sin + v * cos;
    if (x * x + y * y <= radius * radius) inside++;
  }
  return inside / BODY_POINTS;
}
