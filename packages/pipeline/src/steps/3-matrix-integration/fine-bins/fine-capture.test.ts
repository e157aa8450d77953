import { expect, it } from "vitest";
import type { Matrix, Polygons, SparseMatrix } from "@stipple/numerics/matrices";
import { captureMatrix } from "../capture-matrix.ts";
import type { BinGrid } from "./bin-grid.ts";
import { binOwners, type BinOwners } from "./bin-owners.ts";
import { fineCapture } from "./fine-capture.ts";

/** Adjacent square cells, each of `side` × `side` fine bins of 2 µm, at 1 µm per pixel. */
function paved(perSide: number, side: number) {
  const nCells = perSide * perSide;
  const grid: BinGrid = {
    rows: perSide * side,
    cols: perSide * side,
    firstRow: 0,
    firstCol: 0,
    largerBin: () => 0,
    place: (xy) => Float64Array.from(xy, (um) => um / 2),
  };
  const corners = Array.from({ length: nCells }, (_, cell) => [
    2 * side * (cell % perSide),
    2 * side * Math.floor(cell / perSide),
  ]);
  const outlines: Polygons = {
    offsets: Uint32Array.from({ length: nCells + 1 }, (_, i) => 4 * i),
    xy: Float32Array.from(
      corners.flatMap(([x, y]) => [
        x,
        y,
        x + 2 * side,
        y,
        x + 2 * side,
        y + 2 * side,
        x,
        y + 2 * side,
      ]),
    ),
  };
  const cellXy: Matrix<Float32Array> = {
    nRows: nCells,
    nCols: 2,
    data: Float32Array.from(corners.flatMap(([x, y]) => [x + side, y + side])),
  };
  const owners = binOwners(
    grid,
    { nuclei: outlines, outlines, xy: cellXy, may: new Uint8Array(nCells).fill(1) },
    0,
  );
  const areaUm2 = new Float64Array(nCells).fill((2 * side) ** 2);
  return { grid, owners, outlines, cellXy, areaUm2 };
}

function entry({ indptr, indices, data }: SparseMatrix, row: number, column: number): number {
  const at = indices.subarray(indptr[row], indptr[row + 1]).indexOf(column);
  return at < 0 ? 0 : data[indptr[row] + at];
}

function ofColumn(matrix: SparseMatrix, column: number): number {
  let sum = 0;
  matrix.indices.forEach((cell, e) => (sum += cell === column ? matrix.data[e] : 0));
  return sum;
}

it("leaves each cell its own bins when there is no bleed", async () => {
  const capture = await fineCapture({ ...paved(5, 4), bleed: { beta: 0, lengthUm: 8 } });
  expect([...capture.indices]).toEqual(Array.from({ length: 25 }, (_, cell) => cell));
  capture.data.forEach((share) => expect(share).toBeCloseTo(1, 6));
});

it.each([4, 8, 20])(
  "distributes all of a cell's RNA when surrounding bins belong to cells, over %f µm",
  async (lengthUm) => {
    const perSide = Math.ceil((7 * lengthUm) / 8);
    const capture = await fineCapture({
      ...paved(perSide, 4),
      bleed: { beta: 0.3, lengthUm },
    });
    const middle = Math.floor(perSide / 2) * (perSide + 1);
    expect(ofColumn(capture, middle)).toBeCloseTo(1, 1);
    // Its own bins capture 0.7, plus the largest part of what bleeds out.
    expect(entry(capture, middle, middle)).toBeGreaterThan(0.7);
    expect(entry(capture, middle, middle + 1)).toBeGreaterThan(0);
    expect(entry(capture, middle, middle + 1)).toBeGreaterThan(entry(capture, middle, middle + 2));
  },
);

it("matches what larger bins capture if these are whole cells", async () => {
  const { grid, owners, outlines, cellXy, areaUm2 } = paved(7, 4);
  const bleed = { beta: 0.25, lengthUm: 16 };
  const scale = { micronsPerPixel: 1, spotSizeUm: 8, spotShape: "square" } as const;
  const spots = { ...cellXy, data: Float64Array.from(cellXy.data) };
  const { weights } = await captureMatrix({ spots, cellXy, polygons: outlines, scale, bleed });
  const capture = await fineCapture({ grid, owners, cellXy, areaUm2, bleed });
  for (const cell of [24, 25, 17]) {
    for (let other = 0; other < 49; other++) {
      const far = Math.hypot(
        (cell % 7) - (other % 7),
        Math.floor(cell / 7) - Math.floor(other / 7),
      );
      // The kernel peaks at the nucleus, where 8 µm bins evaluate it only at their center.
      const within = far === 0 ? 0.02 : 0.003;
      expect(Math.abs(entry(capture, other, cell) - entry(weights, other, cell))).toBeLessThan(
        within,
      );
    }
  }
});

it("gives a cell without bins only what its neighbors' bins capture of it", async () => {
  const whole = paved(3, 4);
  const owners: BinOwners = {
    ...whole.owners,
    owner: whole.owners.owner.map((cell) => (cell === 4 ? -1 : cell)),
  };
  const capture = await fineCapture({ ...whole, owners, bleed: { beta: 0.25, lengthUm: 8 } });
  expect(capture.indptr[5]).toBe(capture.indptr[4]);
  expect(ofColumn(capture, 4)).toBeGreaterThan(0);
  expect(ofColumn(capture, 4)).toBeLessThan(0.25);
});

it("stops when canceled", async () => {
  const signal = AbortSignal.abort();
  const given = { ...paved(3, 4), bleed: { beta: 0.25, lengthUm: 8 }, signal };
  await expect(fineCapture(given)).rejects.toThrow("canceled");
});
