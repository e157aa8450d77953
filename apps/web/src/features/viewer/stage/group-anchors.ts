import type { GroupLabel } from "@stipple/viewer/figure";
import { boundsOf } from "@stipple/viewer/geometry";
import type { ColumnArray } from "@stipple/viewer/source";

/** Where the name of a group belongs. */
export interface GroupAnchor {
  /** Index of the group. */
  group: number;
  /** In drawing units. */
  x: number;
  y: number;
}

/** Side of the grid in which the densest part of a group is sought. */
const BINS = 40;
/** Groups with a smaller share of the cells are left to the list. */
const MIN_SHARE = 0.005;
/** Where a label may move to make room, in lines. */
const LINES = [0, -1.1, 1.1, -2.2, 2.2];

/**
 * The densest part of each group, largest group first; a mean would fall between the islands of a group that has
 * several. `positions`: x, y of every cell. O(nCells + groups).
 */
export function groupAnchors(
  positions: Float32Array,
  column: ColumnArray,
  nGroups: number,
): GroupAnchor[] {
  const { minX: left, maxX: right, minY: top, maxY: bottom } = boundsOf(positions);
  const side = Math.max(right - left, bottom - top, 1e-9) / BINS;
  const bin = (value: number, from: number) =>
    Math.min(BINS - 1, Math.floor((value - from) / side));
  const counts = new Uint32Array(nGroups);
  const bins = new Uint32Array(nGroups * BINS * BINS);
  for (let cell = 0; cell < column.length; cell++) {
    const group = column[cell]!;
    if (group >= nGroups) continue;
    counts[group]! += 1;
    const [x, y] = [bin(positions[2 * cell]!, left), bin(positions[2 * cell + 1]!, top)];
    bins[(group * BINS + y) * BINS + x]! += 1;
  }
  return [...counts.keys()]
    .filter((group) => counts[group]! > 0 && counts[group]! >= MIN_SHARE * column.length)
    .sort((a, b) => counts[b]! - counts[a]! || a - b)
    .map((group) => {
      const { x, y } = densest(bins.subarray(group * BINS * BINS, (group + 1) * BINS * BINS));
      return { group, x: left + (x + 0.5) * side, y: top + (y + 0.5) * side };
    });
}

/** The bin with the most cells in and around it. */
function densest(bins: Uint32Array): { x: number; y: number } {
  let best = { x: 0, y: 0, count: -1 };
  for (let y = 0; y < BINS; y++) {
    for (let x = 0; x < BINS; x++) {
      let count = 0;
      for (let row = Math.max(0, y - 1); row <= Math.min(BINS - 1, y + 1); row++) {
        for (let at = Math.max(0, x - 1); at <= Math.min(BINS - 1, x + 1); at++) {
          count += bins[row * BINS + at]!;
        }
      }
      if (count > best.count) best = { x, y, count };
    }
  }
  return best;
}

/**
 * Places labels in the given order, centered at x, y or as near as the picture's sides allow. One that would cover
 * another moves by a line or two, or is left out, as is one outside the picture.
 */
export function placedLabels(
  wanted: readonly GroupLabel[],
  size: { widthPx: number; heightPx: number; lineHeight: number },
  widthOf: (name: string) => number,
): GroupLabel[] {
  const placed: (GroupLabel & { width: number })[] = [];
  for (const { name, x: center, y } of wanted) {
    if (center < 0 || center > size.widthPx || y < 0 || y > size.heightPx) continue;
    const width = widthOf(name);
    const x = Math.max(width / 2 + 4, Math.min(size.widthPx - width / 2 - 4, center));
    const free = LINES.map((line) => y + line * size.lineHeight).find((at) =>
      placed.every(
        (other) =>
          Math.abs(other.y - at) >= size.lineHeight ||
          Math.abs(other.x - x) >= (other.width + width) / 2 + 4,
      ),
    );
    if (free !== undefined) placed.push({ name, x, y: free, width });
  }
  return placed.map(({ name, x, y }) => ({ name, x, y }));
}
