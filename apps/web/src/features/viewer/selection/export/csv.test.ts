import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import { expect, it } from "vitest";
import { cellSet } from "@stipple/viewer/cells";
import { cellsTable } from "./cells-table.ts";
import { csvFile } from "./csv.ts";

it("writes numbers with float32 precision", async () => {
  const numbers = [0.1, -2, 1e-9, 0, NaN, Infinity].map(Math.fround);
  const file = await csvFile(["n"], numbers.length, (at) => [numbers[at]!]);
  expect((await file.text()).split("\r\n")).toEqual(["n", "0.1", "-2", "1e-9", "0", "", "", ""]);
});

it("writes tables with many rows, and stops when aborted", async () => {
  const file = await csvFile(["n", "a,b"], 10_000, (at) => [at, "x"]);
  const lines = (await file.text()).split("\r\n");
  expect(lines).toHaveLength(10_002);
  expect(lines[0]).toBe('n,"a,b"');
  expect(lines[9_999]).toBe("9998,x");
  expect(lines.at(-1)).toBe("");
  const slow = (at: number) => {
    const until = performance.now() + (at % 2048 === 0 ? 50 : 0);
    while (performance.now() < until);
    return ["x"];
  };
  const stopped = new Error("stopped");
  await expect(
    csvFile(["n"], 10_000, slow, { signal: AbortSignal.abort(stopped) }),
  ).rejects.toThrow("stopped");
});

it("writes one row per cell, with the user's names", async () => {
  const manifest = {
    nCells: 2,
    micronsPerPixel: 0.5,
    tissue: { scale: 2 },
    types: [
      { name: "T cell", color: "#000000", count: 1 },
      { name: "B cell", color: "#000000", count: 1 },
    ],
    clusters: [{ name: "1", color: "#000000", count: 2 }],
    domains: [],
  } as unknown as ViewerManifest;
  const cells = {
    xy: Float32Array.from([1, 2, 10.126, 20]),
    umap: Float32Array.from([-1.5, 0.25, 3, 4]),
    type: Uint16Array.from([1, 65_535]),
    cluster: Uint16Array.from([0, 0]),
    domain: undefined,
    evidence: undefined,
    imageQuality: undefined,
    observed: Uint8Array.from([1, 0]),
  };
  const columns = cellsTable({
    manifest,
    cells: { ...cells, type: Uint16Array.from([1, 0]) },
    computed: { manifest, cells },
    edits: {
      type: { "B cell": { name: "=B, mine" } },
      cluster: {},
      domain: {},
      own: {},
      evidence: {},
      imageQuality: {},
    },
    groups: [
      { id: "rim", name: "Rim", color: "#000000", cells: cellSet(2, () => true) },
      { id: "core", name: "Core", color: "#000000", cells: cellSet(2, (cell) => cell === 1) },
    ],
    selection: cellSet(2, (cell) => cell === 0),
    measures: [{ name: "cells.confidence", values: Float32Array.from([0.9, NaN]) }],
    values: [
      { name: "CD3E (rate)", values: Float32Array.from([0, 7]), observedOnly: false },
      { name: "CD3E (counts)", values: Float32Array.from([2, 0]), observedOnly: true },
    ],
  });
  expect(columns.map(({ name }) => name).join()).toBe(
    "cell,type,computed_type,cluster,groups,selected,x_um,y_um,umap_1,umap_2,in_spot,confidence,CD3E (rate),CD3E (counts)",
  );
  const file = await csvFile(
    columns.map(({ name }) => name),
    2,
    (cell) => columns.map(({ field }) => field(cell)),
  );
  const [, ...rows] = (await file.text()).split("\r\n");
  expect(rows[0]).toBe('cell_1,"\'=B, mine",B cell,1,Rim,1,1,2,-1.5,0.25,1,0.9,0,2');
  expect(rows[1]).toBe("cell_2,T cell,,1,Rim; Core,0,10.13,20,3,4,0,,7,");
});
