import type { Matrix } from "../../fields.ts";
import { Random } from "../../numerics/random.ts";

/** Values of an image at low resolution that expression may follow, one plane each. */
export interface ImagePlanes {
  width: number;
  height: number;
  /** Image pixels per plane pixel. */
  step: number;
  planes: readonly Float32Array[];
}

/** A way in which positions and image may not fit together, and what a person should hear of it. */
interface Mistake {
  sentence: (image: string, positions: string) => string;
  /** Where a spot at (x, y) of the image would really lie; W and H are the image's size. */
  place: (x: number, y: number, w: number, h: number) => [number, number];
}

const TURNED = (how: string) => (image: string, positions: string) =>
  `${image} seems to be ${how} relative to ${positions}: it matches the expression of the spots only when turned back; use the image in the orientation that Space Ranger was run with`;

const MISTAKES: Mistake[] = [
  {
    sentence: (image, positions) =>
      `x and y seem to be swapped in ${positions}: ${image} matches the expression of the spots only with pxl_row_in_fullres and pxl_col_in_fullres exchanged; use the original Space Ranger file`,
    place: (x, y) => [y, x],
  },
  { sentence: TURNED("mirrored left to right"), place: (x, y, w) => [w - x, y] },
  { sentence: TURNED("mirrored top to bottom"), place: (x, y, _, h) => [x, h - y] },
  { sentence: TURNED("upside down"), place: (x, y, w, h) => [w - x, h - y] },
  { sentence: TURNED("rotated to the left"), place: (x, y, _, h) => [y, h - x] },
  { sentence: TURNED("rotated to the right"), place: (x, y, w) => [w - y, x] },
  { sentence: TURNED("mirrored and rotated"), place: (x, y, w, h) => [w - y, h - x] },
];

/** Fewer spots than this prove nothing. */
const MIN_SPOTS = 60;
const MAX_SPOTS = 4000;
/** Explained share of expression from which on, and how much more than every other way, one way is believed. */
const MIN_EXPLAINED = 0.1;
const TIMES_OTHERS = 2;

/**
 * Compares ways of laying the spots on the image by how much of the spots' expression (their principal components) the
 * image explains in held-out spots: where the true way is among them, it explains far more than any other. `takenAs`:
 * how many times smaller than the positions' image the image was taken to be. Spots are in image pixels. Returns the sentence of the mistake that was made, or null.
 * O(spots · planes²).
 */
export function findMisplacement(
  image: ImagePlanes & { file: string; takenAs: number },
  spots: { xy: Matrix; components: Matrix; positionsFile: string; radiusPx: number },
  seed: number,
): string | null {
  const n = spots.xy.nRows;
  if (n < MIN_SPOTS) return null;
  const random = new Random(seed);
  const all = Uint32Array.from({ length: n }, (_, i) => i);
  random.shuffle(all);
  const order = all.subarray(0, MAX_SPOTS);
  const [w, h] = [image.width * image.step, image.height * image.step];
  const explained = (place: Mistake["place"]): number =>
    explainedShare(image, spots, order, (x, y) => place(x, y, w, h));
  const asGiven = explained((x, y) => [x, y]);
  const ways = MISTAKES.map((mistake) => ({ mistake, share: explained(mistake.place) }));
  const { takenAs } = image;
  const factors = [2, 0.5].filter((factor) => Math.abs(factor / takenAs - 1) > 0.1);
  for (const factor of takenAs === 1 ? factors : [...factors, takenAs]) {
    const place: Mistake["place"] = (x, y) => [x * factor, y * factor];
    const times = (factor > 1 ? factor : 1 / factor).toFixed(1);
    const sentence: Mistake["sentence"] = (file, positions) =>
      factor === takenAs
        ? `according to scalefactors_json.json and Space Ranger's picture, ${file} is ${times} times ${factor > 1 ? "smaller" : "larger"} than the image that ${positions} refers to, but it matches the expression of the spots only when it is taken as that image; take the scale factors and pictures from the same Space Ranger run`
        : `the positions in ${positions} seem to refer to an image about ${times} times ${factor < 1 ? "larger" : "smaller"} than ${file}: the image matches the expression of the spots only at that size; take image, positions and scale factors from one Space Ranger run`;
    ways.push({ mistake: { sentence, place }, share: explained(place) });
  }
  ways.sort((a, b) => b.share - a.share);
  const [best, next] = ways;
  const others = Math.max(asGiven, next.share, MIN_EXPLAINED / TIMES_OTHERS);
  if (best.share < TIMES_OTHERS * others) return null;
  return best.mistake.sentence(image.file, spots.positionsFile);
}

