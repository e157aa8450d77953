/** One job of Stipple, measured in a separate process: `node ours.ts JOB ARGUMENTS`. Prints one JSON line per stage. */
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { openTasks } from "@stipple/tasks/open-tasks";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import type { Rates } from "@stipple/pipeline/internal/model/rates";
import { graphClusters } from "@stipple/numerics/graph-clusters";
import { openTissueImage, readTextMatrix } from "@stipple/pipeline/samples";
import { readResult } from "@stipple/pipeline/results";
import { readH5Matrix } from "@stipple/pipeline/internal/readers/space-ranger/read-h5-matrix";
import { openNucleusNetwork } from "@stipple/pipeline/internal/nuclei/nucleus-network";
import { binOwners } from "@stipple/pipeline/internal/steps/3-matrix-integration/fine-bins/bin-owners";
import { shareFineBins } from "@stipple/pipeline/internal/steps/3-matrix-integration/fine-bins/share-fine-bins";
import { cellComponents } from "@stipple/pipeline/internal/steps/5-cluster-analysis/cell-components";
import { umap } from "@stipple/pipeline/internal/steps/6-projection-analysis/umap";
import { writeTissuePyramid } from "@stipple/pipeline/internal/steps/6-projection-analysis/viewer/tissue-pyramid";
import { zipOf } from "../../../apps/server/src/outputs/zip.ts";
import { READ_BYTES } from "../../../apps/server/src/storage/local-folder.ts";
import { readFineCells } from "../fine-bins/fine-cells.ts";

const NEVER = new AbortController().signal;
/** Maximum distance from a nucleus at which a bin still belongs to it: the analysis's default of 10 µm. */
const REACH_BINS = 5;
const all = { keep: (barcodes: string[]) => new Uint8Array(barcodes.length).fill(1) };

async function stage<T>(name: string, work: () => Promise<T>): Promise<T> {
  const [before, began] = [process.cpuUsage(), performance.now()];
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  const wall = (performance.now() - began) / 1000;
  console.log(JSON.stringify({ stage: name, cpu: (user + system) / 1e6, wall }));
  return result;
}

/** Provides counts in place of the inferred rates that steps 5 and 6 read: blocks of cells over chosen genes. */
function asRates({ nRows, nCols, indptr, indices, data }: SparseMatrix): Rates {
  const columnOf = new Int32Array(nCols);
  return {
    nCells: nRows,
    nGenes: nCols,
    rows(cells: Uint32Array, genes: Uint32Array) {
      const block = new Float32Array(cells.length * genes.length);
      columnOf.fill(-1);
      genes.forEach((gene, j) => (columnOf[gene] = j));
      cells.forEach((cell, i) => {
        for (let k = indptr[cell]; k < indptr[cell + 1]; k++) {
          const j = columnOf[indices[k]];
          if (j >= 0) block[i * genes.length + j] = data[k];
        }
      });
      return Promise.resolve(block);
    },
  } as Partial<Rates> as Rates;
}

async function core(path: string, componentsFile: string, labels: string): Promise<void> {
  const { counts } = await stage("read", () => readH5Matrix(path, all));
  const components = await stage("components", () => {
    const totals = Float64Array.from({ length: counts.nRows }, (_, cell) => {
      let sum = 0;
      for (let k = counts.indptr[cell]; k < counts.indptr[cell + 1]; k++) sum += counts.data[k];
      return sum;
    });
    return cellComponents(asRates(counts), {
      nComponents: 20,
      usable: new Uint8Array(counts.nCols).fill(1),
      maxGenes: Math.min(1000, counts.nCols >> 1),
      totals,
      seed: 0,
      signal: NEVER,
      progress: () => undefined,
    });
  });
  const { cluster } = await stage("clusters", async () => {
    const cells = Uint32Array.from({ length: counts.nRows }, (_, cell) => cell);
    return graphClusters(components, cells, cells, { neighbors: 15, resolution: 1 });
  });
  await using tasks = openTasks({ threads: 1 });
  await stage("umap", () =>
    umap(components, {
      others: { tasks, signal: NEVER },
      neighbors: 15,
      minDist: 0.3,
      maxDirect: 50_000,
      seed: 0,
      progress: () => undefined,
    }),
  );
  await writeFile(componentsFile, new Uint8Array(components.data.buffer));
  await writeFile(labels, cluster.join("\n"));
}

async function zip(...paths: string[]): Promise<void> {
  const files = await Promise.all(
    paths.map(async (path) => ({
      projectId: "project",
      step: 7 as const,
      path: basename(path),
      size: (await stat(path)).size,
      // Each file counts as different content.
      sha256: path,
      storageKey: path,
      offset: 0,
      objectSize: (await stat(path)).size,
      publishedAt: new Date(),
    })),
  );
  const open = ({ storageKey }: { storageKey: string }, range?: { start: number; end: number }) =>
    Promise.resolve(createReadStream(storageKey, { ...range, highWaterMark: READ_BYTES }));
  await stage("write", () => pipeline(zipOf(files, open).stream(), createWriteStream("/dev/null")));
}

/** Side of a network input tile, px, and the number of tiles measured after a first one. */
const [SIDE, SQUARES] = [1024, 16];

async function network(): Promise<void> {
  const nuclei = await openNucleusNetwork();
  const image = Float32Array.from({ length: 3 * SIDE ** 2 }, (_, i) => (i % 251) / 251);
  await nuclei.run(image, SIDE, SIDE);
  await stage("run", async () => {
    for (let square = 0; square < SQUARES; square++) await nuclei.run(image, SIDE, SIDE);
  });
  await nuclei.close();
}

/** Aggregates counts of 2 µm bins into counts of cells. */
async function bins(path: string, results: string): Promise<void> {
  const { grid, cells } = await readFineCells(results);
  const [genes, totals] = [
    await readResult(results, "genes/id"),
    await readResult(results, "spots/total_counts"),
  ];
  await stage("assign", () =>
    shareFineBins({
      path,
      grid,
      owners: binOwners(grid, cells, REACH_BINS),
      nCells: cells.may.length,
      genes,
      observed: totals,
      signal: NEVER,
      progress: () => undefined,
    }),
  );
}

const JOBS: Record<string, (...paths: string[]) => Promise<unknown>> = {
  core,
  "core-200k": core,
  network,
  bins,
  zip,
  h5: (path) => stage("read", () => readH5Matrix(path, all)),
  text: (matrix) => {
    const part = (name: string): string => `${dirname(matrix)}/${name}.tsv.gz`;
    const files = { barcodes: part("barcodes"), features: part("features"), matrix };
    return stage("read", () => readTextMatrix(files, all));
  },
  async pyramid(path, out) {
    await mkdir(out, { recursive: true });
    const image = await openTissueImage(path);
    await stage("write", () => writeTissuePyramid(out, image, image, NEVER));
  },
};

const [job, ...paths] = process.argv.slice(2);
await JOBS[job](...paths);
process.exit(0);
