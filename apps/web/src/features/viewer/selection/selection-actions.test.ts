import { ANNOTATION_KINDS } from "@stipple/contract/annotations";
import { expect, it } from "vitest";
import { viewerStore } from "../state/viewer-store.ts";
import { cellSet, cellsOf, type CellSet } from "@stipple/viewer/cells";
import { byGrouping } from "@stipple/viewer/choices";
import {
  addGroup,
  changeGroup,
  invertSelection,
  nextGroupColor,
  removeGroup,
  selectCells,
  setSelection,
  shownCells,
  undoSelection,
} from "./selection-actions.ts";

const set = (...cells: number[]): CellSet => cellSet(12, (cell) => cells.includes(cell));
const nothingHidden = byGrouping((): number[] => []);
const selected = (store: ReturnType<typeof viewerStore>) => {
  const { selection } = store.getState();
  return selection && [...cellsOf(selection)];
};

it("replaces, adds, and subtracts, using the user's setting or an explicit mode", () => {
  const store = viewerStore();
  selectCells(store, set(1, 2, 3));
  selectCells(store, set(3, 9), "add");
  expect(selected(store)).toEqual([1, 2, 3, 9]);
  store.setState({ combine: "subtract" });
  selectCells(store, set(1, 9));
  expect(selected(store)).toEqual([2, 3]);
  selectCells(store, set(2, 3));
  expect(selected(store)).toBeNull();
  selectCells(store, set(4));
  expect(selected(store)).toBeNull();
});

it("undoes selections", () => {
  const store = viewerStore();
  setSelection(store, set(1));
  setSelection(store, set(2));
  setSelection(store, null);
  undoSelection(store);
  expect(selected(store)).toEqual([2]);
  undoSelection(store);
  undoSelection(store);
  expect(selected(store)).toBeNull();
  undoSelection(store);
  expect(store.getState().earlierSelections).toEqual([]);
});

it("inverts among the shown cells", () => {
  const store = viewerStore();
  const rgba = new Uint8Array(48).map((_, at) => (at % 4 === 3 && at < 24 ? 46 : 0));
  const shown = shownCells(rgba, nothingHidden);
  expect([...cellsOf(shown)]).toEqual([0, 1, 2, 3, 4, 5]);
  setSelection(store, set(0, 1, 11));
  invertSelection(store, shown);
  expect(selected(store)).toEqual([2, 3, 4, 5]);
});

it("keeps named groups, and restores a removed one to its position", () => {
  const store = viewerStore();
  const names = () => store.getState().groups.map(({ name }) => name);
  const color = nextGroupColor([]);
  addGroup(store, { name: " Rim ", color, cells: set(1) });
  const core = addGroup(store, { name: "Core", color, cells: set(2) });
  addGroup(store, { name: "Far", color: nextGroupColor(store.getState().groups), cells: set(3) });
  expect(names()).toEqual(["Rim", "Core", "Far"]);
  expect(store.getState().groups[2]!.color).not.toBe(color);
  changeGroup(store, core.id, { name: "  ", color: "#123456" });
  changeGroup(store, core.id, { name: "Middle" });
  expect(store.getState().groups[1]).toMatchObject({ name: "Middle", color: "#123456" });
  const restore = removeGroup(store, store.getState().groups[1]!);
  expect(names()).toEqual(["Rim", "Far"]);
  restore();
  expect(names()).toEqual(["Rim", "Middle", "Far"]);
});

it("says what shown cells were chosen by as the project keeps it, even without most of 500 groups", () => {
  const own = Array.from({ length: 499 }, (_, index) => index);
  const cells = shownCells(new Uint8Array(4), { ...nothingHidden, own });
  const kept = { name: "Last", color: "#000000", cells: "", assigned: null, cellsKey: "a" };
  const { success } = ANNOTATION_KINDS.group.safeParse({ ...kept, chosenBy: cells.chosenBy });
  expect(success).toBe(true);
});
