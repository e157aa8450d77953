import type { DifferentialTable } from "@stipple/contract/routes/visualization";
import { expect, it } from "vitest";
import type { ViewServer } from "../../../../project/view/view-server.ts";
import { viewerStore } from "../../state/viewer-store.ts";
import { bytesOfBase64 } from "../base64.ts";
import { cellSet, cellSetOfBits, cellsOf } from "@stipple/viewer/cells";
import { compare, comparisonNote, comparisonOf } from "./comparison.ts";
import { inOrder } from "../../gene-lists/use-ordered.ts";
import { geneRows, genesCsv, geneValue, type GeneColumn } from "./gene-rows.ts";
import { numberWithin } from "./number-text.ts";
import { geneLabels, minusLog10P, volcanoPoints } from "./volcano-points.ts";

const TABLE: DifferentialTable = {
  cells_a: 10,
  cells_b: 20,
  sampled: false,
  genes: ["CD3E", "EPCAM", "ACTB", "CD10"],
  spots: 120,
  t: [9, -6, 0.1, 1],
  pvalue: [1e-18, 1e-9, 0.9, 0.3],
  fdr: [4e-18, 2e-9, 0.9, 0.4],
  log2_fold_change: [3, -2, 0.1, 4],
  auc: [0.9, 0.2, 0.5, 0.6],
  fraction_a: [0.9, 0.1, 1, 0.2],
  fraction_b: [0.1, 0.8, 1, 0.1],
  reliable: [true, true, false, false],
};
const THRESHOLDS = { fdr: 0.05, change: 0.5 };

it("sorts, searches, and filters genes", () => {
  const all = geneRows(TABLE, "", null);
  const rows = (by: GeneColumn, descending = false) =>
    inOrder(all, (row) => geneValue(TABLE, row, by), descending).map((row) => TABLE.genes[row]);
  expect(rows("log2_fold_change", true)).toEqual(["CD10", "CD3E", "ACTB", "EPCAM"]);
  expect(rows("gene")).toEqual(["ACTB", "CD3E", "CD10", "EPCAM"]);
  expect(rows("reliable", true)).toEqual(["CD3E", "EPCAM", "ACTB", "CD10"]);
  expect(geneRows(TABLE, " cd", null)).toEqual([0, 3]);
  expect(geneRows(TABLE, "", THRESHOLDS)).toEqual([0, 1]);
});

it("puts a gene on neither side if cells and spots contradict each other", () => {
  const contrary = { ...TABLE, t: [-9, -6, 0.1, 1] };
  expect(geneRows(contrary, "", THRESHOLDS)).toEqual([1]);
});

it("writes the whole table", async () => {
  const text = await (await genesCsv("=A", "B, rest", TABLE)).text();
  const lines = text.trimEnd().split("\r\n");
  expect(lines[0]).toBe(
    "gene,log2_fold_change,auc,fdr,pvalue,t,fraction_a,fraction_b,reliable,a,b",
  );
  expect(lines[1]).toBe(`CD3E,3,0.9,4e-18,1e-18,9,0.9,0.1,1,'=A,"B, rest"`);
  expect(lines).toHaveLength(5);
});

it("places genes, including those whose p-value underflows", () => {
  const points = volcanoPoints(TABLE, THRESHOLDS);
  expect([...points.side]).toEqual([1, -1, 0, 0]);
  expect(points.significantY).toBeCloseTo(9);
  expect([points.mostX, points.oneSided]).toEqual([3 * 1.05, false]);
  const oneSided = volcanoPoints({ ...TABLE, fraction_b: [0, 0.8, 1, 0.1] }, THRESHOLDS);
  expect([oneSided.mostX, oneSided.oneSided]).toEqual([2 * 1.05, true]);
  expect(minusLog10P(1.524e-23, 10, 1000)).toBeCloseTo(22.817, 3);
  // -(scipy.stats.t.logsf(t, df) + log(2)) / log(10) of SciPy: a tail heavier than the normal one.
  expect(minusLog10P(0, 30, 100)).toBeCloseTo(51.0767, 2);
  expect(minusLog10P(0, 54, 1000)).toBeCloseTo(297.9556, 2);
  // Two-sided p of z = 10 is 1.524e-23 (R's pnorm).
  expect(minusLog10P(0, 10, 1e9)).toBeCloseTo(22.817, 1);
  expect(minusLog10P(0, 40, 3000)).toBeGreaterThan(minusLog10P(0, 39, 3000));
  expect(minusLog10P(1, 0, 1000)).toBe(0);
});

