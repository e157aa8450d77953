import { describe, expect, it } from "vitest";
import { openTasks } from "@stipple/tasks/open-tasks";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { sharingCells } from "../../model/sharing-cells.ts";
import { Random } from "@stipple/numerics/random";
import { rowSums, transpose } from "@stipple/numerics/sparse";
import { allocateSideBySide } from "./allocate-side-by-side.ts";
import { allocateCounts, type Allocation, type AllocationModel } from "./allocation.ts";
import { blocksOf } from "./part-of-tissue.ts";
import { syntheticTissue } from "./testing/synthetic-tissue.ts";

const k = 5;

it("gives every UMI to the same cell on threads, spot by spot, as in one pass", async () => {
  const { counts, overlap, nCells, nGenes } = syntheticTissue({
    seed: 4,
    sideUm: 600,
    nGenes: 60,
    nFeatures: 4,
  });
  const random = new Random(2);
  const drawn = (length: number): Float32Array =>
    Float32Array.from({ length }, () => (random.uniform() < 0.2 ? 0 : random.gamma(0.5)));
  // Each cell belongs to one spot; the first spot has no cells, and some cells have no spot.
  const spotOf = Int32Array.from({ length: nCells }, (_, cell) => cell % counts.nRows || -1);
  const model = {
    overlap: sharingCells({
      evidence: { ownBins: false },
      overlap,
      observed: new Uint8Array(nCells).fill(1),
      spotOf,
    }),
    membership: drawn(nCells * k),
    profile: drawn(k * nGenes),
    k,
  };
  const byGene = transpose(counts);
  const together = await allocateCounts(byGene, model);
  expect(together.unassigned.some((count) => count > 0)).toBe(true);
  expect(together.counts.data.length).toBeGreaterThan(1_000);
  await using tasks = openTasks({ threads: 2 });
  const options = {
    tasks,
    signal: new AbortController().signal,
    progress: () => undefined,
    pause: () => Promise.resolve(),
    worthThreads: 0,
    blockEntries: 200,
    squares: () => [],
  };
  expect(await allocateSideBySide(counts, byGene, model, options)).toEqual(together);
});

/** A grid of bins, random cells captured by bins within 1.5 bin widths, and sparse gene counts. */
function binnedTissue() {
  const [across, nCells, nGenes] = [60, 700, 30];
  const random = new Random(2);
  const nBins = across * across;
  const spotsXy = {
    nRows: nBins,
    data: Float64Array.from({ length: 2 * nBins }, (_, i) =>
      i % 2 === 0 ? (i / 2) % across : Math.floor(i / 2 / across),
    ),
  };
  const places = Array.from({ length: nCells }, () => [
    random.uniform() * across,
    random.uniform() * across,
  ]);
  const rowsOf = (nCols: number, row: (bin: number) => [number, number][]): SparseMatrix => {
    const rows = Array.from({ length: nBins }, (_, bin) => row(bin));
    const indptr = new Uint32Array(nBins + 1);
    rows.forEach((entries, bin) => (indptr[bin + 1] = indptr[bin] + entries.length));
    const entries = rows.flat();
    const indices = Uint32Array.from(entries, ([column]) => column);
    return { nRows: nBins, nCols, indptr, indices, data: Float32Array.from(entries, ([, v]) => v) };
  };
  const overlap = rowsOf(nCells, (bin) =>
    places.flatMap(([x, y], cell) => {
      const away = Math.hypot(x - spotsXy.data[2 * bin], y - spotsXy.data[2 * bin + 1]);
      return away < 1.5 ? [[cell, 1.5 - away] as [number, number]] : [];
    }),
  );
  const counts = rowsOf(nGenes, () =>
    Array.from({ length: nGenes }, (_, gene) => [gene, random.poisson(0.4)] as [number, number]),
  );
  return { counts, overlap, spotsXy, nCells, nGenes };
}

describe("bins shared by several cells", () => {
  const { counts, overlap, nCells, nGenes, spotsXy } = binnedTissue();
  const random = new Random(3);
  const drawn = (length: number): Float32Array =>
    Float32Array.from({ length }, () => random.gamma(0.5));
  const model = { overlap, membership: drawn(nCells * k), profile: drawn(k * nGenes), k };
  const byGene = transpose(counts);
  const bins = [...Array(counts.nRows).keys()];

  async function inSquares(squares: number[][]) {
    await using tasks = openTasks({ threads: 2 });
    return await allocateSideBySide(counts, byGene, model, {
      tasks,
      signal: new AbortController().signal,
      progress: () => undefined,
      pause: () => Promise.resolve(),
      worthThreads: 0,
      squares: () => squares,
    });
  }

  it("allocate counts as in one pass when a single square holds them all", async () => {
    expect(await inSquares([bins])).toEqual(await allocateCounts(byGene, model));
  });

  it("preserve each gene's sum across squares and match expected counts about as well as in one pass", async () => {
    const [together, apart] = [
      await allocateCounts(byGene, model),
      await inSquares(blocksOf({ spotsXy }, bins, 30)),
    ];
    const sumsOf = ({ counts: { indices, data }, unassigned }: Allocation): number[] => {
      const sums = unassigned.slice();
      indices.forEach((gene, e) => (sums[gene] += data[e]));
      return [...sums];
    };
    expect(sumsOf(apart)).toEqual(Array.from(rowSums(byGene)));
    const [near, nearer] = [apart, together].map(({ counts }) => distance(counts, model, byGene));
    expect(near / nearer).toBeLessThan(1.1);
    expect(near).not.toBe(nearer);
    expect(apart.counts.indices.length).toBeGreaterThan(1_000);
  });
});

/** Mean squared difference between cells' counts and their expected counts. */
function distance(counts: SparseMatrix, model: AllocationModel, byGene: SparseMatrix): number {
  const { overlap, membership, profile } = model;
  const nGenes = byGene.nRows;
  const off = new Float64Array(counts.nRows * nGenes);
  for (let cell = 0; cell < counts.nRows; cell++) {
    for (let e = counts.indptr[cell]; e < counts.indptr[cell + 1]; e++) {
      off[cell * nGenes + counts.indices[e]] = -counts.data[e];
    }
  }
  for (let gene = 0; gene < nGenes; gene++) {
    for (let e = byGene.indptr[gene]; e < byGene.indptr[gene + 1]; e++) {
      const spot = byGene.indices[e];
      const entries = [...Array(overlap.indptr[spot + 1] - overlap.indptr[spot]).keys()];
      const shares = entries.map((i) => {
        const at = overlap.indptr[spot] + i;
        let rate = 0;
        for (let j = 0; j < k; j++) {
          rate += membership[overlap.indices[at] * k + j] * profile[j * nGenes + gene];
        }
        return { cell: overlap.indices[at], share: overlap.data[at] * rate };
      });
      const total = shares.reduce((sum, { share }) => sum + share, 0);
      if (total === 0) continue;
      for (const { cell, share } of shares) {
        off[cell * nGenes + gene] += (byGene.data[e] * share) / total;
      }
    }
  }
  return off.reduce((sum, value) => sum + value * value, 0) / off.length;
}
