import type { Matrix } from "@stipple/numerics/matrices";
import { boxOf } from "@stipple/numerics/boxes";

/**
 * The grid of finest bins covering a sample's larger ones; its unit is a fine bin, and (0, 0) is its upper left
 * corner.
 */
export interface BinGrid {
  rows: number;
  cols: number;
  /** Array row and column of the grid's first bin. */
  firstRow: number;
  firstCol: number;
  /** Index of the larger bin that the fine bin in this row and column of the grid is part of; -1 if there is none. */
  largerBin(row: number, col: number): number;
  /**
   * Grid positions, in fine bins, of points in the image (interleaved x, y in full-resolution px): interleaved
   * column, row. O(points).
   */
  place(xy: ArrayLike<number>): Float64Array<ArrayBuffer>;
}

/** Maximum root-mean-square distance of larger bins from their fitted positions, in fine bins. */
const MAX_RESIDUAL = 0.5;
const TERMS = 6;

/**
 * Locates the fine bins from the larger ones: a bin of `perBin`² fine bins at array row r covers fine rows
 * perBin·r … perBin·(r + 1) − 1. Grid positions are polynomials of degree 2 in x and y, fitted to all larger
 * bins, because Space Ranger maps the array onto the image with a perspective transform. Null if the bins do
 * not form a grid. O(bins).
 */
export function fineGrid(
  array: Matrix<Int32Array>,
  xy: Matrix<Float64Array>,
  perBin: number,
): BinGrid | null {
  const n = array.nRows;
  if (n === 0) return null;
  // Array positions are row, column.
  const { left: top, right: bottom, top: left, bottom: right } = boxOf(array.data);
  const firstRow = perBin * top;
  const firstCol = perBin * left;
  const unit = unitSquare(xy);
  const column = new Float64Array(n);
  const row = new Float64Array(n);
  const across = right - left + 1;
  const larger = new Int32Array((bottom - top + 1) * across).fill(-1);
  for (let i = 0; i < n; i++) {
    larger[(array.data[2 * i] - top) * across + array.data[2 * i + 1] - left] = i;
    row[i] = (array.data[2 * i] + 0.5) * perBin - firstRow;
    column[i] = (array.data[2 * i + 1] + 0.5) * perBin - firstCol;
  }
  // A few bins in a row do not determine a curve; fall back to an affine map.
  const fitted = fitted2(xy, unit, column, row, TERMS) ?? fitted2(xy, unit, column, row, 3);
  if (!fitted) return null;
  const place = (points: ArrayLike<number>): Float64Array<ArrayBuffer> => {
    const out = new Float64Array(points.length);
    const term = new Float64Array(TERMS);
    for (let p = 0; p + 1 < points.length; p += 2) {
      terms(points[p], points[p + 1], unit, term);
      for (let t = 0; t < fitted.column.length; t++) {
        out[p] += fitted.column[t] * term[t];
        out[p + 1] += fitted.row[t] * term[t];
      }
    }
    return out;
  };
  const placed = place(xy.data);
  let squares = 0;
  for (let i = 0; i < n; i++) {
    squares += (placed[2 * i] - column[i]) ** 2 + (placed[2 * i + 1] - row[i]) ** 2;
  }
  if (!(Math.sqrt(squares / n) <= MAX_RESIDUAL)) return null;
  return {
    rows: (bottom - top + 1) * perBin,
    cols: across * perBin,
    firstRow,
    firstCol,
    largerBin: (r, c) => larger[Math.floor(r / perBin) * across + Math.floor(c / perBin)],
    place,
  };
}

/**
 * Shift and scale that bring points near the unit square, where powers of coordinates have similar magnitude.
 */
interface Unit {
  x: number;
  y: number;
  scale: number;
}

function unitSquare({ data }: Matrix<Float64Array>): Unit {
  const { left, top, right, bottom } = boxOf(data);
  const scale = 2 / Math.max(1, right - left, bottom - top);
  return { x: (left + right) / 2, y: (top + bottom) / 2, scale };
}

function terms(x: number, y: number, unit: Unit, out: Float64Array): void {
  const u = (x - unit.x) * unit.scale;
  const v = (y - unit.y) * unit.scale;
  out[0] = 1;
  out[1] = u;
  out[2] = v;
  out[3] = u * u;
  out[4] = u * v;
  out[5] = v * v;
}

/**
 * Least-squares coefficients of both coordinates for the first `count` terms; null if the points do not
 * determine them.
 */
function fitted2(
  { data }: Matrix<Float64Array>,
  unit: Unit,
  column: Float64Array,
  row: Float64Array,
  count: number,
): { column: Float64Array; row: Float64Array } | null {
  const width = count + 2;
  const system = new Float64Array(count * width);
  const term = new Float64Array(TERMS);
  for (let i = 0; i < column.length; i++) {
    terms(data[2 * i], data[2 * i + 1], unit, term);
    for (let a = 0; a < count; a++) {
      for (let b = 0; b < count; b++) system[a * width + b] += term[a] * term[b];
      system[a * width + count] += term[a] * column[i];
      system[a * width + count + 1] += term[a] * row[i];
    }
  }
  return solve(system, count, column.length);
}

/**
 * Gaussian elimination with pivoting for count equations with two right-hand sides; null if they are not
 * independent.
 */
function solve(
  system: Float64Array,
  count: number,
  points: number,
): { column: Float64Array; row: Float64Array } | null {
  const width = count + 2;
  for (let pivot = 0; pivot < count; pivot++) {
    let best = pivot;
    for (let a = pivot + 1; a < count; a++) {
      if (Math.abs(system[a * width + pivot]) > Math.abs(system[best * width + pivot])) best = a;
    }
    // Coordinates are within 1 of the center, so sums of squares of spread-out points are of the order of their
    // number.
    if (Math.abs(system[best * width + pivot]) < 1e-6 * points) return null;
    for (let b = 0; b < width; b++) {
      const swap = system[pivot * width + b];
      system[pivot * width + b] = system[best * width + b];
      system[best * width + b] = swap;
    }
    for (let a = 0; a < count; a++) {
      if (a === pivot) continue;
      const factor = system[a * width + pivot] / system[pivot * width + pivot];
      for (let b = pivot; b < width; b++)
        system[a * width + b] -= factor * system[pivot * width + b];
    }
  }
  const right = (offset: number): Float64Array =>
    Float64Array.from(
      { length: count },
      (_, a) => system[a * width + count + offset] / system[a * width + a],
    );
  return { column: right(0), row: right(1) };
}
