import type { Positions } from "../sample.ts";

/**
 * A fit is rejected if its residual exceeds this fraction of the pitch, or its neighbor directions differ by
 * more than this.
 */
const MAX_RESIDUAL = 0.1;
const MAX_UNEVENNESS = 0.05;
const MAX_OUTLIERS = 0.2;

/** pixel = origin + array_row · row + array_col · col, by least squares. */
export interface LatticeFit {
  origin: [number, number];
  /** Pixels (x, y) from one array row to the next. */
  row: [number, number];
  /** Pixels (x, y) from one array column to the next. */
  col: [number, number];
  /** Root-mean-square distance of the retained spots from their lattice points, px. */
  residualPx: number;
  /** Fraction of spots off the lattice that were left out of the fit. */
  outliers: number;
}

export type Spots = Pick<Positions, "arrayRow" | "arrayCol" | "x" | "y">;

/**
 * Fits the affine map from array indices to pixels, dropping spots with more than four times the typical
 * residual. Rotation, mirroring, and swapped axes are all affine. Null if the spots do not span two directions.
 * O(spots).
 */
export function fitLattice(spots: Spots): LatticeFit | null {
  const { arrayRow, arrayCol, x, y } = spots;
  const n = x.length;
  const used = new Uint8Array(n).fill(1);
  let fit: Omit<LatticeFit, "residualPx" | "outliers"> | null = null;
  const residual = new Float64Array(n);
  for (let round = 0; round < 4; round++) {
    fit = leastSquares(spots, used);
    if (!fit) return null;
    for (let i = 0; i < n; i++) {
      residual[i] = Math.hypot(
        fit.origin[0] + fit.row[0] * arrayRow[i] + fit.col[0] * arrayCol[i] - x[i],
        fit.origin[1] + fit.row[1] * arrayRow[i] + fit.col[1] * arrayCol[i] - y[i],
      );
    }
    const typical = residual.toSorted()[n >> 1];
    // Rounding of positions alone leaves up to 0.7 px.
    const limit = Math.max(1, 4 * typical);
    let changed = false;
    for (let i = 0; i < n; i++) {
      const keep = Number(residual[i] <= limit);
      changed ||= keep !== used[i];
      used[i] = keep;
    }
    if (!changed) break;
  }
  let sum = 0;
  let count = 0;
  for (let i = 0; i < n; i++) {
    if (!used[i]) continue;
    sum += residual[i] ** 2;
    count++;
  }
  return { ...fit!, residualPx: Math.sqrt(sum / count), outliers: 1 - count / n };
}

function leastSquares(
  { arrayRow, arrayCol, x, y }: Spots,
  used: Uint8Array,
): Pick<LatticeFit, "origin" | "row" | "col"> | null {
  let [n, mr, mc, mx, my] = [0, 0, 0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    if (!used[i]) continue;
    n++;
    mr += arrayRow[i];
    mc += arrayCol[i];
    mx += x[i];
    my += y[i];
  }
  if (n < 3) return null;
  mr /= n;
  mc /= n;
  mx /= n;
  my /= n;
  let [rr, rc, cc, rx, ry, cx, cy] = [0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    if (!used[i]) continue;
    const r = arrayRow[i] - mr;
    const c = arrayCol[i] - mc;
    rr += r * r;
    rc += r * c;
    cc += c * c;
    rx += r * (x[i] - mx);
    ry += r * (y[i] - my);
    cx += c * (x[i] - mx);
    cy += c * (y[i] - my);
  }
  const determinant = rr * cc - rc * rc;
  if (!(determinant > 1e-6 * rr * cc)) return null;
  const row: [number, number] = [
    (rx * cc - cx * rc) / determinant,
    (ry * cc - cy * rc) / determinant,
  ];
  const col: [number, number] = [
    (cx * rr - rx * rc) / determinant,
    (cy * rr - ry * rc) / determinant,
  ];
  return {
    row,
    col,
    origin: [mx - row[0] * mr - col[0] * mc, my - row[1] * mr - col[1] * mc],
  };
}

