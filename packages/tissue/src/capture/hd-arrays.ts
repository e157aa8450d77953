import { Random } from "@stipple/numerics/random";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import type { Cells } from "../anatomy/place-cells.ts";
import type { TissueMap } from "../anatomy/tissue-map.ts";
import type { CellKind } from "../catalog/tissue-plan.ts";
import type { TissueOptions } from "../options.ts";
import { BODY_POINTS, BODY_X, BODY_Y } from "./body-points.ts";
import { emptyBins, type CaptureArray, type Places } from "./capture-array.ts";
import { DepositList } from "./deposit-list.ts";

const BIN_UM = 8;
/** Bins per side of a larger bin. */
const MERGED = 2;
/** Finest bins per side of an 8 µm bin. */
export const FINE_PER_BIN = 4;
export const FINE_UM = BIN_UM / FINE_PER_BIN;

/**
 * Visium HD's contiguous 8 µm bins. RNA is captured where its cell is, except for a fraction β that first takes
 * a random step of mean length 2ℓ; rows and columns of bins differ slightly in efficiency (stripes). O(cells).
 */
export function hdArray(
  map: TissueMap,
  cells: Cells,
  looks: readonly CellKind[],
  options: TissueOptions,
): CaptureArray {
  const { sizeUm, seed, bleed, bleedLengthUm, spotEfficiencyCv } = options;
  const random = new Random(seed + 6 * 2 ** 32);
  const tilt = ((random.uniform() - 0.5) * 2 * Math.PI) / 180;
  const cos = Math.cos(tilt);
  const sin = Math.sin(tilt);
  const side = Math.floor((sizeUm - 40) / (BIN_UM * MERGED)) * MERGED;
  const middle = sizeUm / 2;
  const stripe = (): Float64Array =>
    Float64Array.from({ length: side }, () => Math.exp(spotEfficiencyCv * random.normal()));
  const rowEfficiency = stripe();
  const columnEfficiency = stripe();

  const entries: Map<number, number>[] = Array.from({ length: side * side }, () => new Map());
  const deposits = options.fineBins ? new DepositList() : null;
  const deposit = (x: number, y: number, cell: number, amount: number): void => {
    const across = ((x - middle) * cos + (y - middle) * sin) / BIN_UM + side / 2;
    const down = ((y - middle) * cos - (x - middle) * sin) / BIN_UM + side / 2;
    const column = Math.floor(across);
    const row = Math.floor(down);
    if (row < 0 || column < 0 || row >= side || column >= side) return;
    const bin = entries[row * side + column];
    const caught = amount * rowEfficiency[row] * columnEfficiency[column];
    bin.set(cell, (bin.get(cell) ?? 0) + caught);
    const fineRow = Math.floor(FINE_PER_BIN * down);
    const fineColumn = Math.floor(FINE_PER_BIN * across);
    deposits?.push(fineRow * side * FINE_PER_BIN + fineColumn, cell, caught);
  };
  for (let cell = 0; cell < cells.count; cell++) {
    const around = looks[cells.kind[cell]].cytoplasmUm;
    const a = cells.major[cell] + around;
    const b = cells.minor[cell] + around;
    const turnCos = Math.cos(cells.angle[cell]);
    const turnSin = Math.sin(cells.angle[cell]);
    for (let point = 0; point < BODY_POINTS; point++) {
      const u = a * BODY_X[point];
      const v = b * BODY_Y[point];
      const x = cells.x[cell] + u * turnCos - v * turnSin;
      const y = cells.y[cell] + u * turnSin + v * turnCos;
      deposit(x, y, cell, (1 - bleed) / BODY_POINTS);
      if (bleed === 0) continue;
      const step = bleedLengthUm * random.gamma(2);
      const direction = random.uniform() * 2 * Math.PI;
      deposit(
        x + step * Math.cos(direction),
        y + step * Math.sin(direction),
        cell,
        bleed / BODY_POINTS,
      );
    }
  }
  return {
    ...places(
      "square_008um",
      BIN_UM,
      side,
      (u, v) => {
        const x = middle + u * cos - v * sin;
        return [x, middle + u * sin + v * cos];
      },
      map,
    ),
    capture: fromMaps(entries, cells.count),
    ...(deposits ? { deposits: deposits.finish() } : {}),
  };
}