/** Shifts that are tried, in spot distances, and how much of the image's spots must stay on it. */
const SHIFTS = [1, 2, 3, 4, 5];
const STAYING = 0.6;
/** Spots that shifts are tried on. */
const SHIFT_SPOTS = 1500;

/** How well the image fits the spots where they lie, and where they would lie after a shift. */
export interface Fit {
  /** Share of the spots' components that the image explains in held-out spots. */
  explained: number;
  /** The most that any shift explains, and that shift in image pixels. */
  explainedShifted: number;
  shiftPx: [number, number];
}

/**
 * Whether the spots would fit the image better somewhere else: tries shifts by one to five spot distances in eight
 * directions. Null with fewer than 60 spots, which prove nothing. O(40 · spots · planes²).
 */
export function fitOfShifts(
  image: ImagePlanes,
  spots: { xy: Matrix; components: Matrix; radiusPx: number; pitchPx: number },
  seed: number,
): Fit | null {
  const n = spots.xy.nRows;
  if (n < MIN_SPOTS) return null;
  const all = Uint32Array.from({ length: n }, (_, i) => i);
  new Random(seed).shuffle(all);
  const order = all.subarray(0, SHIFT_SPOTS);
  const explainedAt = (dx: number, dy: number, staying: number): number =>
    explainedShare(image, spots, order, (x, y) => [x + dx, y + dy], staying);
  const fit: Fit = { explained: explainedAt(0, 0, STAYING), explainedShifted: 0, shiftPx: [0, 0] };
  for (const pitches of SHIFTS) {
    for (let turn = 0; turn < 8; turn++) {
      const angle = (turn * Math.PI) / 4;
      const [dx, dy] = [Math.cos(angle), Math.sin(angle)].map((of) => of * pitches * spots.pitchPx);
      const explained = explainedAt(dx, dy, STAYING);
      if (explained > fit.explainedShifted) {
        fit.explainedShifted = explained;
        fit.shiftPx = [dx, dy];
      }
    }
  }
  return fit;
}

/** Cross-validated share of the components' variance that the image explains at the placed spots; 0 where too few lie on it. */
function explainedShare(
  image: ImagePlanes,
  spots: { xy: Matrix; components: Matrix; radiusPx: number },
  order: Uint32Array,
  place: (x: number, y: number) => [number, number],
  staying = 0.9,
): number {
  const nFeatures = 2 * image.planes.length + 1;
  const rows: number[] = [];
  const features: number[] = [];
  const reach = Math.max(1, Math.round(spots.radiusPx / image.step));
  for (const spot of order) {
    const [x, y] = place(spots.xy.data[2 * spot], spots.xy.data[2 * spot + 1]);
    const measured = around(image, x / image.step, y / image.step, reach);
    if (!measured) continue;
    rows.push(spot);
    features.push(1, ...measured);
  }
  if (rows.length < staying * order.length) return 0;
  standardise(features, nFeatures);
  const nAxes = Math.min(5, spots.components.nCols);
  let [total, left] = [0, 0];
  for (let fold = 0; fold < 5; fold++) {
    const inFold = (i: number): boolean => i % 5 === fold;
    const weights = ridge(features, nFeatures, rows, spots.components, nAxes, (i) => !inFold(i));
    for (let i = 0; i < rows.length; i++) {
      if (!inFold(i)) continue;
      for (let axis = 0; axis < nAxes; axis++) {
        let fit = 0;
        for (let f = 0; f < nFeatures; f++) {
          fit += features[i * nFeatures + f] * weights[f * nAxes + axis];
        }
        const value = spots.components.data[rows[i] * spots.components.nCols + axis];
        total += (value - weights[axis]) ** 2;
        left += (value - fit) ** 2;
      }
    }
  }
  return total > 0 ? Math.max(0, 1 - left / total) : 0;
}

