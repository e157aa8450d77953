import { basename } from "node:path";
import { InputError } from "../../../errors.ts";
import type { FineBinReport } from "../../../facts.ts";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import type { Genes } from "../../../readers/counts/count-matrix.ts";
import { FINE_BIN_UM, streamFineBins } from "../../../readers/hd-visium/read-fine-bins.ts";
import type { BinGrid } from "./bin-grid.ts";
import { OWNED_BY, type BinOwners } from "./bin-owners.ts";
import { CellCounts } from "./cell-counts.ts";

export interface FineBinRequest {
  path: string;
  grid: BinGrid;
  owners: BinOwners;
  nCells: number;
  /** Gene identifiers of the sample, in order. */
  genes: readonly string[];
  /** UMIs in each of the sample's larger bins, which count the same molecules. */
  observed: ArrayLike<number>;
  signal: AbortSignal;
  progress(fraction: number): void;
}

export interface FineCounts {
  /** nCells × nGenes: counts in the bins of each cell. */
  counts: SparseMatrix;
  /**
   * Capture efficiency of each cell's bins relative to their neighbors: mean over the bins, 1 if there are
   * none.
   */
  efficiency: Float32Array;
  /** By gene: counts of all bins in the sample's larger ones, and of bins assigned to no cell. */
  total: Float64Array;
  unassigned: Float64Array;
  report: Omit<FineBinReport, "reachUm">;
}

/**
 * The fine bins of each larger one have the same counts, except those off the tissue at its edges: the share of UMIs by
 * which they may differ in all.
 */
const MAX_DIFFERENCE = 0.1;

/**
 * Assigns the counts of each fine bin entirely to the cell that owns it; bins that are in none of the sample's larger
 * ones do not count. For every gene, the cells' counts and
 * `unassigned` add up exactly to `total`. One pass over the file. Throws {@link InputError} for bins of another
 * sample.
 */
export async function shareFineBins(request: FineBinRequest): Promise<FineCounts> {
  const { path, grid, owners, nCells, genes, signal } = request;
  const file = basename(path);
  const cellCounts = new CellCounts(nCells, genes.length);
  const total = new Float64Array(genes.length);
  const unassigned = new Float64Array(genes.length);
  const inLarger = new Float64Array(request.observed.length);
  const seen = new Uint8Array(grid.rows * grid.cols);
  const rows = lines(grid.rows);
  const cols = lines(grid.cols);
  const countsBy = new Float64Array(OWNED_BY.length);
  let geneOf = new Int32Array(0);
  let nBins = 0;
  await streamFineBins(path, {
    signal,
    progress: (fraction) => request.progress(fraction),
    begin: (found) => (geneOf = sampleGenes(found, genes, file)),
    take({ row, col, genes: own, counts, from, to }) {
      const [r, c] = [row - grid.firstRow, col - grid.firstCol];
      if (r < 0 || c < 0 || r >= grid.rows || c >= grid.cols) return;
      // Larger bins are missing off the tissue and where the user left out regions.
      const larger = grid.largerBin(r, c);
      if (larger < 0) return;
      nBins++;
      const bin = r * grid.cols + c;
      if (seen[bin]++ > 0) throw twice(file, row, col);
      const cell = owners.owner[bin];
      let sum = 0;
      for (let k = from; k < to; k++) {
        const gene = geneOf[own[k]];
        const count = counts[k];
        sum += count;
        total[gene] += count;
        if (cell >= 0) cellCounts.add(cell, gene, count);
        else unassigned[gene] += count;
      }
      inLarger[larger] += sum;
      countsBy[owners.by[bin]] += sum;
      rows.counts[r] += sum;
      rows.bins[r]++;
      cols.counts[c] += sum;
      cols.bins[c]++;
    },
  });
  assertSameSample(inLarger, request.observed, file);
  const factors = { rows: lineFactors(rows), cols: lineFactors(cols) };
  return {
    counts: cellCounts.finish(),
    efficiency: efficiencies(grid, owners, seen, factors, nCells),
    total,
    unassigned,
    report: {
      binUm: FINE_BIN_UM,
      file,
      nBins,
      counts: total.reduce((sum, count) => sum + count, 0),
      countsInNuclei: countsBy[OWNED_BY.indexOf("nucleus")],
      countsInCells: countsBy[OWNED_BY.indexOf("cell")],
      countsNearest: countsBy[OWNED_BY.indexOf("nearest")],
      countsUnassigned: countsBy[OWNED_BY.indexOf("nobody")],
      stripesOfRows: spread(factors.rows, rows.bins),
      stripesOfColumns: spread(factors.cols, cols.bins),
    },
  };
}