it("labels the genes that fit", () => {
  const points = volcanoPoints(TABLE, THRESHOLDS);
  const toPx = { x: (value: number) => 100 + 20 * value, y: (value: number) => 100 - value };
  const labels = geneLabels(TABLE.genes, points, toPx, { left: 0, right: 200, maxEachSide: 1 });
  expect(labels.map(({ row, anchor }) => [row, anchor])).toEqual([
    [0, "start"],
    [1, "end"],
  ]);
  const crowded = {
    ...points,
    x: points.x.fill(2),
    y: points.y.fill(5),
    side: points.side.fill(1),
  };
  // One to the right of the shared position, one to its left.
  expect(
    geneLabels(TABLE.genes, crowded, toPx, { left: 0, right: 200, maxEachSide: 9 }),
  ).toHaveLength(2);
});

it("leaves no label on the dot of another gene", () => {
  const points = volcanoPoints(TABLE, THRESHOLDS);
  const at = (genes: [number, number][]) => ({
    ...points,
    x: Float64Array.from(genes, ([x]) => x),
    y: Float64Array.from(genes, ([, y]) => y),
    side: Int8Array.from(genes, () => 1),
  });
  const toPx = { x: (value: number) => value, y: (value: number) => value };
  const labeled = (genes: [number, number][]) =>
    geneLabels(["CD3E", "EPCAM"], at(genes), toPx, { left: 0, right: 200, maxEachSide: 9 }).map(
      ({ row, anchor }) => [row, anchor],
    );
  // The second dot begins where the label at the right of the first would: both are labeled on the outside.
  expect(
    labeled([
      [100, 50],
      [104, 50],
    ]),
  ).toEqual([
    [0, "end"],
    [1, "start"],
  ]);
  // A dot just below the letters.
  expect(
    labeled([
      [100, 50],
      [115, 57],
    ]),
  ).toEqual([
    [0, "end"],
    [1, "start"],
  ]);
});

const N = 20;
const side = (name: string, ...cells: number[]) => ({
  name,
  cells: cellSet(N, (cell) => cells.includes(cell)),
});

it("says why two sides cannot be compared", () => {
  const a = side("A", 1, 2, 3).cells;
  expect(comparisonNote(null, null)?.prevents).toBe(true);
  expect(comparisonNote(a, null)).toBeNull();
  expect(comparisonNote(a, side("B", 2, 3).cells)?.prevents).toBe(true);
  expect(comparisonNote(a, side("B", 3, 4).cells)).toEqual({
    text: "1 cell is in both sets and counts only for A.",
    prevents: false,
  });
});

it("requests disjoint sets from the server and ignores canceled comparisons", async () => {
  const store = comparisonOf(viewerStore());
  const asked: (number[] | null)[] = [];
  let answer: (table: DifferentialTable) => void = () => undefined;
  let tell: (done: number) => void = () => undefined;
  const server = {
    differential(...[a, b, , progress]: Parameters<ViewServer["differential"]>) {
      tell = progress;
      for (const text of [a, b]) {
        asked.push(text === null ? null : [...cellsOf(cellSetOfBits(bytesOfBase64(text), N))]);
      }
      return new Promise<DifferentialTable>((resolve) => (answer = resolve));
    },
  } as unknown as ViewServer;

  const first = compare(store, server, side("A", 1, 2), side("B", 2, 19));
  expect(asked).toEqual([[1, 2], [19]]);
  expect(store.getState().running).toMatchObject({ done: null });
  tell(0.25);
  expect(store.getState().running).toMatchObject({ done: 0.25 });
  store.getState().running!.stop();
  tell(0.5);
  answer(TABLE);
  await first;
  expect(store.getState()).toMatchObject({ running: null, result: null, failed: null });

  const second = compare(store, server, side("A", 1), null);
  expect(asked.slice(2)).toEqual([[1], null]);
  answer(TABLE);
  await second;
  expect(store.getState()).toMatchObject({
    running: null,
    result: { a: "A", b: "All other cells", table: TABLE },
  });
});

it("accepts only thresholds within bounds", () => {
  const taken = ["0.05", "0", "1", " .5 ", "1.01", "-0.1", "", " ", "e"].map((text) =>
    numberWithin(text, 1),
  );
  expect(taken).toEqual([0.05, 0, 1, 0.5, null, null, null, null, null]);
});
