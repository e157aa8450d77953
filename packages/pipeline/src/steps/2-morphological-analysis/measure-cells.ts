import { hullArea, ringLength, signedArea } from "@stipple/numerics/polygon-shape";
import { release } from "@stipple/numerics/release";
import { meanOf, pixelsOf, sdOf, sumsOver, type LabelSums } from "./label-sums.ts";
import { textureSums, type TextureSums } from "./nuclear-texture.ts";
import {
  HISTOGRAM_BINS,
  HISTOGRAM_TOP,
  stainProfiles,
  type StainProfiles,
} from "./stain-profiles.ts";

/** Names of the features from {@link measureCells}, in order, given the plane names (nuclear stain first). */
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

export interface CellTables {
  /** nCells × cellFeatureNames(...).length. */
  features: Float32Array;
  nucleusAreaUm2: Float32Array;
  cellAreaUm2: Float32Array;
  /** nCells × 2, px of the whole grid. */
  centroid: Float32Array;
}

/** Everything needed to compute the features of each cell. */
interface Measured {
  moments: LabelMoments;
  /** One per plane, over nuclei and over rings. */
  inNucleus: LabelSums[];
  inRing: LabelSums[];
  nucleusTexture: TextureSums;
  ringTexture: TextureSums;
  stain: StainProfiles;
}

/**
 * Measures shape, stain, and texture of the objects whose centroid lies in the tile's core; other rows stay 0 except
 * for centroid and areas. `nuclei` and `cells` hold labels 1 … count (a cell includes its nucleus; the ring is the rest
 * of the cell). O(pixels · planes).
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
  const { width, umPerPx } = size;
  const moments = labelMoments(nuclei, cells, count, size);
  const { area, cellArea, firstX, firstY, sumU, sumV } = moments;
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
  const places = [nucleusPixels, ringPixels];
  const [nucleusTexture, ringTexture] = textureSums(planes[0], size, places, count);
  const measured = {
    moments,
    inNucleus: planes.map((plane) => sumsOver(plane, nucleusPixels, count)),
    inRing: planes.map((plane) => sumsOver(plane, ringPixels, count)),
    nucleusTexture,
    ringTexture,
    stain: stainProfiles(planes[0], nuclei, nucleusPixels, count, { width, umPerPx }),
  };
  for (const { at, label } of places) for (const array of [at, label]) release(array);
  const nFeatures = cellFeatureNames(planes.map((_, i) => String(i))).length;
  const features = new Float32Array(count * nFeatures);
  for (let k = 1; k <= count; k++) {
    if (!own[k]) continue;
    features.set(featuresOf(k, measured, rings[k - 1], umPerPx), (k - 1) * nFeatures);
  }
  const pxUm2 = umPerPx * umPerPx;
  return {
    features,
    nucleusAreaUm2: Float32Array.from({ length: count }, (_, i) => area[i + 1] * pxUm2),
    cellAreaUm2: Float32Array.from({ length: count }, (_, i) => cellArea[i + 1] * pxUm2),
    centroid,
  };
}

/** A row of features, in the order of {@link cellFeatureNames}. */
function featuresOf(
  k: number,
  { moments, inNucleus, inRing, nucleusTexture, ringTexture, stain }: Measured,
  ring: readonly number[],
  umPerPx: number,
): number[] {
  const { cellArea, sumU, sumV, sumUU, sumVV, sumUV } = moments;
  const n = moments.area[k];
  const mx = sumU[k] / n;
  const my = sumV[k] / n;
  const pxUm2 = umPerPx * umPerPx;
  const xx = sumUU[k] / n - mx * mx + 1 / 12;
  const yy = sumVV[k] / n - my * my + 1 / 12;
  const xy = sumUV[k] / n - mx * my;
  const half = (xx + yy) / 2;
  const root = Math.sqrt(Math.max(0, half * half - (xx * yy - xy * xy)));
  const major = half + root;
  const minor = Math.max(1 / 12, half - root);
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
  for (let i = 0; i < inNucleus.length; i++) {
    // A cell wedged between neighbors has no ring: use its nucleus instead, so that the contrast is 0.
    const [sums, pixels] = ringArea > 0 ? [inRing[i], ringArea] : [inNucleus[i], n];
    values.push(meanOf(sums, k, pixels), sdOf(sums, k, pixels));
  }
  for (let i = 0; i < inNucleus.length; i++) {
    values.push(ringArea > 0 ? meanOf(inNucleus[i], k, n) - meanOf(inRing[i], k, ringArea) : 0);
  }
  const { fall, edge } = stain;
  const bins = stain.histogram.subarray(k * HISTOGRAM_BINS, (k + 1) * HISTOGRAM_BINS);
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
  return values;
}

function entropy(bins: Uint32Array, n: number): number {
  let sum = 0;
  for (const count of bins) if (count > 0) sum -= (count / n) * Math.log2(count / n);
  return sum;
}

/** Quantile of a histogram, assuming values are spread evenly within each bin. */
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

/** Sizes and moments of labeled objects, by label. Index 0 is empty except in `cellArea`, which counts background. */
interface LabelMoments {
  /** Pixels of the nucleus, and of the whole cell. */
  area: Float64Array;
  cellArea: Float64Array;
  /** First pixel of the nucleus; −1 = none. */
  firstX: Int32Array;
  firstY: Int32Array;
  /** Sums of positions relative to the nucleus's first pixel, so that rounding does not depend on the tile's origin. */
  sumU: Float64Array;
  sumV: Float64Array;
  sumUU: Float64Array;
  sumVV: Float64Array;
  sumUV: Float64Array;
}

/** Moments of nuclei 1 … count and areas of their cells. O(pixels). */
function labelMoments(
  nuclei: Int32Array,
  cells: Int32Array,
  count: number,
  { width, height }: { width: number; height: number },
): LabelMoments {
  const make = (): Float64Array => new Float64Array(count + 1);
  const moments: LabelMoments = {
    area: make(),
    cellArea: make(),
    firstX: new Int32Array(count + 1).fill(-1),
    firstY: new Int32Array(count + 1),
    sumU: make(),
    sumV: make(),
    sumUU: make(),
    sumVV: make(),
    sumUV: make(),
  };
  for (let y = 0; y < height; y++) addRow(moments, nuclei, cells, width, y);
  return moments;
}

/** One row at a time: see `inStretches`. */
function addRow(
  { area, cellArea, firstX, firstY, sumU, sumV, sumUU, sumVV, sumUV }: LabelMoments,
  nuclei: Int32Array,
  cells: Int32Array,
  width: number,
  y: number,
): void {
  for (let x = 0, p = y * width; x < width; x++, p++) {
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
