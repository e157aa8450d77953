import { describe, expect, it } from "vitest";
import { cellSet } from "@stipple/viewer/cells";
import { newId } from "../annotations/new-id.ts";
import { undoSelection } from "../selection/selection-actions.ts";
import { viewerStore } from "../state/viewer-store.ts";
import { openSavedView, viewToJson } from "./view-state.ts";

const N = 1000;
const cells = (step: number) => cellSet(N, (cell) => cell % step === 0);
const looks = (name: string, step: number) => ({ name, color: "#aa00bb", cells: cells(step) });
const group = (name: string, step: number) => ({ id: newId(), ...looks(name, step) });

describe("a saved view", () => {
  it("restores the picture, groups, and selection from JSON", async () => {
    const store = viewerStore({ colorBy: "gene", gene: "ERBB2", swipe: 0.25 });
    store.setState({ groups: [group("Stroma", 3)], selection: cells(7) });
    const written = JSON.stringify(await viewToJson(store.getState(), N));

    const other = viewerStore({ layer: "counts" });
    await openSavedView(other, JSON.parse(written), N);
    const { colorBy, gene, swipe, layer, groups, selection } = other.getState();
    expect({ colorBy, gene, swipe, layer }).toEqual({
      colorBy: "gene",
      gene: "ERBB2",
      swipe: 0.25,
      layer: "rate",
    });
    expect(groups).toMatchObject([looks("Stroma", 3)]);
    expect(selection).toEqual(cells(7));
  });

  it("keeps existing groups, and renames saved groups whose name is taken", async () => {
    const store = viewerStore();
    store.setState({ groups: [group("A", 2), group("B", 3)] });
    const written = await viewToJson(store.getState(), N);
    const sameA = { ...group("A", 2), color: "#000000" };
    store.setState({ groups: [group("B", 5), group("C", 7), sameA], selection: cells(2) });
    for (let time = 0; time < 2; time++) {
      await openSavedView(store, written, N);
      const { groups } = store.getState();
      expect(groups).toMatchObject([
        looks("B", 5),
        looks("C", 7),
        looks("A", 2),
        looks("B (2)", 3),
      ]);
    }
  });

  it("shortens a long name to fit its number", async () => {
    const store = viewerStore();
    const name = "x".repeat(80);
    store.setState({ groups: [group(name, 2)] });
    const written = await viewToJson(store.getState(), N);
    store.setState({ groups: [group(name, 3)] });
    await openSavedView(store, written, N);
    expect(store.getState().groups[1]!.name).toBe(`${name.slice(4)} (2)`);
  });

  it("replaces the selection in a way that can be undone", async () => {
    const store = viewerStore();
    const written = await viewToJson(store.getState(), N);
    await openSavedView(store, written, N);
    expect(store.getState().earlierSelections).toEqual([]);
    store.setState({ selection: cells(2) });
    await openSavedView(store, written, N);
    expect(store.getState().selection).toBeNull();
    undoSelection(store);
    expect(store.getState().selection).toEqual(cells(2));
  });

  it("is rejected as a whole for different cells or another version", async () => {
    const store = viewerStore();
    const written = await viewToJson(store.getState(), N);
    const before = store.getState();
    await expect(openSavedView(store, written, N + 1)).rejects.toThrow("1,000 cells");
    await expect(openSavedView(store, { ...written, version: 2 }, N)).rejects.toThrow();
    await expect(openSavedView(store, {}, N)).rejects.toThrow();
    expect(store.getState()).toBe(before);
  });
});
