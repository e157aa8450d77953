import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Matrix, Polygons } from "@stipple/numerics/matrices";
import { Random } from "@stipple/numerics/random";
import { writeFineBins, type TestBin } from "../../../readers/hd-visium/testing/write-fine-bins.ts";
import { readPositions } from "../../../readers/space-ranger/read-positions.ts";
import { fineGrid, type BinGrid } from "./bin-grid.ts";
import { binOwners, OWNED_BY } from "./bin-owners.ts";
import { CellCounts } from "./cell-counts.ts";
import { shareFineBins, type FineBinRequest, lineFactors } from "./share-fine-bins.ts";

/** 8 µm bins in rows 10–19, columns 20–29, seen by a rotated and slightly tilted camera. */
function tilted(): { array: Matrix<Int32Array>; xy: Matrix<Float64Array> } {
  const array = new Int32Array(200);
  const xy = new Float64Array(200);
  for (let i = 0; i < 100; i++) {
    array.set([10 + Math.floor(i / 10), 20 + (i % 10)], 2 * i);
    xy.set(pictureOf(4 * (array[2 * i + 1] + 0.5), 4 * (array[2 * i] + 0.5)), 2 * i);
  }
  return { array: { nRows: 100, nCols: 2, data: array }, xy: { nRows: 100, nCols: 2, data: xy } };
}

/** Pixel of a fine column and row. */
function pictureOf(column: number, row: number): [number, number] {
  const w = 1 + 2e-4 * column - 1e-4 * row;
  return [(500 + 8 * column - 0.3 * row) / w, (900 + 0.3 * column + 8 * row) / w];
}

describe("fineGrid", () => {
  it("locates every fine bin from the larger ones, even in perspective", () => {
    const { array, xy } = tilted();
    const grid = fineGrid(array, xy, 4)!;
    expect(grid).toMatchObject({ rows: 40, cols: 40, firstRow: 40, firstCol: 80 });
    expect(grid.largerBin(39, 0)).toBe(90);
    // Without the last larger bin, and the four in the corner before it.
    const some = [...Array(99).keys()].filter((i) => i % 10 > 1 || i > 19);
    const pick = <T extends ArrayLike<number>>(data: T): number[] =>
      some.flatMap((i) => [data[2 * i], data[2 * i + 1]]);
    const part = fineGrid(
      { ...array, nRows: some.length, data: Int32Array.from(pick(array.data)) },
      { ...xy, nRows: some.length, data: Float64Array.from(pick(xy.data)) },
      4,
    )!;
    const at = (row: number, col: number): number | undefined => some[part.largerBin(row, col)];
    expect([at(39, 36), at(39, 35), at(7, 7), at(7, 8)]).toEqual([undefined, 98, undefined, 12]);
    for (const [column, row] of [
      [80, 40],
      [97.5, 63],
      [120, 80],
    ]) {
      const [u, v] = grid.place(pictureOf(column, row));
      expect(u).toBeCloseTo(column - 80, 1);
      expect(v).toBeCloseTo(row - 40, 1);
    }
  });

  it("returns null when the bins do not form a grid", () => {
    const { array, xy } = tilted();
    const random = new Random(1);
    xy.data.forEach((value, i) => (xy.data[i] = value + 200 * random.normal()));
    expect(fineGrid(array, xy, 4)).toBeNull();
    const one = { nRows: 1, nCols: 2 };
    expect(
      fineGrid({ ...one, data: Int32Array.of(1, 1) }, { ...one, data: Float64Array.of(5, 5) }, 4),
    ).toBeNull();
  });

  const real = resolve(
    import.meta.dirname,
    "../../../../../../../shared/data/visium-hd-layout/seurat_visium_hd/binned_outputs",
  );
  it.runIf(existsSync(real))("follows the positions that Space Ranger writes", async () => {
    const path = join(real, "square_008um/spatial/tissue_positions.parquet");
    const { arrayRow, arrayCol, x, y } = await readPositions({ path, format: "parquet" });
    const n = x.length;
    const pairs = (a: ArrayLike<number>, b: ArrayLike<number>): number[] =>
      Array.from({ length: 2 * n }, (_, i) => (i % 2 === 0 ? a : b)[i >> 1]);
    const xy = { nRows: n, nCols: 2, data: Float64Array.from(pairs(x, y)) };
    const array = { nRows: n, nCols: 2, data: Int32Array.from(pairs(arrayRow, arrayCol)) };
    const grid = fineGrid(array, xy, 4)!;
    const placed = grid.place(xy.data);
    let farthest = 0;
    for (let i = 0; i < n; i++) {
      const column = 4 * (arrayCol[i] + 0.5) - grid.firstCol;
      const row = 4 * (arrayRow[i] + 0.5) - grid.firstRow;
      farthest = Math.max(farthest, Math.hypot(placed[2 * i] - column, placed[2 * i + 1] - row));
    }
    // An affine map leaves an error of 0.02 fine bins, this one 10⁻⁶.
    expect(farthest).toBeLessThan(1e-4);
  });
});

