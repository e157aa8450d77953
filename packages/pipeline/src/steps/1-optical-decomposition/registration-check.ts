import { Random } from "../../numerics/random.ts";
import {
  explainedShare,
  type ImagePlanes,
  type Place,
  type PlacedSpots,
} from "./explained-share.ts";
import { movedShares } from "./moved-spots.ts";

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
/** … and beyond what it explains with the spots moved elsewhere: standard deviations above the mean, and times the most. */
const SURE_SDS = 5;
const TIMES_CHANCE = 2;

/**
 * Compares ways of laying the spots on the image by how much of the spots' expression (their principal components) the
 * image explains in held-out spots: where the true way is among them, it explains far more than any other. `takenAs`:
 * how many times smaller than the positions' image the image was taken to be. Spots are in image pixels. Returns the sentence of the mistake that was made, or null.
 * O(spots · planes²).
 */
export function findMisplacement(
  image: ImagePlanes & { tissue: Uint8Array; file: string; takenAs: number },
  spots: PlacedSpots & { pitchPx: number; positionsFile: string },
  seed: number,
): string | null {
  const n = spots.xy.nRows;
  if (n < MIN_SPOTS) return null;
  const random = new Random(seed);
  const all = Uint32Array.from({ length: n }, (_, i) => i);
  random.shuffle(all);
  const order = all.subarray(0, MAX_SPOTS);
  const [w, h] = [image.width * image.step, image.height * image.step];
  const placed =
    (place: Mistake["place"]): Place =>
    (x, y) =>
      place(x, y, w, h);
  const explained = (place: Mistake["place"]): number =>
    explainedShare(image, spots, order, placed(place)) ?? 0;
  const asGiven = explained((x, y) => [x, y]);
  const ways = MISTAKES.map((mistake) => ({ mistake, share: explained(mistake.place) }));
  const { takenAs } = image;
  const factors = [2, 0.5].filter((factor) => Math.abs(factor / takenAs - 1) > 0.1);
  for (const factor of takenAs === 1 ? factors : [...factors, takenAs]) {
    const place: Mistake["place"] = (x, y) => [x * factor, y * factor];
    const times = (factor > 1 ? factor : 1 / factor).toFixed(1);
    const sentence: Mistake["sentence"] = (file, positions) =>
      factor === takenAs
        ? `according to scalefactors_json.json and Space Ranger's image, ${file} is ${times} times ${factor > 1 ? "smaller" : "larger"} than the image that ${positions} refers to, but it matches the expression of the spots without this scaling; take the scale factors and images from the same Space Ranger run`
        : `the positions in ${positions} seem to refer to an image about ${times} times ${factor < 1 ? "larger" : "smaller"} than ${file}: the image matches the expression of the spots only at that size; take the image, positions and scale factors from one Space Ranger run`;
    ways.push({ mistake: { sentence, place }, share: explained(place) });
  }
  ways.sort((a, b) => b.share - a.share);
  const [best, next] = ways;
  const others = Math.max(asGiven, next.share, MIN_EXPLAINED / TIMES_OTHERS);
  if (best.share < TIMES_OTHERS * others) return null;
  // What draws the spots together makes them alike, and chance explains more of them: the way must beat its own moves.
  const chance = movedShares(image, spots, order, placed(best.mistake.place), seed);
  if (chance === null || best.share < chance.mean + SURE_SDS * chance.sd) return null;
  if (best.share < TIMES_CHANCE * chance.most) return null;
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
  /** The most with the spots turned, mirrored and moved anywhere on the tissue; null where that leaves them no room. */
  explainedMoved: number | null;
}

/**
 * Whether the spots would fit the image better somewhere else: tries shifts by one to five spot distances in eight
 * directions. Null with fewer than 60 spots, which prove nothing. O(40 · spots · planes²).
 */
export function fitOfShifts(
  image: ImagePlanes & { tissue: Uint8Array },
  spots: PlacedSpots & { pitchPx: number },
  seed: number,
): Fit | null {
  const n = spots.xy.nRows;
  if (n < MIN_SPOTS) return null;
  const all = Uint32Array.from({ length: n }, (_, i) => i);
  new Random(seed).shuffle(all);
  const order = all.subarray(0, SHIFT_SPOTS);
  const explainedAt = (dx: number, dy: number, staying: number): number =>
    Math.max(0, explainedShare(image, spots, order, (x, y) => [x + dx, y + dy], staying) ?? 0);
  const moved = movedShares(image, spots, order, (x, y) => [x, y], seed);
  const fit: Fit = {
    explained: explainedAt(0, 0, STAYING),
    explainedShifted: 0,
    shiftPx: [0, 0],
    explainedMoved: moved && Math.max(0, moved.most),
  };
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
