import { log1pOf } from "@stipple/numerics/log1p";
import { lowess } from "@stipple/numerics/lowess";
import type { StoredRows } from "../../store/sparse-rows.ts";
import type { SpaceSample } from "./space-sample.ts";

/** Rows with fewer genes are too near to nothing to be placed. */
export const MIN_GENES = 10;
/** Share of the genes around a gene from which its trend is found. */
const SPAN = 0.3;

/** The numbers of a {@link SpaceSample} from counts on disk. */
export function countRows(
  rows: StoredRows,
): Pick<SpaceSample, "totals" | "variability" | "block"> & { hasEnough(row: number): boolean } {
  let columns: { genes: Uint32Array; of: Int32Array } | null = null;
  const columnsOf = (genes: Uint32Array): Int32Array => {
    if (columns?.genes !== genes) {
      const of = new Int32Array(rows.nCols).fill(-1);
      genes.forEach((gene, column) => (of[gene] = column));
      columns = { genes, of };
    }
    return columns.of;
  };
  return {
    hasEnough: (row) => rows.lengthOf(row) >= MIN_GENES,
    totals: (wanted) => Float64Array.from(wanted, (row) => totalOf(rows.row(row).data)),
    async variability(wanted, scale) {
      const sums = new Float64Array(rows.nCols);
      const squares = new Float64Array(rows.nCols);
      for (const row of wanted) {
        const { indices, data } = rows.row(row);
        addRow(indices, data, scale / totalOf(data), sums, squares);
      }
      return beyondTrend(sums, squares, wanted.length);
    },
    block(wanted, genes, scale) {
      const columnOf = columnsOf(genes);
      const block = new Float32Array(wanted.length * genes.length);
      wanted.forEach((row, i) => {
        const { indices, data } = rows.row(row);
        putRow(indices, data, scale / totalOf(data), columnOf, block, i * genes.length);
      });
      return block;
    },
  };
}

function totalOf(data: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < data.length; i++) sum += data[i];
  return sum;
}

function addRow(
  indices: Uint32Array,
  data: Float32Array,
  factor: number,
  sums: Float64Array,
  squares: Float64Array,
): void {
  for (let i = 0; i < indices.length; i++) {
    const value = log1pOf(data[i] * factor);
    sums[indices[i]] += value;
    squares[indices[i]] += value * value;
  }
}

function putRow(
  indices: Uint32Array,
  data: Float32Array,
  factor: number,
  columnOf: Int32Array,
  block: Float32Array,
  to: number,
): void {
  for (let i = 0; i < indices.length; i++) {
    const column = columnOf[indices[i]];
    if (column >= 0) block[to + column] = log1pOf(data[i] * factor);
  }
}

/** Variance of each gene beyond that of genes with its mean (Lun et al. 2016); NaN where it is not seen. */
function beyondTrend(
  sums: Float64Array,
  squares: Float64Array,
  n: number,
): Float64Array<ArrayBuffer> {
  const excess = new Float64Array(sums.length).fill(NaN);
  const seen = Array.from(sums.keys())
    .filter((gene) => sums[gene] > 0)
    .sort((a, b) => sums[a] - sums[b]);
  const means = seen.map((gene) => sums[gene] / n);
  const variances = seen.map((gene, i) => squares[gene] / n - means[i] ** 2);
  const trend = lowess(means, variances, SPAN);
  seen.forEach((gene, i) => (excess[gene] = variances[i] - trend[i]));
  return excess;
}
