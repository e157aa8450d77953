import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Polygons } from "@stipple/numerics/matrices";
import { areasOf, packRings } from "@stipple/numerics/rings";
import { afterAll, expect, it } from "vitest";
import { nucleiBeforeEdits, writeEditedNuclei, type NucleusEdit } from "./edited-nuclei.ts";
import { readGeoJsonOutlines } from "./geojson-outlines.ts";

const folder = await mkdtemp(join(tmpdir(), "stipple-edits-"));
afterAll(() => rm(folder, { recursive: true }));
const path = join(folder, "edited.geojson");

const rect = (x: number, width: number): [number, number][] => [
  [x, 0],
  [x + width, 0],
  [x + width, 10],
  [x, 10],
];
/** Four nuclei of 10 × 10 px. */
const nuclei = packRings([0, 10, 40, 60].map((x) => rect(x, 10).flat()));
const areas = (polygons: Polygons): number[] => [...areasOf(polygons)];
const EDITS: NucleusEdit[] = [
  { removed: [0, 1], added: [rect(0, 20)] },
  { removed: [2], added: [rect(40, 4), rect(44, 6)] },
  { removed: [3], added: [] },
  { removed: [], added: [rect(80, 5)] },
];

it("merges, splits, deletes, and adds: the others stay, and areas are kept", async () => {
  expect(await writeEditedNuclei(path, nuclei, EDITS)).toEqual({ before: 4, after: 4 });
  const { cells, nuclei: inner } = await readGeoJsonOutlines(path);
  expect(inner).toBeNull();
  expect(areas(cells)).toEqual([200, 40, 60, 50]);
  expect(await nucleiBeforeEdits(path)).toEqual(nuclei);
  await writeEditedNuclei(path, nuclei, [EDITS[1]!]);
  expect(areas((await readGeoJsonOutlines(path)).cells)).toEqual([100, 100, 100, 40, 60]);
});

it("refuses edits of what is not there, and of everything", async () => {
  const write = (...edits: NucleusEdit[]) => writeEditedNuclei(path, nuclei, edits);
  await expect(write({ removed: [4], added: [] })).rejects.toThrow(
    "changes nucleus 4, but there are 4",
  );
  await expect(write({ removed: [0, 1, 2, 3], added: [] })).rejects.toThrow("delete every nucleus");
});

it("knows no edits in a file without any", async () => {
  await writeEditedNuclei(path, nuclei, []);
  expect(await nucleiBeforeEdits(path)).toBeNull();
});
