import type { Matrix } from "../matrices.ts";
import type { GraphRun } from "../onnx-graph.ts";
import { openCosines, sharesOf, TILE, unitRows, type SoftClusters } from "./memberships.ts";

/** One round of Harmony: soft clusters, and by how much each moves each group. */
export interface HarmonyRound extends SoftClusters {
  /** nGroups × nClusters × nCols. */
  shifts: Float32Array;
}

/** What Harmony has learned: the rounds that every point goes through. */
export interface HarmonyMap {
  nCols: number;
  rounds: HarmonyRound[];
}

/**
 * Moves points by a map that was fitted to some of them: in each round, a point's shares of the soft clusters are found
 * where the rounds before have moved it, and it moves from where it was at first by its group's shifts. Points are
 * independent of each other. O(n · rounds · nClusters · nCols).
 */
export async function applyHarmony(
  { nCols, rounds }: HarmonyMap,
  { data, nRows }: Matrix<Float32Array>,
  groupOf: Int32Array,
  reached: (fraction: number) => Promise<void> | void = () => undefined,
): Promise<Matrix<Float32Array<ArrayBuffer>>> {
  const moved = new Float32Array(nRows * nCols);
  const cosinesOf = await openCosines(nCols);
  for (let from = 0; from < nRows; from += TILE) {
    const to = Math.min(nRows, from + TILE);
    const given = data.subarray(from * nCols, to * nCols);
    let tile = given.slice();
    for (const round of rounds) {
      tile = await moveTile(round, { given, tile, groups: groupOf.subarray(from, to) }, cosinesOf);
    }
    moved.set(tile, from * nCols);
    await reached(to / nRows);
  }
  return { nRows, nCols, data: moved };
}

async function moveTile(
  round: HarmonyRound,
  { given, tile, groups }: { given: Float32Array; tile: Float32Array; groups: Int32Array },
  cosinesOf: GraphRun,
): Promise<Float32Array<ArrayBuffer>> {
  const { centers, nClusters } = round;
  const nCols = given.length / groups.length;
  const shares = await cosinesOf(unitRows(tile, nCols), { data: centers, nCols: nClusters });
  const moved = given.slice();
  for (let i = 0; i < groups.length; i++) {
    sharesOf(shares, i * nClusters, round, groups[i]);
    movePoint(round, shares, i * nClusters, groups[i], moved, i * nCols, nCols);
  }
  return moved;
}

/** Called constantly, so that V8 keeps its compiled code. */
function movePoint(
  { shifts, nClusters }: HarmonyRound,
  shares: Float32Array,
  at: number,
  group: number,
  moved: Float32Array,
  to: number,
  nCols: number,
): void {
  for (let k = 0; k < nClusters; k++) {
    const share = shares[at + k];
    if (share < 1e-6) continue;
    const from = (group * nClusters + k) * nCols;
    for (let d = 0; d < nCols; d++) moved[to + d] -= share * shifts[from + d];
  }
}