/** A level grid of 20 × 20 bins, one pixel each. */
const GRID: BinGrid = {
  rows: 20,
  cols: 20,
  firstRow: 100,
  firstCol: 200,
  largerBin: (row, col) => 5 * Math.floor(row / 4) + Math.floor(col / 4),
  place: (xy) => Float64Array.from(xy),
};
function squares(...corners: [x: number, y: number, side: number][]): Polygons {
  return {
    offsets: Uint32Array.from({ length: corners.length + 1 }, (_, i) => 4 * i),
    xy: Float32Array.from(corners.flatMap(([x, y, s]) => [x, y, x + s, y, x + s, y + s, x, y + s])),
  };
}
const CELLS: Parameters<typeof binOwners>[1] = {
  nuclei: squares([4, 4, 2], [10, 4, 2], [15, 15, 2]),
  outlines: squares([2, 2, 6], [8, 2, 6], [13, 13, 6]),
  xy: { nRows: 3, nCols: 2, data: Float32Array.of(5, 5, 11, 5, 16, 16) },
  may: Uint8Array.of(1, 1, 0),
};

describe("binOwners", () => {
  it("assigns by nucleus, then by cell, then by the nearest nucleus within reach", () => {
    const { owner, by } = binOwners(GRID, CELLS, 5);
    const at = (row: number, col: number) => {
      const bin = row * GRID.cols + col;
      return [owner[bin], OWNED_BY[by[bin]]];
    };
    expect(at(4, 5)).toEqual([0, "nucleus"]);
    expect(at(2, 7)).toEqual([0, "cell"]);
    expect(at(2, 8)).toEqual([1, "cell"]);
    expect(at(8, 6)).toEqual([0, "nearest"]);
    expect(at(8, 9)).toEqual([1, "nearest"]);
    expect(at(11, 5)).toEqual([-1, "nobody"]);
    // The third cell is not allowed any bins.
    expect(at(15, 15)).toEqual([-1, "nobody"]);
  });
});

describe("CellCounts", () => {
  it("sums in any order, however often it merges", () => {
    const random = new Random(3);
    const expected = new Float64Array(5 * 7);
    const counts = new CellCounts(5, 7, 16);
    for (let i = 0; i < 400; i++) {
      const [cell, gene, count] = [random.below(5), random.below(7), 1 + random.below(4)];
      expected[cell * 7 + gene] += count;
      counts.add(cell, gene, count);
    }
    const { indptr, indices, data } = counts.finish();
    const found = new Float64Array(5 * 7);
    for (let cell = 0; cell < 5; cell++) {
      const own = indices.subarray(indptr[cell], indptr[cell + 1]);
      expect([...own]).toEqual([...own].sort((a, b) => a - b));
      own.forEach((gene, i) => (found[cell * 7 + gene] = data[indptr[cell] + i]));
    }
    expect(found).toEqual(expected);
  });
});

describe("lineFactors", () => {
  it("finds stripes but not gradual changes in the tissue", () => {
    const random = new Random(5);
    const bins = new Float64Array(200).fill(150);
    const truth = bins.map(() => Math.exp(0.15 * random.normal()));
    const counts = truth.map((factor, row) => random.poisson(factor * 150 * (2 + row / 50)));
    const factors = lineFactors({ counts, bins });
    let [misfit, tilt] = [0, 0];
    factors.forEach((factor, row) => {
      misfit += (factor - truth[row]) ** 2 / 200;
      tilt += ((factor - truth[row]) * (row - 99.5)) / 200;
    });
    expect(Math.sqrt(misfit)).toBeLessThan(0.06);
    expect(Math.abs(tilt)).toBeLessThan(1);
    expect(lineFactors({ counts: Float64Array.of(0, 9), bins: Float64Array.of(0, 3) })[0]).toBe(1);
  });
});

