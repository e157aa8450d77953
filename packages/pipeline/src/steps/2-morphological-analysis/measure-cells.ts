import { gaussianBlur } from "../../numerics/gaussian-blur.ts";
import { hullArea, ringLength, signedArea } from "../../numerics/polygon-shape.ts";

/** Names of what {@link measureCells} gives, in order, for planes of these names (nuclear stain first). */
export function cellFeatureNames(planes: readonly string[]): string[] {
  return [
    "nucleus_area_um2",
    "nucleus_major_um",
    "nucleus_minor_um",
    "nucleus_eccentricity",
    "nucleus_solidity",
    "nucleus_roundness",
    "nucleus_ellipse_fill",
    "cell_area_um2",
    "nucleus_fraction",
    ...planes.flatMap((name) => [`nucleus_${name}_mean`, `nucleus_${name}_sd`]),
    ...planes.flatMap((name) => [`ring_${name}_mean`, `ring_${name}_sd`]),
    ...planes.map((name) => `contrast_${name}`),
    `nucleus_${planes[0]}_entropy`,
    `nucleus_${planes[0]}_p10`,
    `nucleus_${planes[0]}_p90`,
    `nucleus_${planes[0]}_total`,
    "nucleus_gradient",
    "nucleus_log_0.5um_mean",
    "nucleus_log_0.5um_sd",
    "nucleus_log_1um_mean",
    "nucleus_log_1um_sd",
    "nucleus_local_sd",
    "ring_gradient",
    "ring_log_1um_sd",
    "nucleus_edge_fall",
  ];
}

const HISTOGRAM_BINS = 32;
/** Stain in units of the slide's 99th percentile; the histogram ends at twice that. */
const HISTOGRAM_TOP = 2;

export interface CellTables {
  /** nCells × cellFeatureNames(...).length. */
  features: Float32Array;
  nucleusAreaUm2: Float32Array;
  cellAreaUm2: Float32Array;
  /** nCells × 2, px of the whole grid. */
  centroid: Float32Array;
}

/**
 * Measures shape, stain and texture of the objects in a tile. `nuclei` and `cells` hold labels 1 … count (a cell covers
 * its nucleus; the ring is the rest of it). O(pixels · planes).
 */
export function measureCells(
  nuclei: Int32Array,
  cells: Int32Array,
  count: number,
  planes: readonly Float32Array[],
  rings: readonly number[][],
  size: { width: number; height: number; umPerPx: number; originX: number; originY: number },
): CellTables {
  const { width, height, umPerPx } = size;
  const make = (): Float64Array => new Float64Array(count + 1);
  const area = make();
  const cellArea = make();
  // Relative to each object's first pixel, so that no rounding depends on where the tile begins.
  const moments = [make(), make(), make(), make(), make()];
  const firstX = new Int32Array(count + 1).fill(-1);
  const firstY = new Int32Array(count + 1);
  for (let y = 0, p = 0; y < height; y++) {
    for (let x = 0; x < width; x++, p++) {
      cellArea[cells[p]]++;
      const k = nuclei[p];
      if (k === 0) continue;
      if (firstX[k] < 0) {
        firstX[k] = x;
        firstY[k] = y;
      }
      const u = x - firstX[k];
      const v = y - firstY[k];
      area[k]++;
      moments[0][k] += u;
      moments[1][k] += v;
      moments[2][k] += u * u;
      moments[3][k] += v * v;
      moments[4][k] += u * v;
    }
  }
  const inNucleus = planes.map((plane) => sumsOver(plane, nuclei, null, count));
  const inRing = planes.map((plane) => sumsOver(plane, cells, nuclei, count));
  const texture = textureOf(planes[0], width, height);
  const nucleusTexture = texture.map((plane) => sumsOver(plane, nuclei, null, count));
  const ringTexture = [texture[0], texture[2]].map((plane) =>
    sumsOver(plane, cells, nuclei, count),
  );
  const histogram = new Uint32Array((count + 1) * HISTOGRAM_BINS);
  const fall = make();
  const edge = make();
  for (let p = 0; p < nuclei.length; p++) {
    const k = nuclei[p];
    if (k === 0) continue;
    const bin = Math.floor((planes[0][p] / HISTOGRAM_TOP) * HISTOGRAM_BINS);
    histogram[k * HISTOGRAM_BINS + Math.min(HISTOGRAM_BINS - 1, Math.max(0, bin))]++;
    const x = p % width;
    if (x + 3 < width && x >= 3 && (nuclei[p + 1] !== k || nuclei[p - 1] !== k)) {
      const out = nuclei[p + 1] === k ? -3 : 3;
      fall[k] += planes[0][p - out] - planes[0][p + out];
      edge[k]++;
    }
  }
  const names = cellFeatureNames(planes.map((_, i) => String(i)));
  const features = new Float32Array(count * names.length);
  const nucleusAreaUm2 = new Float32Array(count);
  const cellAreaUm2 = new Float32Array(count);
  const centroid = new Float32Array(2 * count);
  const pxUm2 = umPerPx * umPerPx;
  for (let k = 1; k <= count; k++) {
    const n = area[k];
    const mx = moments[0][k] / n;
    const my = moments[1][k] / n;
    centroid[2 * (k - 1)] = size.originX + firstX[k] + mx + 0.5;
    centroid[2 * (k - 1) + 1] = size.originY + firstY[k] + my + 0.5;
    nucleusAreaUm2[k - 1] = n * pxUm2;
    cellAreaUm2[k - 1] = cellArea[k] * pxUm2;
    const xx = moments[2][k] / n - mx * mx + 1 / 12;
    const yy = moments[3][k] / n - my * my + 1 / 12;
    const xy = moments[4][k] / n - mx * my;
    const half = (xx + yy) / 2;
    const root = Math.sqrt(Math.max(0, half * half - (xx * yy - xy * xy)));
    const major = half + root;
    const minor = Math.max(1 / 12, half - root);
    const ring = rings[k - 1];
    const outlineArea = Math.abs(signedArea(ring));
    const ringPixels = cellArea[k] - n;
    const values = [
      n * pxUm2,
      4 * Math.sqrt(major) * umPerPx,
      4 * Math.sqrt(minor) * umPerPx,
      Math.sqrt(1 - minor / major),
      outlineArea / hullArea(ring),
      (4 * Math.PI * outlineArea) / ringLength(ring) ** 2,
      n / (4 * Math.PI * Math.sqrt(major * minor)),
      cellArea[k] * pxUm2,
      n / cellArea[k],
    ];
    for (const sums of inNucleus) values.push(meanOf(sums, k, n), sdOf(sums, k, n));
    for (let i = 0; i < planes.length; i++) {
      // A cell wedged between neighbors has no ring: its nucleus stands in, so that the contrast is 0.
      const [sums, pixels] = ringPixels > 0 ? [inRing[i], ringPixels] : [inNucleus[i], n];
      values.push(meanOf(sums, k, pixels), sdOf(sums, k, pixels));
    }
    for (let i = 0; i < planes.length; i++) {
      values.push(
        ringPixels > 0 ? meanOf(inNucleus[i], k, n) - meanOf(inRing[i], k, ringPixels) : 0,
      );
    }
    const bins = histogram.subarray(k * HISTOGRAM_BINS, (k + 1) * HISTOGRAM_BINS);
    values.push(
      entropy(bins, n),
      quantile(bins, n, 0.1),
      quantile(bins, n, 0.9),
      inNucleus[0].sum[k] * pxUm2,
      meanOf(nucleusTexture[0], k, n),
      meanOf(nucleusTexture[1], k, n),
      sdOf(nucleusTexture[1], k, n),
      meanOf(nucleusTexture[2], k, n),
      sdOf(nucleusTexture[2], k, n),
      meanOf(nucleusTexture[3], k, n),
      ringPixels > 0 ? meanOf(ringTexture[0], k, ringPixels) : 0,
      ringPixels > 0 ? sdOf(ringTexture[1], k, ringPixels) : 0,
      edge[k] > 0 ? fall[k] / edge[k] : 0,
    );
    features.set(values, (k - 1) * names.length);
  }
  return { features, nucleusAreaUm2, cellAreaUm2, centroid };
}

