import { LEVELS, N_SUMS, SUM } from "./voted-parts.ts";

/** What tells a nucleus from texture, from a piece of one and from several. Lengths in half-resolution px. */
export const CANDIDATE_FEATURES = [
  "log_area",
  /** Area ÷ area of the ellipse with the same second moments: 1 for an ellipse, less for anything with a waist. */
  "ellipse_fill",
  "axis_ratio",
  /** Perimeter in pixel sides ÷ that of the ellipse's bounding box: 1 where the outline has no bays. */
  "outline",
  "probability_mean",
  "probability_sd",
  /** From which probability on pixels belong to it. */
  "level",
  /** Logarithm of its votes above the lowest level. */
  "votes",
  /** How far its votes lie apart ÷ radius of the disc with its area. */
  "vote_spread",
  /** How far its centroid lies from the mean of its votes ÷ the same radius. */
  "vote_miss",
  "distance_max",
  "distance_mean",
  /** Share of the outline behind which other parts lie. */
  "touching",
  "is_union",
  /** Between the seeds of the two ÷ the same radius; 0 for a single part. */
  "apart",
  /** Share of the smaller of the two; 0 for a single part. */
  "smaller_part",
  /** Lowest smoothed votes between the seeds of the two ÷ those at the lower seed; 0 for a single part. */
  "pass",
] as const;
export const N_FEATURES = CANDIDATE_FEATURES.length;

/** How the two parts of a union lie. */
export interface Meeting {
  apartPx: number;
  smallerShare: number;
  pass: number;
}

/** Fewer pixels are no candidate, half-resolution px. */
const LEAST_PIXELS = 3;

/**
 * Describes the candidates of a part or a union, one at each level, by the sums that begin at `from`; writes them to
 * rows of `features` from `row` on. Returns how many levels have enough pixels.
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
    if (n < LEAST_PIXELS) return level;
    const mx = sums[at + SUM.x] / n;
    const my = sums[at + SUM.y] / n;
    // 1/12 is a pixel's own second moment.
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