/** Whether all of these points lie on one line, or at one place. O(points). */
export function areOnLine(x: Float64Array, y: Float64Array): boolean {
  const [mx, my] = [x, y].map((values) => values.reduce((sum, value) => sum + value, 0) / x.length);
  let [xx, xy, yy] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    const [u, v] = [x[i] - mx, y[i] - my];
    xx += u * u;
    xy += u * v;
    yy += v * v;
  }
  return !(xx * yy - xy * xy > 1e-6 * xx * yy);
}

/**
 * Pixels between neighbors of a hexagonal array with Visium's indexing, in which a column step is half a pitch:
 * neighbors are 2 columns, or 1 row and 1 column, apart. Also accepts row and column swapped. Null if the fit
 * is not such a lattice.
 */
export function hexagonalPitch({ row, col }: LatticeFit): number | null {
  const length = (a: number, b: number): number =>
    Math.hypot(a * row[0] + b * col[0], a * row[1] + b * col[1]);
  for (const straight of [length(0, 2), length(2, 0)]) {
    const neighbors = [straight, length(1, 1), length(1, -1)];
    const mean = (neighbors[0] + neighbors[1] + neighbors[2]) / 3;
    if (neighbors.every((distance) => Math.abs(distance - mean) <= MAX_UNEVENNESS * mean)) {
      return mean;
    }
  }
  return null;
}

/** Pixels between neighbors of a square array; null if its two directions differ. */
export function squarePitch({ row, col }: LatticeFit): number | null {
  const a = Math.hypot(...row);
  const b = Math.hypot(...col);
  const mean = (a + b) / 2;
  return mean > 0 && Math.abs(a - b) <= MAX_UNEVENNESS * mean ? mean : null;
}

/**
 * Typical distance from a spot to its nearest neighbor, px, over up to 3,000 spots: the median of those within
 * 1.3 times the 10th percentile, so that isolated spots do not count. Null for fewer than two distinct
 * positions.
 */
export function nearestNeighborPitch(x: Float64Array, y: Float64Array): number | null {
  const order = Uint32Array.from({ length: x.length }, (_, i) => i).sort((a, b) => x[a] - x[b]);
  const step = Math.max(1, Math.floor(order.length / 3000));
  const distances: number[] = [];
  for (let i = 0; i < order.length; i += step) {
    const spot = order[i];
    let best = Number.POSITIVE_INFINITY;
    for (const direction of [-1, 1]) {
      for (let j = i + direction; j >= 0 && j < order.length; j += direction) {
        const dx = Math.abs(x[order[j]] - x[spot]);
        if (dx >= best) break;
        const distance = Math.hypot(dx, y[order[j]] - y[spot]);
        if (distance > 0) best = Math.min(best, distance);
      }
    }
    if (Number.isFinite(best)) distances.push(best);
  }
  if (distances.length === 0) return null;
  distances.sort((a, b) => a - b);
  const limit = 1.3 * distances[Math.floor(distances.length / 10)];
  const close = distances.filter((distance) => distance <= limit);
  return close[close.length >> 1];
}

/** Pixels between neighbors of a fitted lattice; null if the spots do not fit it well enough. */
export function pitchOf(fit: LatticeFit | null, lattice: "hexagonal" | "square"): number | null {
  const pitch = fit && (lattice === "hexagonal" ? hexagonalPitch(fit) : squarePitch(fit));
  if (!fit || !pitch) return null;
  const fits = fit.residualPx <= MAX_RESIDUAL * pitch && fit.outliers <= MAX_OUTLIERS;
  return fits ? pitch : null;
}

/** Warnings about spots that were left out of a fit. */
export function outlierWarnings(fit: LatticeFit, file: string): string[] {
  if (fit.outliers < 0.005) return [];
  return [
    `${(fit.outliers * 100).toFixed(1)}% of the positions in ${file} are off their array and were left out of the scale estimate.`,
  ];
}
