import type { CellMeasure, ViewerManifest } from "@stipple/contract/viewer-manifest";
import { viewerTexts } from "../../texts.ts";
import type { Cells } from "@stipple/viewer/source";
import { groupsOf, shownGroups } from "../../state/shown-groups.ts";
import { GROUPINGS, type Grouping } from "@stipple/viewer/choices";
import { type GroupEdits } from "../../state/shown-state.ts";
import type { NamedGroup } from "../../state/viewer-store.ts";
import { hasCell, type CellSet } from "@stipple/viewer/cells";
import type { CsvValue } from "./csv.ts";

/** Inputs for a table of cells. */
export interface CellsTableSource {
  manifest: ViewerManifest;
  cells: Cells;
  /** The groups as the analysis wrote them. */
  computed: { manifest: ViewerManifest; cells: Cells };
  edits: Readonly<Record<Grouping, GroupEdits>>;
  groups: readonly NamedGroup[];
  selection: CellSet | null;
  /** NaN where not measured. */
  measures: readonly { name: CellMeasure; values: Float32Array }[];
  /** The values that color the cells, with their names; `observedOnly`: cells outside the spots have none. */
  values: readonly { name: string; values: Float32Array; observedOnly: boolean }[];
}

/** A table column: its heading and each cell's field. */
export interface CellColumn {
  name: string;
  field: (cell: number) => CsvValue;
}

/**
 * The columns of the cell table: name as in the exports; type, cluster, and domain as annotated and, where that differs, as computed; named groups
 * (separated by "; "); position in µm from the image's top left corner; UMAP; measures; and the displayed values.
 */
export function cellsTable(source: CellsTableSource): CellColumn[] {
  const { manifest, cells, computed, edits, groups, selection, measures, values } = source;
  const columns: CellColumn[] = [{ name: "cell", field: (cell) => viewerTexts.cell(cell) }];
  for (const of of GROUPINGS) {
    const [column, original] = [cells[of], computed.cells[of]];
    if (!column || !original) continue;
    const names = shownGroups(manifest, of, edits[of]).map(({ name }) => name);
    // The column's name in the exports.
    const name = { imageQuality: "image_quality", own: "own_cluster" }[of as string] ?? of;
    columns.push({ name, field: (cell) => names[column[cell]!] ?? "" });
    if (column === original && Object.keys(edits[of]).length === 0) continue;
    const own = groupsOf(computed.manifest, of).map((group) => group.name);
    columns.push({ name: `computed_${name}`, field: (cell) => own[original[cell]!] ?? "" });
  }
  columns.push({
    name: "groups",
    field: (cell) =>
      groups
        .filter((group) => hasCell(group.cells, cell))
        .map(({ name }) => name)
        .join("; "),
  });
  if (selection) {
    columns.push({ name: "selected", field: (cell) => Number(hasCell(selection, cell)) });
  }
  const umPerUnit = manifest.tissue.scale * manifest.micronsPerPixel;
  const rounded = (um: number) => Math.round(100 * um) / 100;
  return [
    ...columns,
    { name: "x_um", field: (cell) => rounded(cells.xy[2 * cell]! * umPerUnit) },
    { name: "y_um", field: (cell) => rounded(cells.xy[2 * cell + 1]! * umPerUnit) },
    { name: "umap_1", field: (cell) => cells.umap[2 * cell]! },
    { name: "umap_2", field: (cell) => cells.umap[2 * cell + 1]! },
    { name: "in_spot", field: (cell) => cells.observed[cell]! },
    ...measures.map((measure) => ({
      name: measure.name.replace("cells.", ""),
      field: (cell: number) => measure.values[cell]!,
    })),
    ...values.map((shown) => ({
      name: shown.name,
      field: (cell: number) =>
        shown.observedOnly && cells.observed[cell] === 0 ? null : shown.values[cell]!,
    })),
  ];
}
