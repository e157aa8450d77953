/**
 * Processor time of clustering 100,000 cells by their counts, as the interactive view does: `node
 * lab/bench/own-clusters.ts`. The cells are drawn from twenty types and, as the hardest case, from one. Prints a row each.
 * `--python PYTHON` (with lab/bench/study/requirements.txt) compares the clusters with scanpy's on the same graph, that of the 30,000
 * cells that form the clusters.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { ViewerManifest } from "@stipple/contract";
import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import { Random } from "@stipple/numerics/random";
import { sketchOf } from "@stipple/numerics/sketch";
import { countPoints } from "../../packages/pipeline/src/exploring/count-points.ts";
import type { ExploredSample } from "../../packages/pipeline/src/exploring/explored-sample.ts";
import { findClusters, SKETCH } from "../../packages/pipeline/src/exploring/find-clusters.ts";
import { testedCells } from "../../packages/pipeline/src/steps/6-projection-analysis/spatial-statistics/tested-cells.ts";
import {
  openGeneMajorCounts,
  writeGeneMajorCounts,
} from "../../packages/pipeline/src/steps/6-projection-analysis/viewer/gene-major-counts.ts";
import { agreementOnEqualGraph } from "./own-clusters/equal-graph.ts";

const [N_CELLS, N_GENES, MEDIAN_COUNTS] = [100_000, 4000, 100];
/** A type's own genes, and how much more of them it has. */
const [OWN, MORE] = [0.06, 8];

const { values } = parseArgs({ options: { python: { type: "string" } } });
const random = new Random(3);

for (const nTypes of [20, 1]) {
  const folder = await mkdtemp(join(tmpdir(), "stipple-own-clusters-"));
  try {
    const counts = drawCounts(nTypes);
    await writeGeneMajorCounts(folder, counts);
    const sample = exploredSample(folder, counts);
    const order = { within: null, features: "counts", resolution: 1, genes: null } as const;
    const [began, beganAt] = [process.cpuUsage(), performance.now()];
    const { nClusters } = await findClusters(sample, order);
    const { user, system } = process.cpuUsage(began);
    const seconds = ((performance.now() - beganAt) / 1000).toFixed(1);
    console.log(
      `${nTypes} types, ${counts.data.length} counts: ${nClusters} clusters in ${seconds} s, ${((user + system) / 1e6).toFixed(1)} s of processor time`,
    );
    if (values.python) {
      const all = Uint32Array.from({ length: N_CELLS }, (_, cell) => cell);
      const { points } = await countPoints(
        sample,
        { cells: all, isAll: true, genes: null },
        () => undefined,
      );
      const formed = sketchOf(all, SKETCH, new Random(0));
      console.log(await agreementOnEqualGraph(rowsOf(points, formed), folder, values.python));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

function rowsOf({ nCols, data }: Matrix<Float32Array>, rows: Uint32Array): Matrix<Float32Array> {
  const found = new Float32Array(rows.length * nCols);
  rows.forEach((row, at) => found.set(data.subarray(row * nCols, (row + 1) * nCols), at * nCols));
  return { nRows: rows.length, nCols, data: found };
}

/** Counts of cells whose genes are drawn from the profile of a type. */
function drawCounts(nTypes: number): SparseMatrix {
  const base = Float64Array.from({ length: N_GENES }, () => Math.exp(1.2 * random.normal()));
  const types = Array.from({ length: nTypes }, () =>
    sums(base.map((level) => (random.uniform() < OWN ? MORE * level + 2 : level))),
  );
  const indptr = new Uint32Array(N_CELLS + 1);
  const [indices, data]: [number[], number[]] = [[], []];
  for (let cell = 0; cell < N_CELLS; cell++) {
    const type = types[random.below(nTypes)];
    const counted = new Map<number, number>();
    const total = Math.round(MEDIAN_COUNTS * Math.exp(0.5 * random.normal()));
    for (let k = 0; k < total; k++) {
      const gene = placeIn(type, random.uniform() * type[N_GENES]);
      counted.set(gene, (counted.get(gene) ?? 0) + 1);
    }
    for (const [gene, count] of [...counted].sort(([a], [b]) => a - b)) {
      indices.push(gene);
      data.push(count);
    }
    indptr[cell + 1] = indices.length;
  }
  return {
    nRows: N_CELLS,
    nCols: N_GENES,
    indptr,
    indices: Uint32Array.from(indices),
    data: Float32Array.from(data),
  };
}

/** Running sums, from 0. */
function sums(levels: Float64Array): Float64Array {
  const found = new Float64Array(levels.length + 1);
  levels.forEach((level, at) => (found[at + 1] = found[at] + level));
  return found;
}

/** The last place whose running sum does not exceed `value`. */
function placeIn(running: Float64Array, value: number): number {
  let [low, high] = [0, running.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (running[middle] <= value) low = middle;
    else high = middle;
  }
  return low;
}

function exploredSample(folder: string, { indptr, data, nCols }: SparseMatrix): ExploredSample {
  const totals = new Float32Array(N_CELLS);
  for (let cell = 0; cell < N_CELLS; cell++) {
    for (let k = indptr[cell]; k < indptr[cell + 1]; k++) totals[cell] += data[k];
  }
  const genes = Array.from({ length: nCols }, (_, gene) => `gene ${gene}`);
  const unused = (): never => {
    throw new Error("Clustering by counts reads only counts");
  };
  return {
    results: folder,
    manifest: { nCells: N_CELLS, genes } as ViewerManifest,
    counts: openGeneMajorCounts(folder),
    totals: () => Promise.resolve(totals),
    tested: () => Promise.resolve(testedCells(totals, new Uint8Array(N_CELLS).fill(1))),
    column: unused,
    rates: unused,
    spots: unused,
    genes: unused,
  };
}
