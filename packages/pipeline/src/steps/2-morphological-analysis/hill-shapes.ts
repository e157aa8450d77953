import type { WatershedTree } from "../../numerics/watershed-tree.ts";

/** Shape and contrast of every node of a watershed tree, indexed by node; lengths in px. */
export interface HillShapes {
  area: Float64Array;
  /** nNodes × HILL_FEATURES.length, row by row. */
  features: Float32Array;
}

/** Features that separate one nucleus from a fragment or several. Contrast: rescaled signal, 0 background, 1 nuclei. */
export const HILL_FEATURES = [
  "log_area",
  /** Area ÷ area of the ellipse with the same second moments: 1 for an ellipse, less for a pinched shape. */
  "ellipse_fill",
  "axis_ratio",
  /** Perimeter in pixel edges ÷ that of the ellipse's bounding box: 1 if the outline has no concavities. */
  "outline",
  /** Mean drop in contrast across the outline. */
  "edge_fall",
  "contrast_mean",
  "contrast_sd",
  "contrast_max",
  /** Largest distance to the mask's border ÷ radius of the disc with the same area. */
  "thickness",
  /** Length of the seam between the two parts ÷ side of the smaller one; 0 for a leaf. */
  "seam",
  /** How far the pass between the two parts lies below the lower peak; 0 for a leaf. */
  "depth",
  /** Fraction of the area in the smaller part; 0 for a leaf. */
  "smaller_part",
  "is_union",
] as const;

/**
 * Sums moments, outline, and contrast over each basin and, from the leaves up, over each union.
 * O(pixels + borders · tree height).
 */
export function hillShapes(
  tree: WatershedTree,
  contrast: Float32Array,
  distance: Float32Array,
  width: number,
  height: number,
): HillShapes {
  const { count, nLeaves, labels, parent, children } = tree;
  const make = (): Float64Array => new Float64Array(count);
  const area = make();
  const sumX = make();
  const sumY = make();
  const sumXX = make();
  const sumYY = make();
  const sumXY = make();
  const sum = make();
  const sumSquares = make();
  const outline = make();
  const fall = make();
  const seam = make();
  const highest = make();
  const deepest = make();
  const meeting = (a: number, b: number): number => {
    while (a !== b) {
      if (a < b) a = parent[a];
      else b = parent[b];
      if (a < 0 || b < 0) return -1;
    }
    return a;
  };
  for (let y = 0, p = 0; y < height; y++) {
    for (let x = 0; x < width; x++, p++) {
      const k = labels[p];
      if (k < 0) continue;
      const value = contrast[p];
      area[k]++;
      sumX[k] += x;
      sumY[k] += y;
      sumXX[k] += x * x;
      sumYY[k] += y * y;
      sumXY[k] += x * y;
      sum[k] += value;
      sumSquares[k] += value * value;
      if (value > highest[k]) highest[k] = value;
      if (distance[p] > deepest[k]) deepest[k] = distance[p];
      for (let side = 0; side < 4; side++) {
        let q = -1;
        if (side === 0 && x > 0) q = p - 1;
        else if (side === 1 && x < width - 1) q = p + 1;
        else if (side === 2) q = p - width;
        else if (side === 3 && y < height - 1) q = p + width;
        if (q < 0) {
          outline[k]++;
          continue;
        }
        const other = labels[q];
        if (other === k) continue;
        outline[k]++;
        fall[k] += value - contrast[q];
        if (other < 0) continue;
        const joined = meeting(k, other);
        if (joined < 0) continue;
        // Each seam edge is visited from both sides, so it is subtracted from the union's outline twice.
        outline[joined]--;
        seam[joined] += 0.5;
      }
    }
  }
  for (let k = 0; k < count; k++) {
    const up = parent[k];
    if (up < 0) continue;
    for (const total of [area, sumX, sumY, sumXX, sumYY, sumXY, sum, sumSquares, outline, fall]) {
      total[up] += total[k];
    }
    highest[up] = Math.max(highest[up], highest[k]);
    deepest[up] = Math.max(deepest[up], deepest[k]);
  }
  const nFeatures = HILL_FEATURES.length;
  const features = new Float32Array(count * nFeatures);
  for (let k = 0; k < count; k++) {
    const n = area[k];
    const mx = sumX[k] / n;
    const my = sumY[k] / n;
    // 1/12 is the second moment of a single pixel.
    const xx = sumXX[k] / n - mx * mx + 1 / 12;
    const yy = sumYY[k] / n - my * my + 1 / 12;
    const xy = sumXY[k] / n - mx * my;
    const det = Math.max(1e-6, xx * yy - xy * xy);
    const half = (xx + yy) / 2;
    const root = Math.sqrt(Math.max(0, half * half - det));
    const mean = sum[k] / n;
    const f = features.subarray(k * nFeatures, (k + 1) * nFeatures);
    f[0] = Math.log(n);
    f[1] = n / (4 * Math.PI * Math.sqrt(det));
    f[2] = Math.sqrt(Math.max(0, half - root) / (half + root));
    f[3] = outline[k] / (8 * (Math.sqrt(xx) + Math.sqrt(yy)));
    f[4] = fall[k] / outline[k];
    f[5] = mean;
    f[6] = Math.sqrt(Math.max(0, sumSquares[k] / n - mean * mean));
    f[7] = highest[k];
    f[8] = deepest[k] / Math.sqrt(n / Math.PI);
    if (k < nLeaves) continue;
    const a = children[2 * (k - nLeaves)];
    const b = children[2 * (k - nLeaves) + 1];
    const smaller = Math.min(area[a], area[b]);
    f[9] = seam[k] / Math.sqrt(smaller);
    f[10] = Math.min(tree.peak[a], tree.peak[b]) - tree.pass[k];
    f[11] = smaller / n;
    f[12] = 1;
  }
  return { area, features };
}
