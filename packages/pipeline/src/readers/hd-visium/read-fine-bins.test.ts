import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { streamFineBins } from "./read-fine-bins.ts";
import { writeFineBins, type TestBin } from "./testing/write-fine-bins.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-fine-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const BINS: TestBin[] = [
  { row: 3, col: 12_345, counts: { 0: 2, 2: 1 } },
  { row: 4, col: 0, counts: {} },
  { row: 4, col: 7, counts: { 1: 5, 3: 9 } },
];

async function read(path: string, signal?: AbortSignal): Promise<TestBin[]> {
  const bins: TestBin[] = [];
  await streamFineBins(path, {
    signal,
    begin: ({ id }) => expect(id[0]).toBe("A"),
    take({ row, col, genes, counts, from, to }) {
      const own: Record<number, number> = {};
      for (let k = from; k < to; k++) own[genes[k]] = counts[k];
      bins.push({ row, col, counts: own });
    },
  });
  return bins;
}

it("returns each bin once, with its position and gene counts", async () => {
  const path = join(folder, "fine.h5");
  // The last feature is not a gene.
  const types = ["Gene Expression", "Gene Expression", "Gene Expression", "Antibody Capture"];
  await writeFineBins(path, BINS, ["A", "B", "C", "D"], { types });
  expect(await read(path)).toEqual([BINS[0], BINS[1], { row: 4, col: 7, counts: { 1: 5 } }]);
  await expect(read(path, AbortSignal.abort())).rejects.toThrow(/canceled/);
});

it("reports problems with files of other bins", async () => {
  const path = join(folder, "coarse.h5");
  await writeFineBins(path, BINS, ["A", "B", "C", "D"], { binUm: 8 });
  await expect(read(path)).rejects.toThrow(
    "coarse.h5 has 8 µm bins, not 2 µm bins: use filtered_feature_bc_matrix.h5 from binned_outputs/square_002um.",
  );
});