describe("shareFineBins", () => {
  const GENES = ["A", "B", "C"];
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "stipple-share-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const share = async (bins: TestBin[], given: Partial<FineBinRequest> = {}, genes = GENES) => {
    const path = join(folder, "fine.h5");
    await writeFineBins(path, bins, genes);
    const observed = inLargerBins(bins);
    return shareFineBins({
      path,
      grid: GRID,
      owners: binOwners(GRID, CELLS, 5),
      nCells: 3,
      genes: GENES,
      observed,
      signal: new AbortController().signal,
      progress: () => undefined,
      ...given,
    });
  };
  const inLargerBins = (bins: readonly TestBin[]): number[] => {
    const sums = Array.from({ length: 25 }, () => 0);
    for (const { row, col, counts } of bins) {
      if (row >= 120 || col >= 220) continue;
      for (const count of Object.values(counts))
        sums[GRID.largerBin(row - 100, col - 200)] += count;
    }
    return sums;
  };
  const random = new Random(7);
  // One row and one column beyond the grid.
  const bins: TestBin[] = Array.from({ length: 441 }, (_, i) => ({
    row: 100 + Math.floor(i / 21),
    col: 200 + (i % 21),
    counts: { 0: 1 + random.below(3), [1 + (i % 2)]: 1 + random.below(2) },
  }));

  it("assigns whole bins to cells and loses no counts", async () => {
    const { counts, total, unassigned, report, efficiency } = await share(bins);
    const given = new Float64Array(3);
    counts.indices.forEach((gene, k) => (given[gene] += counts.data[k]));
    for (const gene of [0, 1, 2]) expect(given[gene] + unassigned[gene]).toBe(total[gene]);
    const { countsInNuclei, countsInCells, countsNearest, countsUnassigned } = report;
    expect(countsInNuclei + countsInCells + countsNearest + countsUnassigned).toBe(report.counts);
    expect(report).toMatchObject({ binUm: 2, nBins: 400, file: "fine.h5" });
    expect(counts.indptr[3] - counts.indptr[2]).toBe(0);
    const nucleus = bins.filter(
      ({ row, col }) => row >= 104 && row < 106 && col >= 204 && col < 206,
    );
    const inNucleus = nucleus.reduce((sum, bin) => sum + bin.counts[0], 0);
    expect(inNucleus).toBeGreaterThan(0);
    expect(counts.data[0]).toBeGreaterThan(inNucleus);
    expect(efficiency[2]).toBe(1);
  });

  it("counts only what lies in the sample's larger bins, some of which may be left out", async () => {
    const kept = bins.filter(({ row, col }) => row < 120 && col < 208);
    const observed = inLargerBins(kept);
    const left: BinGrid = { ...GRID, largerBin: (r, c) => (c < 8 ? GRID.largerBin(r, c) : -1) };
    const { counts, total, report } = await share(bins, { grid: left, observed });
    expect(report).toMatchObject({ nBins: 160, counts: observed.reduce((a, b) => a + b, 0) });
    expect(total).toEqual((await share(kept)).total);
    expect(counts).toEqual((await share(kept)).counts);
  });

  it("maps the sample's genes in a different order", async () => {
    const turned = bins.map(({ row, col, counts }) => {
      const named = Object.entries(counts).map(([gene, count]) => [2 - Number(gene), count]);
      return { row, col, counts: Object.fromEntries(named) as TestBin["counts"] };
    });
    const [first, second] = [await share(bins), await share(turned, {}, GENES.toReversed())];
    expect(second.counts).toEqual(first.counts);
  });

  it("rejects bins of another sample", async () => {
    await expect(share(bins, { genes: ["A", "B"] })).rejects.toThrow(
      "fine.h5 has the gene C, unlike the counts of the sample's larger bins",
    );
    // Which add up to almost the same total.
    const elsewhere = inLargerBins(bins).map((sum, bin) => sum * (bin % 2 ? 1.3 : 0.7));
    await expect(share(bins, { observed: elsewhere })).rejects.toThrow(
      /^fine.h5 has other counts than the sample's larger bins \(by \d+% of their UMIs\)/,
    );
    await expect(share([...bins, bins[5]])).rejects.toThrow(
      "fine.h5 lists the bin in row 100, column 205 twice",
    );
  });
});
