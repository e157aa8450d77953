import type { Combine, NamedGroup, ViewerState, ViewerStore } from "../state/viewer-store.ts";
import { shortened } from "@stipple/contract/shortened";
import { GROUPINGS } from "@stipple/viewer/choices";
import {
  cellSet,
  difference,
  union,
  type CellSet,
  type Criterion,
  type HiddenGroups,
} from "@stipple/viewer/cells";
import { newId } from "../annotations/new-id.ts";
import { MAX_NAME_LETTERS } from "./groups-json.ts";

/** Depth of the selection undo history. */
const MAX_EARLIER = 20;

/** Okabe & Ito's colors except black and yellow, assigned to new groups and regions in turn. */
const GROUP_COLORS = ["#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"] as const;

/** Selects cells, or adds them to or subtracts them from the selection; `how` defaults to the user's setting. */
export function selectCells(store: ViewerStore, cells: CellSet, how?: Combine): void {
  const { selection, combine } = store.getState();
  const mode = how ?? combine;
  if (mode === "add" && selection) setSelection(store, union(selection, cells));
  else if (mode === "subtract") setSelection(store, selection && difference(selection, cells));
  else setSelection(store, cells);
}

/** Replaces the selection; an empty set becomes no selection. Can be undone. */
export function setSelection(store: ViewerStore, cells: CellSet | null): void {
  store.setState((state) => selecting(state, cells));
}

/** The state change made by `setSelection`. */
export function selecting(
  { selection, earlierSelections }: ViewerState,
  cells: CellSet | null,
): Pick<ViewerState, "selection" | "earlierSelections"> {
  return {
    selection: cells && cells.count > 0 ? cells : null,
    earlierSelections: [...earlierSelections, selection].slice(-MAX_EARLIER),
  };
}

export function undoSelection(store: ViewerStore): void {
  store.setState(({ earlierSelections, selection }) => ({
    selection: earlierSelections.length > 0 ? earlierSelections.at(-1)! : selection,
    earlierSelections: earlierSelections.slice(0, -1),
  }));
}

/** Selects the shown cells that are not selected. */
export function invertSelection(store: ViewerStore, shown: CellSet): void {
  const { selection } = store.getState();
  setSelection(store, selection ? difference(shown, selection) : shown);
}

/** The cells that are drawn, from the colors of all cells (alpha 0 = not drawn). */
export function shownCells(rgba: Uint8Array, hidden: HiddenGroups): CellSet {
  const chosenBy = GROUPINGS.filter((of) => hidden[of].length > 0).map((of): Criterion =>
    of === "evidence" || of === "imageQuality"
      ? "quality"
      : `expression without ${of}:${hidden[of].join()}`,
  );
  return { ...cellSet(rgba.length / 4, (cell) => rgba[4 * cell + 3]! > 0), chosenBy };
}

/** The color for the next group or region. */
export function nextGroupColor(groups: readonly Pick<NamedGroup, "color">[]): string {
  return (
    GROUP_COLORS.find((color) => groups.every((group) => group.color !== color)) ??
    GROUP_COLORS[groups.length % GROUP_COLORS.length]!
  );
}

export function addGroup(
  store: ViewerStore,
  { name, ...others }: Omit<NamedGroup, "id">,
): NamedGroup {
  const group = { id: newId(), name: shortened(name.trim(), MAX_NAME_LETTERS), ...others };
  store.setState(({ groups }) => ({ groups: [...groups, group] }));
  return group;
}

/** Changes a group's name, color, or cells; an empty name is ignored. */
export function changeGroup(
  store: ViewerStore,
  id: string,
  change: Partial<Omit<NamedGroup, "id">>,
): void {
  const name = change.name && shortened(change.name.trim(), MAX_NAME_LETTERS);
  const { name: _, ...others } = change;
  store.setState(({ groups }) => ({
    groups: groups.map((group) =>
      group.id === id ? { ...group, ...others, ...(name && { name }) } : group,
    ),
  }));
}

/** Removes a group and returns a function that restores it to its position. */
export function removeGroup(store: ViewerStore, removed: NamedGroup): () => void {
  const at = store.getState().groups.indexOf(removed);
  store.setState(({ groups }) => ({ groups: groups.filter((group) => group !== removed) }));
  return () => store.setState(({ groups }) => ({ groups: groups.toSpliced(at, 0, removed) }));
}
