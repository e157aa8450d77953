import type { NucleusMaps } from "../../nuclei/nucleus-network.ts";
import type { Seeds } from "./vote-seeds.ts";

/**
 * Probabilities above which pixels can belong to a nucleus; all are tried for every nucleus. The weights in
 * candidate-score-weights.ts are fitted for these levels.
 */
export const LEVELS: readonly number[] = [0.3, 0.4, 0.5, 0.6, 0.7];

/** Column of each sum over pixels in a row of sums. Positions are relative to a seed, half-resolution px. */
export const SUM = {
  pixels: 0,
  x: 1,
  y: 2,
  xx: 3,
  yy: 4,
  xy: 5,
  probability: 6,
  squaredProbability: 7,
  /** Pixel sides on the outline. */
  outline: 8,
  /** Those that border another part. */
  touching: 9,
  voteX: 10,
  voteY: 11,
  squaredVote: 12,
  distance: 13,
  /** The only one that is not a sum. */
  greatestDistance: 14,
} as const;
export const N_SUMS = 15;
/** Number of sums per part: one row for each of {@link LEVELS}. */
export const SUMS_A_PART = LEVELS.length * N_SUMS;

/** Groups of pixels that vote for the same centroid, with sums over the pixels above each level; part 0 stays empty. */
export interface VotedParts {
  /** Part of each half-resolution pixel; 0 = none. */
  labels: Int32Array;
  /** (parts + 1) × SUMS_A_PART. */
  sums: Float64Array;
  /** Touching parts (a < b) and the number of shared pixel sides above each level. */
  borders: { a: number; b: number; sides: Float64Array }[];
}

/** The highest level that a probability exceeds; −1 = none. */
export function levelOf(probability: number): number {
  let level = -1;
  while (level + 1 < LEVELS.length && probability > LEVELS[level + 1]) level++;
  return level;
}

/**
 * Sums over the pixels of every part. Positions are integers relative to the part's seed, so that their sums are exact
 * and do not depend on where a tile starts. O(pixels).
 */
export function sumParts(
  maps: NucleusMaps,
  centroids: Int32Array,
  labels: Int32Array,
  seeds: Seeds,
): VotedParts {
  const parts: GrowingParts = {
    sums: new Float64Array((seeds.count + 1) * SUMS_A_PART),
    borders: new Map(),
  };
  const pixels = { maps, centroids, labels };
  for (let y = 0; y < maps.height; y++) addRow(parts, pixels, seeds, y);
  const { sums } = parts;
  const borders = [...parts.borders.values()];
  for (let part = 1; part <= seeds.count; part++) gatherLevels(sums, part * SUMS_A_PART);
  for (const { sides } of borders) {
    for (let level = LEVELS.length - 2; level >= 0; level--) sides[level] += sides[level + 1];
  }
  return { labels, sums, borders };
}

/** Borders are keyed by the numbers of both parts. */
interface GrowingParts {
  sums: Float64Array;
  borders: Map<number, VotedParts["borders"][number]>;
}

/** One row at a time: see `inStretches`. */
function addRow(
  { sums, borders }: GrowingParts,
  pixels: { maps: NucleusMaps; centroids: Int32Array; labels: Int32Array },
  seeds: Seeds,
  y: number,
): void {
  const { centroids, labels } = pixels;
  const { width, height, probability, distance } = pixels.maps;
  for (let x = 0, p = y * width; x < width; x++, p++) {
    const part = labels[p];
    if (part === 0) continue;
    const level = levelOf(probability[p]);
    const at = part * SUMS_A_PART + level * N_SUMS;
    const u = x - seeds.x[part];
    const v = y - seeds.y[part];
    const voteX = (centroids[p] % width) - seeds.x[part];
    const voteY = Math.floor(centroids[p] / width) - seeds.y[part];
    sums[at + SUM.pixels]++;
    sums[at + SUM.x] += u;
    sums[at + SUM.y] += v;
    sums[at + SUM.xx] += u * u;
    sums[at + SUM.yy] += v * v;
    sums[at + SUM.xy] += u * v;
    sums[at + SUM.probability] += probability[p];
    sums[at + SUM.squaredProbability] += probability[p] * probability[p];
    sums[at + SUM.voteX] += voteX;
    sums[at + SUM.voteY] += voteY;
    sums[at + SUM.squaredVote] += voteX * voteX + voteY * voteY;
    sums[at + SUM.distance] += distance[p];
    if (distance[p] > sums[at + SUM.greatestDistance])
      sums[at + SUM.greatestDistance] = distance[p];
    for (let side = 0; side < 4; side++) {
      let q = -1;
      if (side === 0 && x > 0) q = p - 1;
      else if (side === 1 && x < width - 1) q = p + 1;
      else if (side === 2 && y > 0) q = p - width;
      else if (side === 3 && y < height - 1) q = p + width;
      const other = q < 0 ? 0 : labels[q];
      if (other === part) {
        // This side is on the outline only at the levels between the two pixels.
        const lower = levelOf(probability[q]);
        if (lower >= level) continue;
        sums[at + SUM.outline]++;
        sums[part * SUMS_A_PART + lower * N_SUMS + SUM.outline]--;
        continue;
      }
      sums[at + SUM.outline]++;
      if (other === 0) continue;
      const both = Math.min(level, levelOf(probability[q]));
      sums[part * SUMS_A_PART + both * N_SUMS + SUM.touching]++;
      if (part < other) meet(borders, seeds.count, part, other, both);
    }
  }
}

function meet(
  borders: GrowingParts["borders"],
  count: number,
  a: number,
  b: number,
  level: number,
): void {
  const key = a * (count + 1) + b;
  let border = borders.get(key);
  if (!border) borders.set(key, (border = { a, b, sides: new Float64Array(LEVELS.length) }));
  border.sides[level]++;
}

/** Pixels above a level are also above every lower level. */
function gatherLevels(sums: Float64Array, part: number): void {
  for (let level = LEVELS.length - 2; level >= 0; level--) {
    const at = part + level * N_SUMS;
    for (let i = 0; i < SUM.greatestDistance; i++) sums[at + i] += sums[at + N_SUMS + i];
    const greatest = at + SUM.greatestDistance;
    sums[greatest] = Math.max(sums[greatest], sums[greatest + N_SUMS]);
  }
}
