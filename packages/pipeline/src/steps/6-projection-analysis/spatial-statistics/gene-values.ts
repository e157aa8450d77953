import type { SparseMatrix } from "@stipple/numerics/matrices";
import { rangesWithin } from "@stipple/numerics/ranges";
import type { GeneEntries } from "../viewer/gene-major-counts.ts";
import type { TestedCells } from "./tested-cells.ts";

/** The tested cells with counts of a gene (rows ascending) and their values, log(1 + count · factor). */
export interface GeneValues {
  gene: number;
  rows: Uint32Array;
  values: Float32Array;
}

/** Entries transposed at a time: bounds memory at about 130 MB for any number of cells. */
const BATCH_ENTRIES = 1 << 24;

/**
 * Iterates over the normalized counts of the genes marked 1: the same values as scanpy's `normalize_total` (to
 * the median) followed by `log1p`. O(entries + batches · cells). The arrays are valid until the next gene is
 * requested.
 */
export function* geneValues(
  counts: SparseMatrix,
  tested: TestedCells,
  wanted: Uint8Array,
): Generator<GeneValues> {
  const { indptr, indices, data } = counts;
  const { cells, factor } = tested;
  const offsets = new Float64Array(counts.nCols + 1);
  for (const cell of cells) {
    for (let k = indptr[cell]; k < indptr[cell + 1]; k++)
      offsets[indices[k] + 1] += wanted[indices[k]];
  }
  for (let gene = 0; gene < counts.nCols; gene++) offsets[gene + 1] += offsets[gene];
  const cursor = Uint32Array.from(cells, (cell) => indptr[cell]);
  for (const { from: first, to: last } of rangesWithin(offsets, BATCH_ENTRIES)) {
    const size = offsets[last] - offsets[first];
    const rows = new Uint32Array(size);
    const values = new Float32Array(size);
    const next = Uint32Array.from(offsets.subarray(first, last), (at) => at - offsets[first]);
    // Genes ascend within a row, so each row is read only once in total.
    for (let row = 0; row < cells.length; row++) {
      let k = cursor[row];
      for (; k < indptr[cells[row] + 1] && indices[k] < last; k++) {
        if (!wanted[indices[k]]) continue;
        const at = next[indices[k] - first]++;
        rows[at] = row;
        values[at] = Math.log1p(data[k] * factor[row]);
      }
      cursor[row] = k;
    }
    for (let gene = first; gene < last; gene++) {
      if (!wanted[gene]) continue;
      const [from, to] = [offsets[gene] - offsets[first], offsets[gene + 1] - offsets[first]];
      yield { gene, rows: rows.subarray(from, to), values: values.subarray(from, to) };
    }
  }
}

/**
 * The same values from counts stored by gene, for some of the tested cells: row = index into `cells`. `wanted`: 1 for genes
 * to include; all by default. The arrays are valid until the next gene is requested.
 */
export function* normalizedCounts(
  genes: Iterable<GeneEntries & { gene: number }>,
  cells: Uint32Array,
  tested: TestedCells,
  wanted?: Uint8Array,
): Generator<GeneValues> {
  const factor = Float64Array.from(cells, (cell) => tested.factor[tested.rowOf[cell]]);
  const rowOf = new Int32Array(tested.rowOf.length).fill(-1);
  cells.forEach((cell, row) => (rowOf[cell] = row));
  const rows = new Uint32Array(cells.length);
  const values = new Float32Array(cells.length);
  for (const { gene, cells: counted, values: counts } of genes) {
    if (wanted?.[gene] === 0) continue;
    let n = 0;
    for (let k = 0; k < counted.length; k++) {
      const row = rowOf[counted[k]];
      if (row < 0) continue;
      rows[n] = row;
      values[n++] = Math.log1p(counts[k] * factor[row]);
    }
    yield { gene, rows: rows.subarray(0, n), values: values.subarray(0, n) };
  }
}
