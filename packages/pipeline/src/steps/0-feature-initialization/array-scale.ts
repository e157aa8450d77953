import { InputError } from "../../errors.ts";
import type { AlignmentScale } from "../../facts.ts";
import type { Positions } from "../../readers/visium/read-positions.ts";
import { binUmOf, resolveBinUm } from "./bin-size.ts";
import type { Scalefactors } from "../../readers/visium/read-scalefactors.ts";

/** Centre-to-centre distance of neighbouring Visium spots, and their diameter, µm (10x Genomics). */
const VISIUM_PITCH_UM = 100;
const VISIUM_SPOT_UM = 55;
/** Nominal diameter behind spot_diameter_fullres, µm: larger than the printed 55 µm. */
const NOMINAL_DIAMETER_UM = 65;

/** A fit may leave this much of a pitch, and its neighbour directions may differ this much, before it is given up. */
const MAX_RESIDUAL = 0.1;
const MAX_UNEVENNESS = 0.05;

/** pixel = origin + array_row · row + array_col · col, by least squares. */
export interface LatticeFit {
  origin: [number, number];
  /** Pixels (x, y) from one array row to the next. */
  row: [number, number];
  /** Pixels (x, y) from one array column to the next. */
  col: [number, number];
  /** Root-mean-square distance of the spots kept from their lattice points, px. */
  residualPx: number;
  /** Fraction of spots that lie off the lattice and were left out of the fit. */
  outliers: number;
}

type Spots = Pick<Positions, "arrayRow" | "arrayCol" | "x" | "y">;

/**
 * Fits the affine map from array indices to pixels, dropping spots beyond four times the typical residual.
 * Rotation, mirroring and swapped axes are all affine. Null when the spots do not span two directions. O(spots).
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
    // Rounded positions alone leave up to 0.7 px.
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

/**
 * Pixels between neighbouring spots of Visium's hexagonal array, where a column step is half a pitch: neighbours are
 * 2 columns, or 1 row and 1 column, apart. Also accepts row and column swapped. Null when the fit is no such lattice.
 */
export function hexagonalPitch({ row, col }: LatticeFit): number | null {
  const length = (a: number, b: number): number =>
    Math.hypot(a * row[0] + b * col[0], a * row[1] + b * col[1]);
  for (const straight of [length(0, 2), length(2, 0)]) {
    const neighbours = [straight, length(1, 1), length(1, -1)];
    const mean = (neighbours[0] + neighbours[1] + neighbours[2]) / 3;
    if (neighbours.every((distance) => Math.abs(distance - mean) <= MAX_UNEVENNESS * mean)) {
      return mean;
    }
  }
  return null;
}

/** Pixels between neighbouring bins of HD's square array; null when its two directions differ. */
export function squarePitch({ row, col }: LatticeFit): number | null {
  const a = Math.hypot(...row);
  const b = Math.hypot(...col);
  const mean = (a + b) / 2;
  return mean > 0 && Math.abs(a - b) <= MAX_UNEVENNESS * mean ? mean : null;
}

/**
 * Typical distance of a spot to its nearest neighbour, px, on up to 3,000 spots: the median of those within 1.3 times
 * the 10th percentile, so that lone spots do not count. Null for fewer than two distinct positions.
 */
