import type { MarkerTable } from "@stipple/contract/statistical-facts";
import { expect, it } from "vitest";
import { chosenRows, markerRows, markersCsv } from "./marker-rows.ts";

const group = (name: string, genes: string[], folds: number[]) => ({
  group: name,
  cells: 10,
  genes,
  scores: folds,
  pvals: folds,
  pvalsAdj: folds,
  logFoldChanges: folds,
  auc: folds.map((fold) => 0.5 + fold / 10),
  cohensD: folds,
  minCohensD: folds,
  fraction: folds.map(() => 0.5),
  fractionOthers: folds.map(() => 0.25),
});
const table: MarkerTable = {
  groupBy: "cell_type",
  testedCells: 20,
  testedSpots: 10,
  testedGenes: 3,
  groups: [group("T cell", ["CD3E", "CD8A"], [2, 1]), group("B cell", ["MS4A1", "CD8A"], [3, -1])],
};
const rows = markerRows(table, (gene) => gene !== "CD8A");
const nameOf = (name: string) => (name === "B cell" ? "=B" : name);
const all = { search: "", group: null, reliableOnly: false };
const shown = (found: typeof rows) => found.map(({ group: of, gene }) => `${of} ${gene}`);

it("lists and filters the genes of all groups", () => {
  expect(shown(chosenRows(rows, all))).toEqual([
    "T cell CD3E",
    "T cell CD8A",
    "B cell MS4A1",
    "B cell CD8A",
  ]);
  expect(shown(chosenRows(rows, { ...all, search: "cd" }))).toEqual([
    "T cell CD3E",
    "T cell CD8A",
    "B cell CD8A",
  ]);
  expect(shown(chosenRows(rows, { ...all, group: "B cell", reliableOnly: true }))).toEqual([
    "B cell MS4A1",
  ]);
});

it("writes a CSV file without executable spreadsheet formulas", async () => {
  const csv = await (await markersCsv(rows, nameOf)).text();
  expect(csv.split("\r\n").slice(0, 4)).toEqual([
    "group,gene,log2_fold_change,auc,fraction,fraction_others,reliable",
    "T cell,CD3E,2,0.7,0.5,0.25,1",
    "T cell,CD8A,1,0.6,0.5,0.25,0",
    "'=B,MS4A1,3,0.8,0.5,0.25,1",
  ]);
});