/** Throws {@link InputError} if the larger bins have other counts: those of another sample may add up to the same total. */
function assertSameSample(inLarger: Float64Array, observed: ArrayLike<number>, file: string): void {
  let [apart, all] = [0, 0];
  inLarger.forEach((sum, bin) => {
    apart += Math.abs(sum - observed[bin]);
    all += observed[bin];
  });
  if (apart <= MAX_DIFFERENCE * all) return;
  const percent = Math.round((100 * apart) / all);
  throw new InputError(
    `${file} has other counts than the sample's larger bins (by ${percent}% of their UMIs): use the file from the same sample, or leave it out.`,
  );
}

function lines(n: number): { counts: Float64Array; bins: Float64Array } {
  return { counts: new Float64Array(n), bins: new Float64Array(n) };
}

function twice(file: string, row: number, col: number): InputError {
  return new InputError(
    `${file} lists the bin in row ${row}, column ${col} twice: use the original Space Ranger file.`,
  );
}

/** Index in the sample of each gene in the file. Throws {@link InputError} if they are not the same genes. */
function sampleGenes(
  found: Genes,
  genes: readonly string[],
  file: string,
): Int32Array<ArrayBuffer> {
  const place = new Map(genes.map((id, gene) => [id, gene]));
  const absent = found.id.find((id) => !place.has(id));
  if (absent === undefined && found.id.length === genes.length) {
    return Int32Array.from(found.id, (id) => place.get(id)!);
  }
  const what =
    absent === undefined ? `${found.id.length} of ${genes.length} genes` : `the gene ${absent}`;
  throw new InputError(
    `${file} has ${what}, unlike the counts of the sample's larger bins: use the file from the same sample, or leave it out.`,
  );
}

/** Mean of the row and column factors over each cell's bins. O(bins). */
function efficiencies(
  grid: BinGrid,
  { owner }: BinOwners,
  seen: Uint8Array,
  factors: { rows: Float64Array; cols: Float64Array },
  nCells: number,
): Float32Array {
  const sums = new Float64Array(nCells);
  const bins = new Uint32Array(nCells);
  for (let row = 0; row < grid.rows; row++) {
    for (let col = 0; col < grid.cols; col++) {
      const bin = row * grid.cols + col;
      const cell = owner[bin];
      if (cell < 0 || !seen[bin]) continue;
      sums[cell] += factors.rows[row] * factors.cols[col];
      bins[cell]++;
    }
  }
  return Float32Array.from(sums, (sum, cell) => (bins[cell] > 0 ? sum / bins[cell] : 1));
}

/** Root-mean-square deviation of the factors from 1, over lines with tissue. */
function spread(factors: Float64Array, bins: Float64Array): number {
  let [sum, n] = [0, 0];
  factors.forEach((factor, line) => {
    if (bins[line] === 0) return;
    sum += (factor - 1) ** 2;
    n++;
  });
  return n > 0 ? Math.sqrt(sum / n) : 0;
}

/** Number of rows on either side with which a row is compared: 32 µm, over which tissue changes little. */
const NEIGHBORS = 16;
/**
 * Prior counts added to a row at the mean of its neighbors, so that rows with few counts are shrunk toward
 * factor 1.
 */
const PRIOR_COUNTS = 200;
/**
 * Efficiencies of rows and columns are within these factors of their neighbors; larger deviations have other
 * causes.
 */
const RANGE = [0.25, 4] as const;

/** Counts in rows or columns of bins, by index. */
interface LineTotals {
  counts: Float64Array;
  /** Bins under tissue. */
  bins: Float64Array;
}

/**
 * Relative capture efficiency of each row (or column) of bins compared with its surroundings: its counts,
 * divided by those expected from a straight line through the counts per bin of the 16 rows on either side, with
 * a prior of 200 counts at 1. Tissue changes gradually from row to row; stripes do not. Rows without tissue get
 * factor 1. O(rows · 33).
 */
export function lineFactors(totals: LineTotals): Float64Array<ArrayBuffer> {
  return Float64Array.from(totals.counts, (own, line) => {
    const expected = expectedOf(totals, line) * totals.bins[line];
    if (!(expected > 0)) return 1;
    const factor = (own + PRIOR_COUNTS) / (expected + PRIOR_COUNTS);
    return Math.min(RANGE[1], Math.max(RANGE[0], factor));
  });
}

/**
 * Counts per bin expected from the surrounding lines, weighted by their numbers of bins; 0 if there are none.
 */
function expectedOf({ counts, bins }: LineTotals, line: number): number {
  let [w, x, xx, y, xy] = [0, 0, 0, 0, 0];
  for (let away = -NEIGHBORS; away <= NEIGHBORS; away++) {
    const places = bins[line + away];
    if (away === 0 || !(places > 0)) continue;
    w += places;
    x += places * away;
    xx += places * away * away;
    y += counts[line + away];
    xy += away * counts[line + away];
  }
  if (w === 0) return 0;
  const spread = w * xx - x * x;
  const straight = spread > 0 ? (xx * y - x * xy) / spread : 0;
  return straight > 0 ? straight : y / w;
}
