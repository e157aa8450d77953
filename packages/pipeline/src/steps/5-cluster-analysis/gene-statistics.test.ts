import { expect, it } from "vitest";
import { openTasks } from "../../engine/tasks/open-tasks.ts";
import { geneStatistics } from "./gene-statistics.ts";
import { simulatedRates } from "./testing/simulated-rates.ts";

const [nCells, nGenes, nClusters] = [60, 40, 4];
const options = { signal: new AbortController().signal, progress: () => undefined };

it.each([false, true])(
  "gives bit-identical gene statistics on threads (own bins: %s)",
  async (ownBins) => {
    const { rates, ...shared } = simulatedRates(nCells, nGenes, ownBins);
    const clusters = Int32Array.from({ length: nCells }, (_, cell) => (cell % (nClusters + 1)) - 1);
    const input = { nCells, nClusters, clusters, rates, shared };
    const genes = [...Array(nGenes).keys()].reverse();
    const alone = await geneStatistics(genes, input, options);
    await using tasks = openTasks({ threads: 2 });
    const others = { tasks, worthThreads: 0 };
    const found = await geneStatistics(genes, input, { ...options, others });
    expect([...found]).toEqual([...alone]);
    expect(found.size).toBeGreaterThan(nGenes / 2);
    // It has no counts, so it has no rate when interpolated.
    expect(found.has(nGenes - 1)).toBe(false);
  },
);
