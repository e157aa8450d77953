import { expect, it } from "vitest";
import { keepColumns, keepRows, transpose } from "./sparse.ts";

/** 3 × 4: [[1, 0, 2, 0], [0, 0, 0, 3], [4, 5, 0, 0]]. */
const matrix = {
  nRows: 3,
  nCols: 4,
  indptr: Uint32Array.of(0, 2, 3, 5),
  indices: Uint32Array.of(0, 2, 3, 0, 1),
  data: Float32Array.of(1, 2, 3, 4, 5),
};

it("empties rows and keeps the shape", () => {
  expect(keepRows(matrix, Uint8Array.of(0, 1, 1))).toEqual({
    ...matrix,
    indptr: Uint32Array.of(0, 0, 1, 3),
    indices: Uint32Array.of(3, 0, 1),
    data: Float32Array.of(3, 4, 5),
  });
});

it.each([false, true])("empties columns and keeps the shape, shared: %s", (shared) => {
  const kept = keepColumns(matrix, Uint8Array.of(1, 0, 0, 1), { shared });
  expect(kept.indices.buffer instanceof SharedArrayBuffer).toBe(shared);
  expect({ ...kept, indices: [...kept.indices], data: [...kept.data] }).toEqual({
    ...matrix,
    indptr: Uint32Array.of(0, 1, 2, 3),
    indices: [0, 3, 0],
    data: [1, 3, 4],
  });
});

it("gives the same matrix when transposed twice", () => {
  const turned = transpose(matrix);
  expect([turned.nRows, turned.nCols]).toEqual([4, 3]);
  expect(transpose(turned)).toEqual(matrix);
});
