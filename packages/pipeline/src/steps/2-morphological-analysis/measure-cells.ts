import { hullArea, ringLength, signedArea } from "../../numerics/polygon-shape.ts";
import { meanOf, pixelsOf, sdOf, sumsOver } from "./label-sums.ts";
import { openTexture } from "./nuclear-texture.ts";

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

/** How far to both sides of its edge a nucleus' fall of stain is looked at, µm. */
const EDGE_UM = 1.5;

export interface CellTables {
  /** nCells × cellFeatureNames(...).length. */
  features: Float32Array;
  nucleusAreaUm2: Float32Array;
  cellAreaUm2: Float32Array;
  /** nCells × 2, px of the whole grid. */
  centroid: Float32Array;
}

/**
 * Measures shape, stain and texture of the objects in a tile whose centroid lies in its core; the others' rows stay 0,
 * but for centroid and areas. `nuclei` and `cells` hold labels 1 … count (a cell covers its nucleus; the ring is the rest
 * of it). O(pixels · planes).
 */
export function measureCells(
  nuclei: Int32Array,
  cells: Int32Array,
  count: number,
  planes: readonly Float32Array[],
  rings: readonly number[][],
  size: { width: number; height: number; umPerPx: number; originX: number; originY: number },
  isOwn: (x: number, y: number) => boolean,
): CellTables {
  const { width, height, umPerPx } = size;
  const make = (): Float64Array => new Float64Array(count + 1);
  const area = make();
  const cellArea = make();
  // Relative to each object's first pixel, so that no rounding depends on where the tile begins.
  const [sumU, sumV, sumUU, sumVV, sumUV] = Array.from({ length: 5 }, make);
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
      sumU[k] += u;
      sumV[k] += v;
      sumUU[k] += u * u;
      sumVV[k] += v * v;
      sumUV[k] += u * v;
    }
  }
  const centroid = new Float32Array(2 * count);
  const own = new Uint8Array(count + 1);
  for (let k = 1; k <= count; k++) {
    const x = size.originX + firstX[k] + sumU[k] / area[k] + 0.5;
    const y = size.originY + firstY[k] + sumV[k] / area[k] + 0.5;
    centroid.set([x, y], 2 * (k - 1));
    own[k] = Number(isOwn(centroid[2 * (k - 1)], centroid[2 * (k - 1) + 1]));
  }
  const nucleusPixels = pixelsOf(nuclei, null, own);
  const ringPixels = pixelsOf(cells, nuclei, own);
  const inNucleus = planes.map((plane) => sumsOver(plane, nucleusPixels, count));
  const inRing = planes.map((plane) => sumsOver(plane, ringPixels, count));
  const texture = openTexture(planes[0], size, [nucleusPixels, ringPixels]);
  const nucleusTexture = texture.sums(nucleusPixels, count);
  const ringTexture = texture.sums(ringPixels, count);
  const histogram = new Uint32Array((count + 1) * HISTOGRAM_BINS);
  const fall = make();
  const edge = make();
  const edgePx = Math.max(1, Math.round(EDGE_UM / umPerPx));
  for (let j = 0; j < nucleusPixels.at.length; j++) {
    const p = nucleusPixels.at[j];
    const k = nucleusPixels.label[j];
    const bin = Math.floor((planes[0][p] / HISTOGRAM_TOP) * HISTOGRAM_BINS);
    histogram[k * HISTOGRAM_BINS + Math.min(HISTOGRAM_BINS - 1, Math.max(0, bin))]++;
    const x = p % width;
    const isAtEdge = nuclei[p + 1] !== k || nuclei[p - 1] !== k;
    if (x + edgePx < width && x >= edgePx && isAtEdge) {
      const out = nuclei[p + 1] === k ? -edgePx : edgePx;
      fall[k] += planes[0][p - out] - planes[0][p + out];
      edge[k]++;
    }
  }
  const names = cellFeatureNames(planes.map((_, i) => String(i)));
  const features = new Float32Array(count * names.length);
  const nucleusAreaUm2 = new Float32Array(count);
  const cellAreaUm2 = new Float32Array(count);
  const pxUm2 = umPerPx * umPerPx;
  for (let k = 1; k <= count; k++) {
    const n = area[k];
    const mx = sumU[k] / n;
    const my = sumV[k] / n;
    nucleusAreaUm2[k - 1] = n * pxUm2;
    cellAreaUm2[k - 1] = cellArea[k] * pxUm2;
    if (!own[k]) continue;
    const xx = sumUU[k] / n - mx * mx + 1 / 12;
    const yy = sumVV[k] / n - my * my + 1 / 12;
    const xy = sumUV[k] / n - mx * my;
    const half = (xx + yy) / 2;
    const root = Math.sqrt(Math.max(0, half * half - (xx * yy - xy * xy)));
    const major = half + root;
    const minor = Math.max(1 / 12, half - root);
    const ring = rings[k - 1];
    const outlineArea = Math.abs(signedArea(ring));
    const ringArea = cellArea[k] - n;
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
      const [sums, pixels] = ringArea > 0 ? [inRing[i], ringArea] : [inNucleus[i], n];
      values.push(meanOf(sums, k, pixels), sdOf(sums, k, pixels));
    }
    for (let i = 0; i < planes.length; i++) {
      values.push(ringArea > 0 ? meanOf(inNucleus[i], k, n) - meanOf(inRing[i], k, ringArea) : 0);
    }
    const bins = histogram.subarray(k * HISTOGRAM_BINS, (k + 1) * HISTOGRAM_BINS);
    values.push(
      entropy(bins, n),
      quantile(bins, n, 0.1),
      quantile(bins, n, 0.9),
      inNucleus[0].sum[k] * pxUm2,
      meanOf(nucleusTexture.gradient, k, n),
      meanOf(nucleusTexture.logFine, k, n),
      sdOf(nucleusTexture.logFine, k, n),
      meanOf(nucleusTexture.logCoarse, k, n),
      sdOf(nucleusTexture.logCoarse, k, n),
      meanOf(nucleusTexture.localSd, k, n),
      ringArea > 0 ? meanOf(ringTexture.gradient, k, ringArea) : 0,
      ringArea > 0 ? sdOf(ringTexture.logCoarse, k, ringArea) : 0,
      edge[k] > 0 ? fall[k] / edge[k] : 0,
    );
    features.set(values, (k - 1) * names.length);
  }
  return { features, nucleusAreaUm2, cellAreaUm2, centroid };
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
