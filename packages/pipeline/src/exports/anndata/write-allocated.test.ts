import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as h5wasm from "h5wasm/node";
import { afterAll, expect, it } from "vitest";
import { openTasks } from "@stipple/tasks/open-tasks";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { expectedCounts } from "../../model/expected-counts.ts";
import { Random } from "@stipple/numerics/random";
import { rowsOf } from "@stipple/numerics/sparse-rows";
import { AnnDataFile } from "../h5ad/anndata-file.ts";
import { writeAllocated } from "./write-allocated.ts";

const folder = await mkdtemp(join(tmpdir(), "stipple-allocated-"));
afterAll(() => rm(folder, { recursive: true }));

const [nSpots, nCells, nGenes, k] = [40, 4_400, 30, 4];

it.each([
  { kind: "cells of one spot each", perCell: 1 },
  { kind: "cells of two bins each", perCell: 2 },
])("writes the same values on the caller's thread and on two threads: $kind", async (each) => {
  const random = new Random(3);
  const drawn = (length: number): Float32Array =>
    Float32Array.from({ length }, () => (random.uniform() < 0.3 ? 0 : random.gamma(0.5)));
  const spotCounts = sparse(nSpots, nGenes, () => Math.floor(3 * random.gamma(0.5)));
  const sharing = sparse(nSpots, nCells, (spot, cell) =>
    (cell - spot + nSpots) % nSpots < each.perCell ? 0.5 + random.uniform() : 0,
  );
  const expected = expectedCounts({
    sharing,
    membership: drawn(nCells * k),
    profile: drawn(k * nGenes),
    k,
    nGenes,
    spotCounts: rowsOf(spotCounts),
  });
  const write = async (name: string, threads: number): Promise<unknown[]> => {
    await using tasks = openTasks({ threads, anyWork: true });
    const file = await AnnDataFile.create(join(folder, name));
    file.group("layers");
    const options = { maxEntries: 8_000, tasks, spotCounts };
    const signal = new AbortController().signal;
    const least = await writeAllocated(expected, [file], {
      ...options,
      signal,
      progress: () => undefined,
    });
    expect(least).toBeGreaterThan(0);
    await file.finish();
    const read = new h5wasm.File(join(folder, name), "r");
    const parts = ["indptr", "indices", "data"].map(
      (part) => (read.get(`layers/allocated/${part}`) as h5wasm.Dataset).value,
    );
    read.close();
    return parts;
  };
  const alone = await write(`alone${each.perCell}.h5ad`, 1);
  expect(await write(`threads${each.perCell}.h5ad`, 2)).toEqual(alone);
});

function sparse(
  nRows: number,
  nCols: number,
  valueOf: (row: number, column: number) => number,
): SparseMatrix {
  const indptr = new Uint32Array(nRows + 1);
  const indices: number[] = [];
  const data: number[] = [];
  for (let row = 0; row < nRows; row++) {
    for (let column = 0; column < nCols; column++) {
      const value = valueOf(row, column);
      if (value === 0) continue;
      indices.push(column);
      data.push(value);
    }
    indptr[row + 1] = indices.length;
  }
  return {
    nRows,
    nCols,
    indptr,
    indices: Uint32Array.from(indices),
    data: Float32Array.from(data),
  };
}
