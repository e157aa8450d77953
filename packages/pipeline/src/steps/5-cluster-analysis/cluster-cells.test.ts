import { describe, expect, it } from "vitest";
import { openTasks } from "@stipple/tasks/open-tasks";
import type { Matrix } from "@stipple/numerics/matrices";
import { graphClusters } from "@stipple/numerics/graph-clusters";
import { Random } from "@stipple/numerics/random";
import type { Rates } from "../../model/rates.ts";
import { cellComponents } from "./cell-components.ts";
import { clusterMarkers } from "./cluster-markers.ts";
import { simulatedRates } from "./testing/simulated-rates.ts";

const signal = new AbortController().signal;
const progress = (): void => undefined;

/** Cells of three kinds; genes 10t … 10t + 9 of 40 are raised in kind t. */
function threeKinds(cellsEach: number): { rates: Rates; kind: Int32Array } {
  const nGenes = 40;
  const nCells = 3 * cellsEach;
  const random = new Random(3);
  const kind = Int32Array.from({ length: nCells }, (_, cell) => cell % 3);
  const dense = new Float32Array(nCells * nGenes);
  for (let cell = 0; cell < nCells; cell++) {
    for (let gene = 0; gene < nGenes; gene++) {
      const raised = Math.floor(gene / 10) === kind[cell] ? 4 : 1;
      dense[cell * nGenes + gene] = raised * (0.5 + random.uniform());
    }
  }
  const rates: Rates = {
    nCells,
    nGenes,
    column: (gene) => Float32Array.from(kind, (_, cell) => dense[cell * nGenes + gene]),
    rows: (cells, genes) => {
      const wanted = genes ?? Uint32Array.from({ length: nGenes }, (_, gene) => gene);
      const block = new Float32Array(cells.length * wanted.length);
      for (let i = 0; i < cells.length; i++) {
        wanted.forEach((gene, j) => {
          block[i * wanted.length + j] = dense[cells[i] * nGenes + gene];
        });
      }
      return Promise.resolve(block);
    },
  };
  return { rates, kind };
}

async function componentsOf(rates: Rates): Promise<Matrix<Float32Array>> {
  return cellComponents(rates, {
    nComponents: 5,
    usable: new Uint8Array(rates.nGenes).fill(1),
    maxGenes: 30,
    totals: new Float64Array(rates.nCells).fill(1),
    seed: 0,
    signal,
    progress,
  });
}

it.each([false, true])(
  "finds bit-identical components on threads (own bins: %s)",
  async (ownBins) => {
    // More cells than one block and than the sample used to find axes.
    const [nCells, nGenes] = [8500, 50];
    const { rates, parts, spotCounts } = simulatedRates(nCells, nGenes, ownBins);
    const options = {
      nComponents: 4,
      usable: Uint8Array.from({ length: nGenes }, (_, gene) => (gene === 3 ? 0 : 1)),
      maxGenes: 20,
      totals: Float64Array.from({ length: nCells }, (_, cell) => 1 + (cell % 5)),
      seed: 0,
      signal,
    };
    const alone = await cellComponents(rates, { ...options, progress });
    await using tasks = openTasks({ threads: 2, anyWork: true });
    const told: number[] = [];
    const shared = { tasks, parts, spotCounts };
    const found = await cellComponents(rates, {
      ...options,
      shared,
      progress: (done) => told.push(done),
    });
    expect(found).toEqual(alone);
    expect(new Set(found.data).size).toBeGreaterThan(nCells);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(told.at(-1)).toBeCloseTo(1);
  },
);

describe("clustering cells", () => {
  it("finds three kinds of cells, numbered by size", async () => {
    const { rates, kind } = threeKinds(60);
    const components = await componentsOf(rates);
    const all = Uint32Array.from(kind.keys());
    const options = { neighbors: 10, resolution: 1 };
    const { cluster, nClusters } = await graphClusters(components, all, all, options);
    expect(nClusters).toBe(3);
    // One cluster per kind.
    expect(new Set(kind.map((own, cell) => own * 10 + cluster[cell])).size).toBe(3);
    // Cells outside the sketch join the cluster of their kind.
    const sketch = all.filter((cell) => cell < 90);
    const spread = await graphClusters(components, sketch, all, options);
    expect(new Set(kind.map((own, cell) => own * 10 + spread.cluster[cell])).size).toBe(3);
  });

  it("gives the same components for the same seed, with mean 0", async () => {
    const { rates } = threeKinds(40);
    const first = await componentsOf(rates);
    expect((await componentsOf(rates)).data).toEqual(first.data);
    for (let axis = 0; axis < 5; axis++) {
      let sum = 0;
      for (let cell = 0; cell < rates.nCells; cell++) sum += first.data[cell * 5 + axis];
      expect(Math.abs(sum / rates.nCells)).toBeLessThan(1e-4);
    }
  });
});

it("lists the genes that stand out in each cluster compared with all other cells", () => {
  // Two prototypes, three genes; cluster 0 is prototype 0, cluster 1 is prototype 1.
  const membership = { nRows: 4, nCols: 2, data: Float32Array.of(1, 0, 1, 0, 0, 1, 0, 1) };
  const profile = { nRows: 2, nCols: 3, data: Float32Array.of(4, 1, 2, 1, 4, 2) };
  const cluster = Int32Array.of(0, 0, 1, 1);
  const markers = clusterMarkers(membership, profile, cluster, 2, Uint8Array.of(1, 1, 1), 5);
  expect(markers.map(({ cluster, gene }) => [cluster, gene])).toEqual([
    [0, 0],
    [1, 1],
  ]);
  expect(markers[0]).toMatchObject({ mean: 4, others: 1 });
  expect(markers[0].log2FoldChange).toBeCloseTo(Math.log2(4.02 / 1.02), 6);
});

it("lists no markers of a single cluster, which has no other cells to compare with", () => {
  const membership = { nRows: 3, nCols: 1, data: Float32Array.of(1, 1, 1) };
  const profile = { nRows: 1, nCols: 2, data: Float32Array.of(5, 1) };
  const all = Int32Array.of(0, 0, 0);
  expect(clusterMarkers(membership, profile, all, 1, Uint8Array.of(1, 1), 5)).toEqual([]);
});

it("numbers clusters by all their cells, not by those in the sketch", async () => {
  const random = new Random(9);
  const [few, many] = [60, 240];
  const data = Float32Array.from({ length: 2 * (few + many) }, (_, at) =>
    at < 2 * few ? random.normal() : 100 + random.normal(),
  );
  const all = Uint32Array.from({ length: few + many }, (_, row) => row);
  // Most of the smaller group is in the sketch, and little of the larger one.
  const sketch = all.filter((row) => row < 50 || row % 12 === 0);
  const found = await graphClusters({ nRows: all.length, nCols: 2, data }, sketch, all, {
    neighbors: 10,
    resolution: 0.1,
  });
  const sizes = Array.from({ length: found.nClusters }, (_, own) =>
    found.cluster.reduce((sum, cluster) => sum + Number(cluster === own), 0),
  );
  expect(sizes).toEqual([many, few]);
});
