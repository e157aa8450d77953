import type { CellSet } from "@stipple/viewer/cells";
import { packedCells } from "../selection/groups-json.ts";
import { changeAnnotations, type AnnotationStore } from "./annotation-store.ts";
import { newId } from "./new-id.ts";

/** Says that cells are of a type: one of the analysis, or a new one with this color. */
export async function assignType(
  annotations: AnnotationStore,
  cells: CellSet,
  { type, color }: { type: string; color: string },
): Promise<void> {
  const { cells: cellsKey } = annotations.getState();
  if (cellsKey === null) return;
  const value = { name: type, color, cells: await packedCells(cells), assigned: type, cellsKey };
  changeAnnotations(annotations, [{ id: newId(), kind: "group", value }]);
}