/** The bins of a square array, row by row; `toImage` converts array µm (from the center) to image µm. */
function places(
  name: Places["name"],
  binUm: number,
  side: number,
  toImage: (u: number, v: number) => [x: number, y: number],
  map: TissueMap,
): Places {
  const count = side * side;
  const array = emptyBins(name, binUm, count);
  for (let bin = 0; bin < count; bin++) {
    const row = Math.floor(bin / side);
    const column = bin % side;
    const [x, y] = toImage((column + 0.5 - side / 2) * binUm, (row + 0.5 - side / 2) * binUm);
    array.barcode[bin] = binBarcode(binUm, row, column);
    array.x[bin] = x;
    array.y[bin] = y;
    array.arrayRow[bin] = row;
    array.arrayCol[bin] = column;
    array.inTissue[bin] = map.tissue.at(x, y) > 0 ? 1 : 0;
  }
  return array;
}

export function binBarcode(binUm: number, row: number, column: number): string {
  const digits = (value: number, width: number): string => String(value).padStart(width, "0");
  return `s_${digits(binUm, 3)}um_${digits(row, 5)}_${digits(column, 5)}-1`;
}

/** Sparse matrix from rows of values by column. */
export function fromMaps(entries: readonly Map<number, number>[], nCols: number): SparseMatrix {
  const indptr = new Uint32Array(entries.length + 1);
  entries.forEach((entry, row) => (indptr[row + 1] = indptr[row] + entry.size));
  const indices = new Uint32Array(indptr[entries.length]);
  const data = new Float32Array(indptr[entries.length]);
  entries.forEach((entry, row) => {
    [...entry.keys()]
      .sort((a, b) => a - b)
      .forEach((cell, k) => {
        indices[indptr[row] + k] = cell;
        data[indptr[row] + k] = entry.get(cell)!;
      });
  });
  return { nRows: entries.length, nCols, indptr, indices, data };
}

/** The 16 µm bins of four 8 µm bins each, and their counts, which are sums, as in Space Ranger. */
export function mergeBins(
  array: CaptureArray,
  counts: SparseMatrix,
): { array: CaptureArray; counts: SparseMatrix } {
  const side = Math.round(Math.sqrt(array.count));
  const half = side / MERGED;
  const total = half * half;
  const parentOf = (bin: number): number =>
    Math.floor(Math.floor(bin / side) / MERGED) * half + Math.floor((bin % side) / MERGED);
  const x = new Float64Array(total);
  const y = new Float64Array(total);
  const inTissue = new Uint8Array(total);
  for (let bin = 0; bin < array.count; bin++) {
    const parent = parentOf(bin);
    x[parent] += array.x[bin] / MERGED ** 2;
    y[parent] += array.y[bin] / MERGED ** 2;
    if (array.inTissue[bin]) inTissue[parent] = 1;
  }
  const sums = (matrix: SparseMatrix): SparseMatrix => {
    const entries: Map<number, number>[] = Array.from({ length: total }, () => new Map());
    for (let bin = 0; bin < array.count; bin++) {
      const entry = entries[parentOf(bin)];
      for (let k = matrix.indptr[bin]; k < matrix.indptr[bin + 1]; k++) {
        const column = matrix.indices[k];
        entry.set(column, (entry.get(column) ?? 0) + matrix.data[k]);
      }
    }
    return fromMaps(entries, matrix.nCols);
  };
  const sizeUm = array.sizeUm * MERGED;
  const merged: CaptureArray = {
    name: "square_016um",
    shape: "square",
    sizeUm,
    count: total,
    barcode: Array.from({ length: total }, (_, bin) =>
      binBarcode(sizeUm, Math.floor(bin / half), bin % half),
    ),
    x,
    y,
    arrayRow: Int32Array.from({ length: total }, (_, bin) => Math.floor(bin / half)),
    arrayCol: Int32Array.from({ length: total }, (_, bin) => bin % half),
    inTissue,
    capture: sums(array.capture),
  };
  return { array: merged, counts: sums(counts) };
}