interface Sums {
  sum: Float64Array;
  squares: Float64Array;
}

/** Sums of a plane over the labeled pixels, leaving out those where `except` is labeled. */
function sumsOver(
  plane: Float32Array,
  labels: Int32Array,
  except: Int32Array | null,
  count: number,
): Sums {
  const sum = new Float64Array(count + 1);
  const squares = new Float64Array(count + 1);
  for (let p = 0; p < labels.length; p++) {
    const k = labels[p];
    if (k === 0 || (except !== null && except[p] !== 0)) continue;
    const value = plane[p];
    sum[k] += value;
    squares[k] += value * value;
  }
  return { sum, squares };
}

const meanOf = (sums: Sums, k: number, n: number): number => sums.sum[k] / n;
const sdOf = (sums: Sums, k: number, n: number): number =>
  Math.sqrt(Math.max(0, sums.squares[k] / n - (sums.sum[k] / n) ** 2));

/** Gradient size, differences of Gaussians at 0.5 and 1 µm, and standard deviation over 3 × 3 pixels. */
function textureOf(plane: Float32Array, width: number, height: number): Float32Array[] {
  const fine = gaussianBlur(plane, width, height, 0.8);
  // Blurs add up in squares: 0.8² + 1.386² = 1.6², 1.6² + 2.771² = 3.2².
  const middle = gaussianBlur(fine, width, height, 1.386);
  const coarse = gaussianBlur(middle, width, height, 2.771);
  const gradient = new Float32Array(plane.length);
  const logFine = new Float32Array(plane.length);
  const logCoarse = new Float32Array(plane.length);
  const local = new Float32Array(plane.length);
  for (let y = 0, p = 0; y < height; y++) {
    const up = y > 0 ? -width : 0;
    const down = y < height - 1 ? width : 0;
    for (let x = 0; x < width; x++, p++) {
      const left = x > 0 ? -1 : 0;
      const right = x < width - 1 ? 1 : 0;
      gradient[p] = Math.hypot(fine[p + right] - fine[p + left], fine[p + down] - fine[p + up]) / 2;
      logFine[p] = fine[p] - middle[p];
      logCoarse[p] = middle[p] - coarse[p];
      const a = plane[p];
      const b = plane[p + left];
      const c = plane[p + right];
      const d = plane[p + up];
      const e = plane[p + down];
      const mean = (a + b + c + d + e) / 5;
      local[p] = Math.sqrt(Math.max(0, (a * a + b * b + c * c + d * d + e * e) / 5 - mean * mean));
    }
  }
  return [gradient, logFine, logCoarse, local];
}

function entropy(bins: Uint32Array, n: number): number {
  let sum = 0;
  for (const count of bins) if (count > 0) sum -= (count / n) * Math.log2(count / n);
  return sum;
}

/** Quantile of a histogram, with the values of a bin spread evenly over it. */
function quantile(bins: Uint32Array, n: number, fraction: number): number {
  let seen = 0;
  for (let b = 0; b < bins.length; b++) {
    if (seen + bins[b] >= fraction * n && bins[b] > 0) {
      return ((b + (fraction * n - seen) / bins[b]) / HISTOGRAM_BINS) * HISTOGRAM_TOP;
    }
    seen += bins[b];
  }
  return HISTOGRAM_TOP;
}
