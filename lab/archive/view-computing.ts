/**
 * Measures time and memory of the interactive view's server-side computations on synthetic factors and counts.
 * node lab/archive/view-computing.ts [cells 700000] [spots 700000] [genes 18000] [counts a cell 400]
 */
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Random } from "@stipple/numerics/random";
import { ratesFrom } from "../../packages/pipeline/src/model/rates.ts";
import type { CapturedSpots } from "@stipple/pipeline/internal/steps/6-projection-analysis/cell-markers/spot-test";
import { compareCells } from "../../packages/pipeline/src/steps/6-projection-analysis/cell-markers/compare-cells.ts";
import {
  GENE_COUNTS,
  openGeneMajorCounts,
} from "../../packages/pipeline/src/steps/6-projection-analysis/viewer/gene-major-counts.ts";
import { geneSetScore } from "../../packages/pipeline/src/steps/6-projection-analysis/viewer/gene-set-score.ts";

const [cells = 700_000, spots = 700_000, genes = 18_000, countsPerCell = 400] = process.argv
  .slice(2)
  .map(Number);
const PROTOTYPES = 40;
const NEAR = 7;
/** Share of all spots that contain a given gene. */
const HOLDING = 0.05;
const random = new Random(1);
const folder = await mkdtemp(join(tmpdir(), "stipple-bench-"));

function measure<T>(what: string, work: () => T): T {
  const start = performance.now();
  const cpu = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(cpu);
  const peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(
    `${what}: ${(performance.now() - start).toFixed(0)} ms, ${((user + system) / 1000).toFixed(0)} ms CPU, peak so far ${peakMb} MB`,
  );
  return result;
}

/** Gene-major counts with progressively rarer genes; returns the cells' totals. */
async function writeCounts(): Promise<Float32Array> {
  const totals = new Float32Array(cells);
  const offsets = new Uint32Array(genes + 1);
  const share = Float64Array.from({ length: genes }, (_, gene) => 1 / (1 + gene / 200));
  const sum = share.reduce((a, b) => a + b, 0);
  await using cellsFile = await open(join(folder, GENE_COUNTS.cells), "w");
  await using valuesFile = await open(join(folder, GENE_COUNTS.values), "w");
  const [rows, values] = [new Uint32Array(cells), new Float32Array(cells)];
  for (let gene = 0; gene < genes; gene++) {
    const missed = Math.log(1 - Math.min(0.9, (countsPerCell * share[gene]) / sum));
    const gap = (): number => Math.floor(Math.log(1 - random.uniform()) / missed);
    let n = 0;
    for (let cell = gap(); cell < cells; cell += 1 + gap()) {
      rows[n] = cell;
      totals[cell] += values[n++] = 1 + random.below(3);
    }
    await cellsFile.write(new Uint8Array(rows.buffer, 0, 4 * n));
    await valuesFile.write(new Uint8Array(values.buffer, 0, 4 * n));
    offsets[gene + 1] = offsets[gene] + n;
  }
  await writeFile(join(folder, GENE_COUNTS.offsets), new Uint8Array(offsets.buffer));
  console.log(`${offsets[genes]} counts of ${cells} cells and ${genes} genes`);
  return totals;
}

function compare(totals: Float32Array): void {
  const half = new Uint8Array(Math.ceil(cells / 8));
  half.fill(0b01010101, 0, cells >> 3);
  const table = measure("two halves compared", () =>
    compareCells(
      {
        totals,
        observed: new Uint8Array(cells).fill(1),
        genes: Array.from({ length: genes }, (_, gene) => `gene ${gene}`),
        reliable: new Uint8Array(genes).fill(1),
        counts: openGeneMajorCounts(folder).scan(),
        spots: cellsInSpots(),
      },
      half,
      null,
    ),
  );
  console.log(`${table.cells_a} and ${table.cells_b} cells, ${table.genes.length} genes`);
}

/** Every cell in one spot, each spot with half the genes. */
function cellsInSpots(): CapturedSpots {
  const indices = Uint32Array.from({ length: cells }, (_, cell) => cell);
  const perGene = Math.floor(spots / 2);
  return {
    overlap: {
      nRows: spots,
      nCols: cells,
      indptr: Uint32Array.from({ length: spots + 1 }, (_, s) => Math.floor((s * cells) / spots)),
      indices,
      data: new Float32Array(cells).fill(1),
    },
    byGene: {
      nRows: genes,
      nCols: spots,
      indptr: Uint32Array.from({ length: genes + 1 }, (_, gene) => gene * perGene),
      indices: Uint32Array.from(
        { length: genes * perGene },
        (_, k) => 2 * (k % perGene) + (Math.floor(k / perGene) % 2),
      ),
      data: Float32Array.from({ length: genes * perGene }, () => 1 + random.below(5)),
    },
    xy: { nRows: spots, nCols: 2, data: Float64Array.from({ length: 2 * spots }, (_, i) => i) },
    scale: { spotShape: "disc", micronsPerPixel: 0.5 },
  };
}

function computeRates(): void {
  const uniform = (nRows: number, nCols: number) => ({
    nRows,
    nCols,
    data: Float32Array.from({ length: nRows * nCols }, () => random.uniform() / PROTOTYPES),
  });
  const near = new Int32Array(NEAR * cells);
  for (let i = 0; i < near.length; i++) {
    const spot = Math.floor((Math.floor(i / NEAR) * spots) / cells) + (i % NEAR) - 3;
    near[i] = Math.min(spots - 1, Math.max(0, spot));
  }
  const holding = Uint32Array.from({ length: Math.floor(HOLDING * spots) }, (_, i) =>
    Math.floor(i / HOLDING),
  );
  const rows = {
    nRows: spots,
    nCols: genes,
    row: () => ({ indices: holding, data: new Float32Array(holding.length).fill(1) }),
  };
  const rates = ratesFrom({
    membership: uniform(cells, PROTOTYPES),
    profile: uniform(PROTOTYPES, genes),
    exposure: uniform(spots, PROTOTYPES),
    nearSpot: { nRows: cells, nCols: NEAR, data: near },
    nearWeight: { nRows: cells, nCols: NEAR, data: new Float32Array(near.length).fill(1 / NEAR) },
    spotTotals: new Float64Array(spots).fill(1),
    source: Uint8Array.from({ length: genes }, (_, gene) => gene % 2),
    shape: new Float32Array(genes).fill(10),
    ownBins: false,
    spotCounts: rows,
    geneCounts: rows,
  });
  console.log(`${Math.round(rates.bytes / 1e6)} MB of factors`);
  for (let gene = 0; gene < 4; gene++) measure("rates of a gene", () => rates.column(gene));
  measure("score of ten genes", () =>
    geneSetScore(
      Array.from({ length: 10 }, (_, gene) => rates.column(gene)),
      new Uint8Array(cells).fill(1),
    ),
  );
}

try {
  compare(await writeCounts());
  computeRates();
} finally {
  await rm(folder, { recursive: true, force: true });
}
