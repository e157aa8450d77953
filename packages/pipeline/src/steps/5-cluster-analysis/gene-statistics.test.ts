import { RATE_SOURCES } from "@stipple/contract";
import { expect, it } from "vitest";
import { openTasks } from "../../engine/tasks/open-tasks.ts";
import { ratesFrom, type RateParts } from "../../model/rates.ts";
import { Random } from "../../numerics/random.ts";
import { rowSums, transpose } from "../../numerics/sparse.ts";
import { rowsOf } from "../../store/sparse-rows.ts";
import { geneStatistics, type CellRates } from "./gene-statistics.ts";

const [nCells, nGenes, nSpots, k, nClusters] = [60, 40, 9, 3, 4];
const options = { signal: new AbortController().signal, progress: () => undefined };

/** Cells between three spots; every other gene is interpolated, and the last was not counted. */
function simulated(ownBins: boolean): CellRates {
  const random = new Random(8);
  const gammas = (nRows: number, nCols: number) => ({
    nRows,
    nCols,
    data: Float32Array.from({ length: nRows * nCols }, () => random.gamma(1)),
  });
  const genes = Array.from({ length: nSpots }, () =>
    [...Array(nGenes - 1).keys()].filter(() => random.uniform() < 0.6),
  );
  const indptr = new Uint32Array(nSpots + 1);
  genes.forEach((row, s) => (indptr[s + 1] = indptr[s] + row.length));
  const counts = {
    nRows: nSpots,
    nCols: nGenes,
    indptr,
    indices: Uint32Array.from(genes.flat()),
    data: Float32Array.from(genes.flat(), () => 1 + random.below(9)),
  };
  const parts: RateParts = {
    membership: gammas(nCells, k),
    profile: gammas(k, nGenes),
    exposure: gammas(nSpots, k),
    nearSpot: {
      nRows: nCells,
      nCols: 3,
      data: Int32Array.from({ length: 3 * nCells }, (_, i) => (i + Math.floor(i / 7)) % nSpots),
    },
    nearWeight: gammas(nCells, 3),
    spotTotals: rowSums(counts),
    source: Uint8Array.from({ length: nGenes }, (_, gene) =>
      RATE_SOURCES.indexOf(gene % 2 === 0 ? "model" : "interpolation"),
    ),
    shape: new Float32Array(nGenes).fill(2),
    ownBins,
  };
  const geneCounts = transpose(counts);
  return {
    nCells,
    nClusters,
    clusters: Int32Array.from({ length: nCells }, (_, cell) => (cell % (nClusters + 1)) - 1),
    rates: ratesFrom({ ...parts, spotCounts: rowsOf(counts), geneCounts: rowsOf(geneCounts) }),
    shared: { parts, geneCounts },
  };
}

it.each([false, true])(
  "says the same of genes to the bit on threads (own bins: %s)",
  async (ownBins) => {
    const input = simulated(ownBins);
    const genes = [...Array(nGenes).keys()].reverse();
    const alone = await geneStatistics(genes, input, options);
    await using tasks = openTasks({ threads: 2 });
    const others = { tasks, worthThreads: 0 };
    const found = await geneStatistics(genes, input, { ...options, others });
    expect([...found]).toEqual([...alone]);
    expect(found.size).toBeGreaterThan(nGenes / 2);
    // Nothing was counted of it, so that it has no rate where it is interpolated.
    expect(found.has(nGenes - 1)).toBe(false);
  },
);
