import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findSampleFiles, readPositions } from "@stipple/pipeline/samples";
import h5wasm from "h5wasm/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readTruth } from "./read-truth.ts";
import { simulateTissue, type SimulatedTissue } from "./simulate-tissue.ts";

const SMALL = { sizeUm: 320, umPerPx: 0.8, nGenes: 220, seed: 4, platform: "hd_visium" } as const;
type Dataset = InstanceType<typeof h5wasm.Dataset>;

describe("simulated Visium HD tissue", () => {
  let folder: string;
  let tissue: SimulatedTissue;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "stipple-hd-"));
    tissue = await simulateTissue({ ...SMALL, fineBins: true, out: folder });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(["8", "16"] as const)(
    "is detected as a Space Ranger HD sample with %s µm bins",
    async (resolution) => {
      const files = await findSampleFiles(tissue.outs, { platform: "hd_visium", resolution });
      expect(files.positions.format).toBe("parquet");
      expect(files.image).toBe(tissue.image);
      const { barcode, x, y } = await readPositions(files.positions);
      const side = Math.round(Math.sqrt(barcode.length));
      expect(barcode).toHaveLength(side * side);
      const step = Math.hypot(x[1] - x[0], y[1] - y[0]);
      expect(step * SMALL.umPerPx).toBeCloseTo(Number(resolution), 6);
      expect(barcode[0]).toBe(`s_${resolution.padStart(3, "0")}um_00000_00000-1`);
    },
  );

  it("sums four small bins into each large one, in counts and in the truth", async () => {
    await h5wasm.ready;
    const total = (name: string): number => {
      const path = join(folder, "binned_outputs", name, "raw_feature_bc_matrix.h5");
      const file = new h5wasm.File(path, "r");
      const data = file.get("matrix/data") as InstanceType<typeof h5wasm.Dataset>;
      const sum = (data.value as Int32Array).reduce((all, value) => all + value, 0);
      file.close();
      return sum;
    };
    expect(total("square_016um")).toBe(total("square_008um"));
    const known = await readTruth(folder);
    const captured = known.arrays.map(({ capture }) =>
      capture.data.reduce((all, value) => all + value, 0),
    );
    expect(captured).toHaveLength(2);
    expect(captured[0] / captured[1]).toBeCloseTo(1, 4);
  });

  it("divides every 8 µm bin into sixteen that sum to it, gene by gene", async () => {
    await h5wasm.ready;
    /** Counts by 8 µm bin position and gene. */
    const sums = (name: string, merged: number): Map<string, number> => {
      const path = join(folder, "binned_outputs", name, "filtered_feature_bc_matrix.h5");
      const file = new h5wasm.File(path, "r");
      const values = (part: string): unknown => (file.get(`matrix/${part}`) as Dataset).value;
      const barcodes = values("barcodes") as string[];
      const indptr = values("indptr") as BigInt64Array;
      const indices = values("indices") as BigInt64Array;
      const data = values("data") as Int32Array;
      file.close();
      const found = new Map<string, number>();
      barcodes.forEach((barcode, bin) => {
        const [, row, column] = /_(\d{5})_(\d{5})-1$/.exec(barcode)!;
        const place = [row, column].map((index) => Math.floor(Number(index) / merged));
        for (let k = Number(indptr[bin]); k < Number(indptr[bin + 1]); k++) {
          const key = `${place.join("_")} ${indices[k]}`;
          found.set(key, (found.get(key) ?? 0) + data[k]);
        }
      });
      return found;
    };
    const fine = sums("square_002um", 4);
    expect(fine.size).toBeGreaterThan(1000);
    expect(fine).toEqual(sums("square_008um", 1));
  });

  it("records the cell of origin of every count", async () => {
    const { captured, rates } = await readTruth(folder);
    const path = join(folder, "binned_outputs/square_002um/filtered_feature_bc_matrix.h5");
    const file = new h5wasm.File(path, "r");
    const counted = (file.get("matrix/data") as Dataset).value as Int32Array;
    file.close();
    const sum = (values: ArrayLike<number>): number =>
      Array.from(values).reduce((all, value) => all + value, 0);
    expect(sum(captured!.data)).toBe(sum(counted));
    for (let cell = 0; cell < captured!.nRows; cell++) {
      for (let k = captured!.indptr[cell]; k < captured!.indptr[cell + 1]; k++) {
        const rate = rates.data[cell * rates.nCols + captured!.indices[k]];
        expect(rate).toBeGreaterThan(0);
      }
    }
  });

  it("places the 2 µm bins within the 8 µm bins", async () => {
    const positions = (name: string) =>
      readPositions({
        path: join(folder, "binned_outputs", name, "spatial", "tissue_positions.parquet"),
        format: "parquet",
      });
    const [fine, coarse] = [await positions("square_002um"), await positions("square_008um")];
    const side = Math.sqrt(coarse.barcode.length);
    const of = (row: number, column: number): number => row * 4 * side + column;
    for (const axis of ["x", "y"] as const) {
      // 8 µm bin (5, 9): the center of its sixteen.
      const children = [20, 21, 22, 23].flatMap((row) =>
        [36, 37, 38, 39].map((column) => fine[axis][of(row, column)]),
      );
      const middle = children.reduce((sum, value) => sum + value, 0) / 16;
      expect(middle).toBeCloseTo(coarse[axis][5 * side + 9], 6);
    }
  });
});
