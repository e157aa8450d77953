import type { ColumnArray } from "@stipple/viewer/source";
import type { ShownGroup } from "../../state/shown-groups.ts";
import { cellsOf, type CellSet } from "@stipple/viewer/cells";

/** How much of a set of cells a group makes up. */
export interface GroupShare {
  /** The group's index in its list; −1 for cells without a group. */
  index: number;
  name: string;
  /** #rrggbb; null for cells without a group. */
  color: string | null;
  /** Number of its cells in the set. */
  count: number;
  /** Share of the set, 0–1. */
  within: number;
  /** Share of all cells, 0–1. */
  overall: number;
}

/** The groups that make up a set of cells, largest first; `column` holds every cell's group. O(cells in the set). */
export function composition(
  column: ColumnArray,
  groups: readonly ShownGroup[],
  cells: CellSet,
  noGroup: string,
): GroupShare[] {
  const counts = new Uint32Array(groups.length + 1);
  for (const cell of cellsOf(cells)) counts[Math.min(column[cell]!, groups.length)]! += 1;
  const grouped = groups.reduce((sum, { count }) => sum + count, 0);
  const shares: GroupShare[] = [];
  counts.forEach((count, index) => {
    if (count === 0) return;
    const group = groups[index];
    shares.push({
      index: group ? index : -1,
      name: group?.name ?? noGroup,
      color: group?.color ?? null,
      count,
      within: count / cells.count,
      overall: (group ? group.count : column.length - grouped) / column.length,
    });
  });
  return shares.sort((a, b) => b.count - a.count);
}
