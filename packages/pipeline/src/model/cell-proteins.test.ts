import type { SparseMatrix } from "@stipple/numerics/matrices";
import { expect, it } from "vitest";
import { cellProteins, normalizedProteins } from "./cell-proteins.ts";

/** Three spots, three proteins: 9 0 99 / 0 0 0 / 4 4 4. */
const COUNTS: SparseMatrix = {
  nRows: 3,
  nCols: 3,
  indptr: Uint32Array.of(0, 2, 2, 5),
  indices: Uint32Array.of(0, 2, 0, 1, 2),
  data: Float32Array.of(9, 99, 4, 4, 4),
};
/** The geometric mean of 1 + 9, 1 + 0, and 1 + 99. */
const MEAN = 10;
const [NINE, MANY, FOUR] = [Math.log1p(9 / MEAN), Math.log1p(99 / MEAN), Math.log1p(4 / 5)];

const close = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 5));

it("divides each spot's counts by their geometric mean; zeros and empty spots stay zero", () => {
  expect([...normalizedProteins(COUNTS).data]).toEqual(close([NINE, MANY, FOUR, FOUR, FOUR]));
});

it("is the same at any depth, up to the pseudocount", () => {
  const data = COUNTS.data.map((count) => 1000 * (count + 1));
  const deeper = data.map((count) => 8 * count);
  const [some, more] = [data, deeper].map((counts) =>
    normalizedProteins({ ...COUNTS, data: counts, indptr: Uint32Array.of(0, 0, 0, 5), nCols: 5 }),
  );
  expect([...more.data]).toEqual([...some.data].map((value) => expect.closeTo(value, 3)));
});

it("averages the spots around each cell by weight; cells without any have no values", () => {
  const spot = { nRows: 3, nCols: 2, data: Int32Array.of(0, 2, 1, -1, -1, -1) };
  const weight = { nRows: 3, nCols: 2, data: Float32Array.of(0.75, 0.25, 1, 0, 0, 0) };
  const proteins = cellProteins(["A", "B", "C"], COUNTS, { spot, weight });
  const columns = [0, 1, 2].map((protein) => [...proteins.column(protein)]);
  const first = [0.75 * NINE + 0.25 * FOUR, 0.25 * FOUR, 0.75 * MANY + 0.25 * FOUR];
  expect(columns).toEqual(close(first).map((value) => [value, 0, NaN]));
});
