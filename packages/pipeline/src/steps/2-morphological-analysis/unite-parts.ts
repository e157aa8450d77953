import type { Meeting } from "./candidate-shapes.ts";
import type { Seeds } from "./vote-seeds.ts";
import { LEVELS, N_SUMS, SUM, SUMS_A_PART, type VotedParts } from "./voted-parts.ts";

/** Two parts whose seeds are farther apart than this, half-resolution px, are not one nucleus. */
const MAX_APART_PX = 12;
/** Nor are two that touch along fewer pixel sides than this. */
const MIN_SIDES = 2;
/** Number of steps for sampling the votes between two seeds. */
const PASS_STEPS = 8;

/** Two touching parts treated as one. */
export interface Union {
  a: number;
  b: number;
  meeting: Meeting;
}

/** All pairs of parts that could be one nucleus, and their sums (unions × SUMS_A_PART), relative to the first seed. */
export function uniteParts(
  parts: VotedParts,
  seeds: Seeds,
): { unions: Union[]; sums: Float64Array } {
  const near = parts.borders.filter(
    ({ a, b, sides }) => sides[0] >= MIN_SIDES && apart(seeds, a, b) <= MAX_APART_PX,
  );
  const sums = new Float64Array(near.length * SUMS_A_PART);
  const unions = near.map(({ a, b, sides }, i) => {
    const dx = seeds.x[b] - seeds.x[a];
    const dy = seeds.y[b] - seeds.y[a];
    for (let level = 0; level < LEVELS.length; level++) {
      const row = level * N_SUMS;
      const to = sums.subarray(i * SUMS_A_PART + row, i * SUMS_A_PART + row + N_SUMS);
      to.set(parts.sums.subarray(b * SUMS_A_PART + row, b * SUMS_A_PART + row + N_SUMS));
      moveOrigin(to, dx, dy);
      add(to, parts.sums, a * SUMS_A_PART + row);
      to[SUM.outline] -= 2 * sides[level];
      to[SUM.touching] -= 2 * sides[level];
    }
    const [one, other] = [parts.sums[a * SUMS_A_PART], parts.sums[b * SUMS_A_PART]];
    const smallerShare = Math.min(one, other) / (one + other);
    return {
      a,
      b,
      meeting: { apartPx: apart(seeds, a, b), smallerShare, pass: pass(seeds, a, b) },
    };
  });
  return { unions, sums };
}

const apart = (seeds: Seeds, a: number, b: number): number =>
  Math.hypot(seeds.x[a] - seeds.x[b], seeds.y[a] - seeds.y[b]);

/** Shifts the origin of sums by (−dx, −dy). Integer arithmetic, so exact. */
function moveOrigin(sums: Float64Array, dx: number, dy: number): void {
  const n = sums[SUM.pixels];
  sums[SUM.xx] += 2 * dx * sums[SUM.x] + n * dx * dx;
  sums[SUM.yy] += 2 * dy * sums[SUM.y] + n * dy * dy;
  sums[SUM.xy] += dx * sums[SUM.y] + dy * sums[SUM.x] + n * dx * dy;
  sums[SUM.squaredVote] +=
    2 * (dx * sums[SUM.voteX] + dy * sums[SUM.voteY]) + n * (dx * dx + dy * dy);
  sums[SUM.x] += n * dx;
  sums[SUM.y] += n * dy;
  sums[SUM.voteX] += n * dx;
  sums[SUM.voteY] += n * dy;
}

function add(to: Float64Array, from: Float64Array, at: number): void {
  for (let i = 0; i < SUM.greatestDistance; i++) to[i] += from[at + i];
  const greatest = from[at + SUM.greatestDistance];
  to[SUM.greatestDistance] = Math.max(to[SUM.greatestDistance], greatest);
}

/** Lowest smoothed vote on the line between two seeds, as a fraction of the vote at the lower seed. */
function pass({ x, y, votes, width }: Seeds, a: number, b: number): number {
  let low = Infinity;
  for (let step = 0; step <= PASS_STEPS; step++) {
    const u = x[a] + Math.round(((x[b] - x[a]) * step) / PASS_STEPS);
    const v = y[a] + Math.round(((y[b] - y[a]) * step) / PASS_STEPS);
    low = Math.min(low, votes[v * width + u]);
  }
  return low / Math.min(votes[y[a] * width + x[a]], votes[y[b] * width + x[b]]);
}
