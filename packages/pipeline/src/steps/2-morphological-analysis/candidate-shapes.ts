import { LEVELS, N_SUMS, SUM } from "./voted-parts.ts";

/** Features that separate one nucleus from texture, a fragment, or several nuclei. Lengths in half-resolution px. */
export const CANDIDATE_FEATURES = [
  "log_area",
  /** Area ÷ area of the ellipse with the same second moments: 1 for an ellipse, less for a pinched shape. */
  "ellipse_fill",
  "axis_ratio",
  /** Perimeter in pixel sides ÷ that of the ellipse's bounding box: 1 if the outline has no concavities. */
  "outline",
  "probability_mean",
  "probability_sd",
  /** Pixels above this probability belong to it. */
  "level",
  /** Logarithm of its votes above the lowest level. */
  "votes",
  /** Spread of its votes ÷ radius of the disc of equal area. */
  "vote_spread",
  /** Distance from its centroid to the mean of its votes ÷ the same radius. */
  "vote_miss",
  "distance_max",
  "distance_mean",
  /** Fraction of the outline that borders other parts. */
  "touching",
  "is_union",
  /** Distance between the two seeds ÷ the same radius; 0 for a single part. */
  "apart",
  /** Fraction of the area in the smaller part; 0 for a single part. */
  "smaller_part",
  /** Lowest smoothed vote between the two seeds ÷ the vote at the lower seed; 0 for a single part. */
  "pass",
] as const;
export const N_FEATURES = CANDIDATE_FEATURES.length;

/** Geometry of the two parts of a union. */
export interface Meeting {
  apartPx: number;
  smallerShare: number;
  pass: number;
}

/** A candidate has at least this many half-resolution px. */
const MIN_PIXELS = 3;

/**
 * Computes the features of a part's or union's candidates, one per level, from the sums starting at `from`, and writes
 * them to `features` starting at `row`. Returns how many levels have enough pixels.
 */
export function describeCandidates(
  sums: Float64Array,
  from: number,
  meeting: Meeting | null,
  features: Float32Array,
  row: number,
): number {
  for (let level = 0; level < LEVELS.length; level++) {
    const at = from + level * N_SUMS;
    const n = sums[at + SUM.pixels];
    if (n < MIN_PIXELS) return level;
    const mx = sums[at + SUM.x] / n;
    const my = sums[at + SUM.y] / n;
    // 1/12 is the second moment of a single pixel.
    const xx = sums[at + SUM.xx] / n - mx * mx + 1 / 12;
    const yy = sums[at + SUM.yy] / n - my * my + 1 / 12;
    const xy = sums[at + SUM.xy] / n - mx * my;
    const det = Math.max(1e-6, xx * yy - xy * xy);
    const half = (xx + yy) / 2;
    const root = Math.sqrt(Math.max(0, half * half - det));
    const mean = sums[at + SUM.probability] / n;
    const variance = sums[at + SUM.squaredProbability] / n - mean * mean;
    const radius = Math.sqrt(n / Math.PI);
    const voteX = sums[at + SUM.voteX] / n;
    const voteY = sums[at + SUM.voteY] / n;
    const voteVariance = sums[at + SUM.squaredVote] / n - voteX * voteX - voteY * voteY;
    const outline = sums[at + SUM.outline];
    const f = (row + level) * N_FEATURES;
    features[f] = Math.log(n);
    features[f + 1] = n / (4 * Math.PI * Math.sqrt(det));
    features[f + 2] = Math.sqrt(Math.max(0, half - root) / (half + root));
    features[f + 3] = outline / (8 * (Math.sqrt(xx) + Math.sqrt(yy)));
    features[f + 4] = mean;
    features[f + 5] = Math.sqrt(Math.max(0, variance));
    features[f + 6] = LEVELS[level];
    features[f + 7] = Math.log(1 + sums[from + SUM.probability]);
    features[f + 8] = Math.sqrt(Math.max(0, voteVariance)) / radius;
    features[f + 9] = Math.hypot(mx - voteX, my - voteY) / radius;
    features[f + 10] = sums[at + SUM.greatestDistance];
    features[f + 11] = sums[at + SUM.distance] / n;
    features[f + 12] = sums[at + SUM.touching] / outline;
    if (!meeting) continue;
    features[f + 13] = 1;
    features[f + 14] = meeting.apartPx / radius;
    features[f + 15] = meeting.smallerShare;
    features[f + 16] = meeting.pass;
  }
  return LEVELS.length;
}
