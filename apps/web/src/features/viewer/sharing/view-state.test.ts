import { describe, expect, it } from "vitest";
import { cellSet } from "../selection/cell-set.ts";
import { viewerStore } from "../state/viewer-store.ts";
import { openSavedView, viewToJson } from "./view-state.ts";

const N = 1000;
const cells = (step: number) => cellSet(N, (cell) => cell % step === 0);
const group = (id: number, name: string, step: number) => ({
  id,
  name,
  color: "#aa00bb",
  cells: cells(step),
});

describe("a saved view", () => {
  it("brings picture, groups and selection back, through JSON", async () => {
    const store = viewerStore({ colorBy: "gene", gene: "ERBB2", swipe: 0.25 });
    store.setState({ groups: [group(1, "Stroma", 3)], selection: cells(7) });
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
    expect(groups).toEqual([group(1, "Stroma", 3)]);
    expect(selection).toEqual(cells(7));
  });

  it("replaces groups of the same name and keeps the others, each with an id of its own", async () => {
    const store = viewerStore();
    store.setState({ groups: [group(1, "A", 2), group(2, "B", 3)] });
    const written = await viewToJson(store.getState(), N);
    store.setState({ groups: [group(4, "B", 5), group(9, "C", 7)], selection: cells(2) });
    await openSavedView(store, written, N);
    const { groups, selection } = store.getState();
    expect(groups.map(({ name, cells: set }) => [name, set.count])).toEqual([
      ["C", Math.ceil(N / 7)],
      ["A", N / 2],
      ["B", Math.ceil(N / 3)],
    ]);
    expect(new Set(groups.map(({ id }) => id)).size).toBe(3);
    expect(selection).toBeNull();
  });

  it("is refused whole when it is of other cells or of another version", async () => {
    const store = viewerStore();
    const written = await viewToJson(store.getState(), N);
    const before = store.getState();
    await expect(openSavedView(store, written, N + 1)).rejects.toThrow("1,000 cells");
    await expect(openSavedView(store, { ...written, version: 2 }, N)).rejects.toThrow();
    await expect(openSavedView(store, {}, N)).rejects.toThrow();
    expect(store.getState()).toBe(before);
  });
});
