import type { AnnotationValue } from "@stipple/contract/annotations";
import { sameCells, type CellSet, type Criterion } from "@stipple/viewer/cells";
import { cellsOfText, packedCells } from "../selection/groups-json.ts";
import type { ViewerStore } from "../state/viewer-store.ts";
import type { AnnotationStore } from "./annotation-store.ts";
import { bindItems } from "./bind-items.ts";

type GroupValue = AnnotationValue<"group">;

/** Keeps a page's named groups in the project. Groups of another analysis stay in the project, unseen. */
export function bindGroups(
  store: ViewerStore,
  annotations: AnnotationStore,
  nCells: number,
): () => void {
  return bindItems<"group", "groups">(store, annotations, {
    kind: "group",
    name: "groups",
    async valueOf({ name, color, cells }, cellsKey) {
      const { chosenBy } = cells;
      const packed = await packedCells(cells);
      const by = chosenBy && { chosenBy: [...chosenBy] };
      return { name, color, cells: packed, ...by, assigned: null, cellsKey };
    },
    async itemOf({ id, value }, cellsKey, before) {
      const cells = value.assigned === null ? await cellsIn(value, cellsKey, nCells) : null;
      if (!cells) return null;
      const { name, color } = value;
      const isSame =
        before?.name === name && before.color === color && sameCells(before.cells, cells);
      return isSame ? before : { id, name, color, cells };
    },
    // A group of the tab, or of a view that was opened before the project's groups were there.
    isSame: (group, other) => group.name === other.name && sameCells(group.cells, other.cells),
  });
}

/** Keeps the cells whose type a person set in the project. */
export function bindAssigned(
  store: ViewerStore,
  annotations: AnnotationStore,
  nCells: number,
): () => void {
  return bindItems<"group", "assigned">(store, annotations, {
    kind: "group",
    name: "assigned",
    valueOf: async ({ type, color, cells }, cellsKey) => ({
      ...{ name: type, color, cells: await packedCells(cells), assigned: type, cellsKey },
    }),
    async itemOf({ id, value }, cellsKey) {
      const { assigned: type, color } = value;
      const cells = type === null ? null : await cellsIn(value, cellsKey, nCells);
      return type !== null && cells ? { id, type, color, cells } : null;
    },
  });
}

/** Null for what cannot be read, or is of another analysis. */
async function cellsIn(
  { cells: text, chosenBy, cellsKey }: GroupValue,
  wanted: string,
  nCells: number,
): Promise<CellSet | null> {
  if (cellsKey !== wanted) return null;
  const cells = await cellsOfText(text, nCells).catch(() => null);
  return cells && { ...cells, ...(chosenBy && { chosenBy: chosenBy as Criterion[] }) };
}
