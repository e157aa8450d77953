import { Random } from "@stipple/numerics/random";
import {
  explainedShare,
  type ImagePlanes,
  type Place,
  type PlacedSpots,
} from "./explained-share.ts";

/** Number of moves wanted, and the maximum number of draws to find them. */
const MOVES = 60;
const DRAWN = 600;
/** With fewer moves, the share explained by chance is unknown. */
export const MIN_MOVES = 20;
/** Fraction of the spots that must stay on the image, and on tissue. */
const STAYING = 0.6;
/** A move does not count if most spots stay within this many spot distances of their original position. */
const MIN_PITCHES = 2.5;

/** Shares that an image explains after the spots are moved rigidly, which preserves the similarity of neighbors. */
export interface MovedShares {
  mean: number;
  sd: number;
  most: number;
}

/**
 * Takes the spots as positioned by `place` and moves them elsewhere on the image: rotated by any angle, half of
 * them mirrored, and shifted. Null if there is not enough tissue to move them. O(moves · spots · planes²).
 */
export function movedShares(
  image: ImagePlanes & { tissue: Uint8Array },
  spots: PlacedSpots & { pitchPx: number },
  order: Uint32Array,
  place: Place,
  seed: number,
): MovedShares | null {
  const random = new Random(seed);
  const placed = Array.from(order, (spot) =>
    place(spots.xy.data[2 * spot], spots.xy.data[2 * spot + 1]),
  );
  const center = [0, 1].map((axis) => placed.reduce((sum, at) => sum + at[axis], 0) / order.length);
  const reach = [image.width * image.step, image.height * image.step];
  const shares: number[] = [];
  for (let drawn = 0; drawn < DRAWN && shares.length < MOVES; drawn++) {
    const angle = 2 * Math.PI * random.uniform();
    const mirrored = drawn % 2 === 0 ? 1 : -1;
    const to = reach.map((size) => size * random.uniform());
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const move: Place = (x, y) => {
      const [u, v] = [mirrored * (x - center[0]), y - center[1]];
      return [to[0] + cos * u - sin * v, to[1] + sin * u + cos * v];
    };
    const moved = placed.map(([x, y]) => move(x, y));
    const far = moved.filter(
      ([x, y], i) => Math.hypot(x - placed[i][0], y - placed[i][1]) > MIN_PITCHES * spots.pitchPx,
    );
    const onTissue = moved.filter(([x, y]) => isTissue(image, x, y)).length;
    if (far.length < 0.7 * placed.length || onTissue < STAYING * placed.length) continue;
    const share = explainedShare(
      image,
      spots,
      order,
      (x, y) => {
        const at = move(...place(x, y));
        return isTissue(image, ...at) ? at : [-1, -1];
      },
      STAYING,
    );
    if (share !== null) shares.push(share);
  }
  if (shares.length < MIN_MOVES) return null;
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  const squares = shares.reduce((sum, share) => sum + (share - mean) ** 2, 0);
  return {
    mean,
    sd: Math.sqrt(squares / (shares.length - 1)),
    most: Math.max(...shares),
  };
}

function isTissue(image: ImagePlanes & { tissue: Uint8Array }, x: number, y: number): boolean {
  const [column, row] = [Math.floor(x / image.step), Math.floor(y / image.step)];
  return (
    column >= 0 &&
    row >= 0 &&
    column < image.width &&
    row < image.height &&
    image.tissue[row * image.width + column] === 1
  );
}
