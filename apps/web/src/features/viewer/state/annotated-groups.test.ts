import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import { cellSet } from "@stipple/viewer/cells";
import type { Cells } from "@stipple/viewer/source";
import { expect, it } from "vitest";
import { annotatedGroups, isMerged } from "./annotated-groups.ts";
import { shownGroups } from "./shown-groups.ts";
import type { GroupEdits } from "./shown-state.ts";
import { viewerStore, type AssignedCells } from "./viewer-store.ts";

const group = (name: string, count: number) => ({ name, color: "#000000", count });
const manifest = {
  nCells: 6,
  types: [group("T cell", 2), group("B cell", 2), group("Neuron", 1)],
  clusters: [group("0", 6)],
  domains: [],
} as unknown as ViewerManifest;
const cells = {
  type: Uint16Array.of(0, 0, 1, 1, 2, 65_535),
  cluster: new Uint16Array(6),
} as unknown as Cells;
const of = (type: GroupEdits, assigned: AssignedCells[] = []) => {
  const { edits } = viewerStore().getState();
  return annotatedGroups(manifest, cells, { edits: { ...edits, type }, assigned });
};
const assigned = (type: string, ...chosen: number[]): AssignedCells => ({
  id: type,
  type,
  color: "#ff0000",
  cells: cellSet(6, (cell) => chosen.includes(cell)),
});

it("changes nothing without a merge or an assignment", () => {
  const same = of({ "T cell": { name: "CD8" } });
  expect(same.manifest).toBe(manifest);
  expect(same.cells).toBe(cells);
});

it("merges types that share a name into the one that had it first, with its index and color", () => {
  const { manifest: next, cells: now, regrouped } = of({ "T cell": { name: "B cell" } });
  expect([...now.type]).toEqual([1, 1, 1, 1, 2, 65_535]);
  expect(next.types.map(({ count }) => count)).toEqual([0, 4, 1]);
  expect(next.clusters).toBe(manifest.clusters);
  expect([...regrouped]).toEqual(["type"]);
  const shown = shownGroups(next, "type", { "T cell": { name: "B cell" } });
  expect(shown.map((one) => isMerged(one, shown))).toEqual([true, false, false]);

  const both = of({ "T cell": { name: "Lymphocyte" }, "B cell": { name: "Lymphocyte" } });
  expect(both.manifest.types.map(({ count }) => count)).toEqual([4, 0, 1]);
  // Two types that change names are not merged.
  expect(of({ "T cell": { name: "B cell" }, "B cell": { name: "T cell" } }).cells).toBe(cells);
});

it("gives cells the type a person set: the last one counts, and new types follow the others", () => {
  const { manifest: next, cells: now } = of({ Neuron: { name: "Purkinje cell" } }, [
    assigned("Granule cell", 0, 1, 5),
    assigned("Purkinje cell", 1),
    assigned("B cell", 4),
    assigned("Granule cell", 2),
  ]);
  expect([...now.type]).toEqual([3, 2, 3, 1, 1, 3]);
  expect(next.types).toEqual([
    group("T cell", 0),
    group("B cell", 2),
    { ...group("Neuron", 1) },
    { name: "Granule cell", color: "#ff0000", count: 3 },
  ]);
  // A type is also meant by its original name, and by the type it was merged into.
  const merged = of({ "T cell": { name: "B cell" } }, [assigned("T cell", 4)]);
  expect([...merged.cells.type]).toEqual([1, 1, 1, 1, 1, 65_535]);
  // New types are merged like others, also into each other.
  const renamed = of({ Mast: { name: "B cell" }, Pro: { name: "Glia" } }, [
    assigned("Mast", 4),
    assigned("Glia", 0),
    assigned("Pro", 1),
    assigned("Mast", 5),
  ]);
  expect([...renamed.cells.type]).toEqual([4, 4, 1, 1, 1, 1]);
  expect(renamed.manifest.types.slice(3).map(({ count }) => count)).toEqual([0, 2, 0]);
});
