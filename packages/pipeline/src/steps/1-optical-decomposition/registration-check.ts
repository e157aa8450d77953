import { Random } from "@stipple/numerics/random";
import {
  explainedShare,
  type ImagePlanes,
  type Place,
  type PlacedSpots,
} from "./explained-share.ts";
import { movedShares } from "./moved-spots.ts";

/** A possible mismatch between positions and image, and the message for the user. */
interface Mistake {
  sentence: (image: string, positions: string) => string;
  /** Correct position of a spot at (x, y) of the image; W and H are the image's size. */
  place: (x: number, y: number, w: number, h: number) => [number, number];
}

const TURNED = (how: string) => (image: string, positions: string) =>
  `${image} seems to be ${how} relative to ${positions}: it matches the measured expression only when turned back; use the image in the orientation that Space Ranger was run with`;

const MISTAKES: Mistake[] = [
  {
    sentence: (image, positions) =>
      `x and y seem to be swapped in ${positions}: ${image} matches the measured expression only with pxl_row_in_fullres and pxl_col_in_fullres exchanged; use the original Space Ranger file`,
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
/**
 * Minimum share of expression that a candidate placement must explain, and how much more than all others, to be
 * accepted.
 */
const MIN_EXPLAINED = 0.1;
const TIMES_OTHERS = 2;
/**
 * … and compared with the spots moved elsewhere: standard deviations above the mean, and a multiple of the
 * maximum.
 */
const SURE_SDS = 5;
const TIMES_CHANCE = 2;

/**
 * Compares candidate placements of the spots on the image by how much of their expression (principal
 * components) the image explains in held-out spots: the true placement, if included, explains far more than any
 * other. `takenAs`: the factor by which the image was assumed to be smaller than the positions' image. Spots
 * are in image pixels. Returns a sentence describing the mistake that was made, or null. O(spots · planes²).
 */
export function findMisplacement(
  image: ImagePlanes & { tissue: Uint8Array; file: string; takenAs: number },
  spots: PlacedSpots & { pitchPx: number; positionsFile: string },
  seed: number,
): string | null {
  const n = spots.xy.nRows;
  if (n < MIN_SPOTS) return null;
  const random = new Random(seed);
  const all = random.order(n);
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
        ? `according to scalefactors_json.json and Space Ranger's image, ${file} is ${times} times ${factor > 1 ? "smaller" : "larger"} than the image that ${positions} refers to, but it matches the measured expression without this scaling; take the scale factors and images from the same Space Ranger run`
        : `the positions in ${positions} seem to refer to an image about ${times} times ${factor < 1 ? "larger" : "smaller"} than ${file}: the image matches the measured expression only at that size; take the image, positions, and scale factors from one Space Ranger run`;
    ways.push({ mistake: { sentence, place }, share: explained(place) });
  }
  ways.sort((a, b) => b.share - a.share);
  const [best, next] = ways;
  const others = Math.max(asGiven, next.share, MIN_EXPLAINED / TIMES_OTHERS);
  if (best.share < TIMES_OTHERS * others) return null;
  // Bringing spots closer together makes them more alike, so more is explained by chance: the placement must
  // beat its own moves.
  const chance = movedShares(image, spots, order, placed(best.mistake.place), seed);
  if (chance === null || best.share < chance.mean + SURE_SDS * chance.sd) return null;
  if (best.share < TIMES_CHANCE * chance.most) return null;
  return best.mistake.sentence(image.file, spots.positionsFile);
}

/** Shifts to try, in spot distances, and the fraction of the spots on the image that must stay on it. */
const SHIFTS = [1, 2, 3, 4, 5];
const STAYING = 0.6;
/** Number of spots on which shifts are tried. */
const SHIFT_SPOTS = 1500;

/** How well the image fits the spots at their positions, and after a shift. */
export interface Fit {
  /** Share of the spots' components that the image explains in held-out spots. */
  explained: number;
  /** The maximum that any shift explains, and that shift in image pixels. */
  explainedShifted: number;
  shiftPx: [number, number];
  /**
   * The maximum with the spots rotated, mirrored, and moved anywhere on the tissue; null if there is not enough
   * tissue.
   */
  explainedMoved: number | null;
}

/**
 * Checks whether the spots would fit the image better elsewhere: tries shifts by one to five spot distances in
 * eight directions. Null with fewer than 60 spots, which prove nothing. O(40 · spots · planes²).
 */
export function fitOfShifts(
  image: ImagePlanes & { tissue: Uint8Array },
  spots: PlacedSpots & { pitchPx: number },
  seed: number,
): Fit | null {
  const n = spots.xy.nRows;
  if (n < MIN_SPOTS) return null;
  const all = new Random(seed).order(n);
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
