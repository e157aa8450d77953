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
  /** Share of all cells, or of those compared with, 0–1. */
  overall: number;
}

/**
 * The groups that make up a set of cells, largest first; `column` holds every cell's group. Compared with another set,
 * its groups are there as well. O(cells in the sets).
 */
export function composition(
  column: ColumnArray,
  groups: readonly ShownGroup[],
  cells: CellSet,
  noGroup: string,
  other: CellSet | null = null,
): GroupShare[] {
  const counts = countsOf(column, groups.length, cells);
  const others = other && countsOf(column, groups.length, other);
  const grouped = groups.reduce((sum, { count }) => sum + count, 0);
  const shares: GroupShare[] = [];
  counts.forEach((count, index) => {
    const group = groups[index];
    const among = others?.[index] ?? (group ? group.count : column.length - grouped);
    if (count === 0 && !(others && among > 0)) return;
    shares.push({
      index: group ? index : -1,
      name: group?.name ?? noGroup,
      color: group?.color ?? null,
      count,
      within: count / cells.count,
      overall: among / (other?.count ?? column.length),
    });
  });
  return shares.sort((a, b) => b.count - a.count || b.overall - a.overall);
}

/** Cells of each group in a set; the last number is of those without a group. */
function countsOf(column: ColumnArray, nGroups: number, cells: CellSet): Uint32Array {
  const counts = new Uint32Array(nGroups + 1);
  for (const cell of cellsOf(cells)) counts[Math.min(column[cell]!, nGroups)]! += 1;
  return counts;
}