/** Mean and standard deviation of each plane in a square around (x, y); null off the image. */
function around(image: ImagePlanes, x: number, y: number, reach: number): number[] | null {
  const [cx, cy] = [Math.floor(x), Math.floor(y)];
  if (cx < 0 || cy < 0 || cx >= image.width || cy >= image.height) return null;
  const values: number[] = [];
  for (const plane of image.planes) {
    let [n, sum, squares] = [0, 0, 0];
    for (let v = Math.max(0, cy - reach); v <= Math.min(image.height - 1, cy + reach); v++) {
      for (let u = Math.max(0, cx - reach); u <= Math.min(image.width - 1, cx + reach); u++) {
        const value = plane[v * image.width + u];
        n++;
        sum += value;
        squares += value * value;
      }
    }
    const mean = sum / n;
    values.push(mean, Math.sqrt(Math.max(0, squares / n - mean * mean)));
  }
  return values;
}

/** Brings every column but the first (the constant) to mean 0 and standard deviation 1. */
function standardise(features: number[], nFeatures: number): void {
  const n = features.length / nFeatures;
  for (let f = 1; f < nFeatures; f++) {
    let [sum, squares] = [0, 0];
    for (let i = 0; i < n; i++) {
      const value = features[i * nFeatures + f];
      sum += value;
      squares += value * value;
    }
    const mean = sum / n;
    const sd = Math.sqrt(Math.max(1e-12, squares / n - mean * mean));
    for (let i = 0; i < n; i++)
      features[i * nFeatures + f] = (features[i * nFeatures + f] - mean) / sd;
  }
}

/** Ridge weights, nFeatures × nAxes, of the rows that `use` picks; the constant is not penalized. Gauss–Jordan elimination. */
function ridge(
  features: readonly number[],
  nFeatures: number,
  rows: readonly number[],
  components: Matrix,
  nAxes: number,
  use: (i: number) => boolean,
): Float64Array {
  const width = nFeatures + nAxes;
  const system = new Float64Array(nFeatures * width);
  let used = 0;
  for (let i = 0; i < rows.length; i++) {
    if (!use(i)) continue;
    used++;
    for (let a = 0; a < nFeatures; a++) {
      const left = features[i * nFeatures + a];
      for (let b = 0; b < nFeatures; b++)
        system[a * width + b] += left * features[i * nFeatures + b];
      for (let axis = 0; axis < nAxes; axis++) {
        system[a * width + nFeatures + axis] +=
          left * components.data[rows[i] * components.nCols + axis];
      }
    }
  }
  for (let a = 1; a < nFeatures; a++) system[a * width + a] += 0.01 * used;
  for (let a = 0; a < nFeatures; a++) {
    const pivot = system[a * width + a] || 1e-12;
    for (let c = a; c < width; c++) system[a * width + c] /= pivot;
    for (let b = 0; b < nFeatures; b++) {
      if (b === a) continue;
      const factor = system[b * width + a];
      for (let c = a; c < width; c++) system[b * width + c] -= factor * system[a * width + c];
    }
  }
  const weights = new Float64Array(nFeatures * nAxes);
  for (let a = 0; a < nFeatures; a++) {
    weights.set(system.subarray(a * width + nFeatures, (a + 1) * width), a * nAxes);
  }
  return weights;
}
