import { gaussianBlur } from "@stipple/numerics/gaussian-blur";

/** A plane of the image or of Space Ranger's picture: optical density or log brightness. */
export interface View {
  data: Float32Array;
  width: number;
  height: number;
}

/** How well the picture's detail matches the image's, as correlations from −1 to 1. */
export interface PictureMatch {
  asGiven: number;
  /** The best of the seven other orientations, and its name. */
  turned: number;
  turnedWords: string;
}

/**
 * Structures larger than this many pixels are filtered out, because any two sections have tissue in the middle
 * and glass around it.
 */
const COARSE_PX = 4;
const FINE_PX = 0.7;
/** A picture with less detail or fewer pixels than this has nothing to compare. */
const MIN_DETAIL = 0.004;
const MIN_PIXELS = 400;

type Turn = (u: number, v: number) => [number, number];
/** Ways in which an image may have been turned: where a place of the upright image, as fractions of its sides, lies then. */
export const TURNS: readonly (readonly [string, Turn])[] = [
  ["mirrored left to right", (u, v) => [1 - u, v]],
  ["mirrored top to bottom", (u, v) => [u, 1 - v]],
  ["upside down", (u, v) => [1 - u, 1 - v]],
  ["rotated and mirrored", (u, v) => [v, u]],
  ["rotated to the left", (u, v) => [v, 1 - u]],
  ["rotated to the right", (u, v) => [1 - v, u]],
  ["rotated and mirrored", (u, v) => [1 - v, 1 - u]],
];

/**
 * Compares the image pixel by pixel with the picture that Space Ranger made of its input image. `share`: the
 * fractions of the picture's sides that the image is assumed to cover from its upper left corner (1 = all).
 * Null if there is too little to compare. O(pixels).
 */
export function comparePicture(
  image: View,
  picture: View,
  share: { x: number; y: number },
): PictureMatch | null {
  const detail = { image: withoutCoarse(image), picture: withoutCoarse(picture) };
  const as = (turn: Turn): number | null => correlation(detail, share, turn);
  const asGiven = as((u, v) => [u, v]);
  if (asGiven === null) return null;
  let [turned, turnedWords] = [-1, ""];
  for (const [words, turn] of TURNS) {
    const value = as(turn) ?? -1;
    if (value > turned) [turned, turnedWords] = [value, words];
  }
  return { asGiven, turned, turnedWords };
}

/**
 * Fine structure with strong values clipped; otherwise the tissue outline would dominate everything inside it.
 */
function withoutCoarse({ data, width, height }: View): View {
  const fine = gaussianBlur(data, width, height, FINE_PX);
  const coarse = gaussianBlur(data, width, height, COARSE_PX);
  const detail = fine.map((value, i) => value - coarse[i]);
  const limit = detail.reduce((sum, value) => sum + Math.abs(value), 0) / detail.length;
  return {
    data: detail.map((value) => Math.max(-limit, Math.min(limit, value))),
    width,
    height,
  };
}

/** Correlation over the picture's pixels covered by the image; null if these are too few or too flat. */
function correlation(
  { image, picture }: { image: View; picture: View },
  share: { x: number; y: number },
  turn: Turn,
): number | null {
  let [n, sumA, sumB, sumAA, sumBB, sumAB] = [0, 0, 0, 0, 0, 0];
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < picture.width; x++) {
      const u = (x + 0.5) / picture.width / share.x;
      const v = (y + 0.5) / picture.height / share.y;
      if (u >= 1 || v >= 1) continue;
      const [s, t] = turn(u, v);
      const column = Math.min(image.width - 1, Math.floor(s * image.width));
      const row = Math.min(image.height - 1, Math.floor(t * image.height));
      const a = image.data[row * image.width + column];
      const b = picture.data[y * picture.width + x];
      n++;
      sumA += a;
      sumB += b;
      sumAA += a * a;
      sumBB += b * b;
      sumAB += a * b;
    }
  }
  const varianceA = sumAA / n - (sumA / n) ** 2;
  const varianceB = sumBB / n - (sumB / n) ** 2;
  if (n < MIN_PIXELS || Math.min(varianceA, varianceB) < MIN_DETAIL ** 2) return null;
  return (sumAB / n - (sumA / n) * (sumB / n)) / Math.sqrt(varianceA * varianceB);
}
