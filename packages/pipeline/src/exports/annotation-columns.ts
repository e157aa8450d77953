import type { CellGroups } from "../annotations/annotated-groups.ts";
import type { CellAnnotations } from "../annotations/annotate-cells.ts";
import { plainColumns } from "./column-names.ts";

/** Columns for people's annotations in a table of cells, next to the computed columns. */
export interface AnnotationColumns {
  /** `codes`: nCells, index into `names`, or −1. */
  categories: { column: string; codes: Int32Array; names: string[]; colors: string[] }[];
  /** Groups of cells; one cell may be in several. `cells`: nCells, 1 = in the group. */
  groups: { column: string; cells: Uint8Array; color: string }[];
}

/** Cells outside a group, next to the group's color. */
export const OUTSIDE_COLOR = "#d9e0e8";

export function annotationColumns(annotations: CellAnnotations): AnnotationColumns {
  const { types, clusters, domains, clusterings, groups } = annotations;
  const category = (column: string, { groupOf, groups: all }: CellGroups) => ({
    column,
    codes: groupOf,
    names: all.map(({ name }) => name),
    colors: all.map(({ color }) => color),
  });
  const named = { cell_type: types, cluster: clusters, domain: domains };
  const ofClusterings = plainColumns(
    clusterings.map(({ item }) => item.value.name),
    (plain) => `clusters_${plain}`,
  );
  const ofGroups = plainColumns(
    groups.map(({ item }) => item.value.name),
    (plain) => `group_${plain}`,
  );
  return {
    categories: [
      ...Object.entries(named).flatMap(([name, found]) =>
        found ? [category(`${name}_annotated`, found)] : [],
      ),
      ...clusterings.map((one, at) => category(ofClusterings[at], one.groups)),
    ],
    groups: groups.map(({ item, cells }, at) => ({
      column: ofGroups[at],
      cells,
      color: item.value.color,
    })),
  };
}