export function nearestNeighbourPitch(x: Float64Array, y: Float64Array): number | null {
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

/**
 * µm per full-resolution pixel. Visium: from the 100 µm pitch of the array, because 55 / spot_diameter_fullres is wrong
 * in most files. HD: microns_per_pixel, or the pitch of the bins. Where the array indices do not fit the positions,
 * from the distance of nearest neighbours. Throws {@link InputError} when the platform is the other one or nothing fits.
 */
export function estimateScale(
  positions: Positions,
  scalefactors: Scalefactors,
  options: { platform: "visium" | "hd_visium"; resolution: "8" | "16" | undefined; file: string },
): AlignmentScale {
  const looksHd = scalefactors.bin_size_um !== undefined || binUmOf(positions.barcode[0]) !== null;
  const fit = fitLattice(positions);
  if (options.platform === "hd_visium") {
    if (!looksHd && fit && hexagonalPitch(fit) !== null && positions.x.length > 10) {
      throw new InputError(
        `${options.file} describes the hexagonal array of Visium, not HD Visium: choose the platform Visium.`,
        { file: options.file },
      );
    }
    return hdScale(positions, scalefactors, fit, options);
  }
  if (looksHd) {
    throw new InputError(
      `${options.file} describes bins of HD Visium: choose the platform HD Visium and a bin size of 8 or 16 µm.`,
      { file: options.file },
    );
  }
  const shared = {
    pitchUm: VISIUM_PITCH_UM,
    spotSizeUm: VISIUM_SPOT_UM,
    spotShape: "disc",
  } as const;
  const pitch = fit && hexagonalPitch(fit);
  if (fit && pitch && fit.residualPx <= MAX_RESIDUAL * pitch && fit.outliers <= 0.2) {
    requireSameImage(VISIUM_PITCH_UM / pitch, scalefactors, options.file);
    return {
      ...shared,
      micronsPerPixel: VISIUM_PITCH_UM / pitch,
      source: "array_pitch",
      residualPx: fit.residualPx,
      warnings: outlierWarnings(fit, options.file),
    };
  }
  const spanned = fit ? null : spanScale(positions);
  if (spanned !== null) {
    return {
      ...shared,
      micronsPerPixel: spanned,
      source: "array_pitch",
      residualPx: null,
      warnings: [
        `${options.file} has too few spots to check the array; the scale was taken from their distance.`,
      ],
    };
  }
  const nearest = nearestNeighbourPitch(positions.x, positions.y);
  if (nearest !== null) {
    const warnings = [
      `The array indices in ${options.file} do not fit the positions; the scale was taken from the distance of neighboring spots (${nearest.toFixed(1)} px = 100 µm).`,
    ];
    return {
      ...shared,
      micronsPerPixel: VISIUM_PITCH_UM / nearest,
      source: "nearest_neighbour",
      residualPx: null,
      warnings,
    };
  }
  const diameter = scalefactors.spot_diameter_fullres;
  if (diameter === undefined) {
    throw new InputError(
      `${options.file} has fewer than two different positions, so that no scale can be derived: take the file as Space Ranger wrote it.`,
      { file: options.file },
    );
  }
  return {
    ...shared,
    micronsPerPixel: NOMINAL_DIAMETER_UM / diameter,
    source: "nearest_neighbour",
    residualPx: null,
    warnings: [
      "With a single spot the scale could only be taken from spot_diameter_fullres (nominally 65 µm) and may be off by a fifth.",
    ],
  };
}

/**
 * µm per pixel from the longest distance between two spots, px, and between their places on the array; for spots in a
 * line, which give no lattice. Null when that is no distance. O(spots).
 */
function spanScale({ arrayRow, arrayCol, x, y }: Spots): number | null {
  if (x.length > 1000) return null;
  let [farthest, um] = [0, 0];
  for (let i = 1; i < x.length; i++) {
    const px = Math.hypot(x[i] - x[0], y[i] - y[0]);
    if (px <= farthest) continue;
    farthest = px;
    // Rows lie √3/2 pitches apart, columns half a pitch.
    um = Math.hypot(
      ((arrayRow[i] - arrayRow[0]) * VISIUM_PITCH_UM * Math.sqrt(3)) / 2,
      ((arrayCol[i] - arrayCol[0]) * VISIUM_PITCH_UM) / 2,
    );
  }
  return farthest > 0 && um > 0 ? um / farthest : null;
}

/** Files differ by up to 1.3 in what they take for a spot's diameter; beyond this the positions are of another image. */
const MAX_DIAMETER_RATIO = 1.7;

/** Refuses positions whose pitch and spot_diameter_fullres cannot be of the same image. */
function requireSameImage(umPerPx: number, scalefactors: Scalefactors, file: string): void {
  const diameter = scalefactors.spot_diameter_fullres;
  if (diameter === undefined) return;
  const ratio = NOMINAL_DIAMETER_UM / diameter / umPerPx;
  if (ratio < MAX_DIAMETER_RATIO && ratio > 1 / MAX_DIAMETER_RATIO) return;
  const [size, factor] = ratio > 1 ? ["smaller", ratio] : ["larger", 1 / ratio];
  throw new InputError(
    `${file} and scalefactors_json.json contradict each other: neighboring spots lie ${(VISIUM_PITCH_UM / umPerPx).toFixed(1)} px apart, but a spot is ${diameter.toFixed(1)} px wide, as in an image about ${factor.toFixed(1)} times ${size}; take both files from one Space Ranger folder.`,
    { file },
  );
}

function hdScale(
  positions: Positions,
  scalefactors: Scalefactors,
  fit: LatticeFit | null,
  options: { resolution: "8" | "16" | undefined; file: string },
): AlignmentScale {
  const { binUm, warnings } = resolveBinUm(positions.barcode[0], scalefactors, options);
  const shared = { pitchUm: binUm, spotSizeUm: binUm, spotShape: "square" } as const;
  const pitch = fit && squarePitch(fit);
  const fits = fit && pitch && fit.residualPx <= MAX_RESIDUAL * pitch && fit.outliers <= 0.2;
  const residualPx = fits ? fit.residualPx : null;
  if (fits) warnings.push(...outlierWarnings(fit, options.file));
  const given = scalefactors.microns_per_pixel;
  if (given !== undefined) {
    if (fits && Math.abs((pitch * given) / binUm - 1) > 0.05) {
      throw new InputError(
        `The bins in ${options.file} lie ${(pitch * given).toFixed(2)} µm apart by microns_per_pixel of scalefactors_json.json, not ${binUm} µm: the positions refer to an image of another size, or one of the two files is of another sample; take both from one Space Ranger folder.`,
        { file: options.file },
      );
    }
    return { ...shared, micronsPerPixel: given, source: "microns_per_pixel", residualPx, warnings };
  }
  if (fits) {
    return {
      ...shared,
      micronsPerPixel: binUm / pitch,
      source: "array_pitch",
      residualPx,
      warnings,
    };
  }
  const nearest = nearestNeighbourPitch(positions.x, positions.y);
  if (nearest === null) {
    throw new InputError(
      `scalefactors_json.json lacks microns_per_pixel, and the positions in ${options.file} give no scale: take both files as Space Ranger wrote them.`,
      { file: options.file },
    );
  }
  warnings.push(
    `The array indices in ${options.file} do not fit the positions; the scale was taken from the distance of neighboring bins (${nearest.toFixed(1)} px = ${binUm} µm).`,
  );
  return {
    ...shared,
    micronsPerPixel: binUm / nearest,
    source: "nearest_neighbour",
    residualPx: null,
    warnings,
  };
}

function outlierWarnings(fit: LatticeFit, file: string): string[] {
  if (fit.outliers < 0.005) return [];
  return [
    `${(fit.outliers * 100).toFixed(1)} % of the positions in ${file} lie off their array and were left out of the scale.`,
  ];
}
