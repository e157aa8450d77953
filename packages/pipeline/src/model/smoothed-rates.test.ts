import { RATE_SOURCES, type RateSource } from "@stipple/contract";
import { expect, it } from "vitest";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { rowSums, transpose } from "@stipple/numerics/sparse";
import { rowsOf } from "@stipple/numerics/sparse-rows";
import { cellsFrom, ratesFrom, type HeldRates } from "./rates.ts";

/** Two spots with 10 and 40 UMIs of three genes; four cells, the last of them beyond the reach of any spot. */
const COUNTS: SparseMatrix = {
  nRows: 2,
  nCols: 3,
  indptr: Uint32Array.of(0, 2, 5),
  indices: Uint32Array.of(0, 1, 0, 1, 2),
  data: Float32Array.of(4, 6, 10, 10, 20),
};
const PROFILE = [1, 2, 3];

function rates(source: RateSource[], ownBins = false, counts = COUNTS): HeldRates {
  return ratesFrom({
    membership: { nRows: 4, nCols: 1, data: Float32Array.of(1, 1, 2, 1) },
    profile: { nRows: 1, nCols: 3, data: Float32Array.from(PROFILE) },
    exposure: { nRows: counts.nRows, nCols: 1, data: exposed(counts.nRows) },
    nearSpot: { nRows: 4, nCols: 2, data: Int32Array.of(0, 1, 1, 0, 0, -1, -1, -1) },
    nearWeight: { nRows: 4, nCols: 2, data: Float32Array.of(0.75, 0.25, 0.5, 0.5, 1, 0, 0, 0) },
    spotTotals: rowSums(counts),
    source: Uint8Array.from(source, (name) => RATE_SOURCES.indexOf(name)),
    shape: Float32Array.of(10, 10, 10),
    ownBins,
    spotCounts: rowsOf(counts),
    geneCounts: rowsOf(transpose(counts)),
  });
}

function exposed(nSpots: number): Float32Array {
  const data = new Float32Array(nSpots);
  data.set([2, 5]);
  return data;
}

/** The same spots among so many empty ones that their rows are read only once or twice, like those of bins. */
const AMONG_MANY: SparseMatrix = {
  ...COUNTS,
  nRows: 20,
  indptr: Uint32Array.from({ length: 21 }, (_, row) => COUNTS.indptr[Math.min(row, 2)]),
};

it.each([
  { name: "interpolated", sources: ["interpolation", "interpolation", "spot"], ownBins: true },
  { name: "by the model", sources: ["model", "model", "model"], ownBins: true },
  { name: "by the model, around spots", sources: ["model", "spot", "model"], ownBins: false },
] as const)("gives the same bits if rows are not worth caching: $name", async (each) => {
  const genes = Uint32Array.of(2, 0);
  const cells = cellsFrom(0, 4);
  const sources = [...each.sources];
  const kept = await rates(sources, each.ownBins).rows(cells, genes);
  expect(kept.some((rate) => rate > 0)).toBe(true);
  expect(await rates(sources, each.ownBins, AMONG_MANY).rows(cells, genes)).toEqual(kept);
});

it("reads counts in memory instead of stored ones", async () => {
  const stored = rates(["model", "interpolation", "spot"]);
  const doubled = { ...COUNTS, data: COUNTS.data.map((count) => 2 * count) };
  const held = stored.holding(doubled);
  for (const gene of [0, 1]) {
    const [before, after] = [await stored.rows([0]), await held.rows([0])];
    expect(after[gene]).toBeGreaterThan(before[gene]);
  }
});

it("interpolates the spots' shares, scaled to the cell's UMIs, or takes only the nearest spot's share", async () => {
  const { column } = rates(["interpolation", "model", "spot"]);
  // Totals of the model: 6, 6, 12, 6. Around the first cell there are 0.75 · 4 + 0.25 · 10 of 0.75 · 10 + 0.25 · 40
  // UMIs.
  const expected = [(6 * 5.5) / 17.5, (6 * 7) / 25, (12 * 4) / 10, PROFILE[0]];
  column(0).forEach((rate, cell) => expect(rate).toBeCloseTo(expected[cell], 5));
  expect([...column(2)]).toEqual([0, (6 * 20) / 40, 0, PROFILE[2]]);
  // Cells with bins of their own also get what their bins counted.
  const own = rates(["interpolation", "model", "spot"], true);
  expect(own.column(0)).toEqual(column(0));
  expect((await own.rows([0]))[0]).toBeCloseTo(expected[0], 5);
});

it("leaves the model's genes unchanged, whatever the source of the others", () => {
  const gene = 1;
  const model = rates(["model", "model", "model"]).column(gene);
  expect(rates(["interpolation", "model", "spot"]).column(gene)).toEqual(model);
});

it.each<RateSource[][]>([
  [["interpolation", "model", "spot"]],
  [["interpolation", "interpolation", "spot"]],
])("gives the same rates by block of cells, for all genes and for some: %s", async (sources) => {
  const given = rates(sources);
  const columns = [0, 1, 2].map((gene) => given.column(gene));
  const all = await given.rows(cellsFrom(0, 4));
  const some = await given.rows(cellsFrom(0, 4), Uint32Array.of(2, 0));
  for (let cell = 0; cell < 4; cell++) {
    columns.forEach((column, gene) => expect(all[cell * 3 + gene]).toBeCloseTo(column[cell], 5));
    expect(some[cell * 2]).toBeCloseTo(columns[2][cell], 5);
    expect(some[cell * 2 + 1]).toBeCloseTo(columns[0][cell], 5);
  }
});
