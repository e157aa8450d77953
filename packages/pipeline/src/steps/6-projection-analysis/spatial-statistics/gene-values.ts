import type { SparseMatrix } from "@stipple/numerics/matrices";
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
  for (let first = 0; first < counts.nCols;) {
    let last = first + 1;
    while (last < counts.nCols && offsets[last + 1] - offsets[first] <= BATCH_ENTRIES) last++;
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
    first = last;
  }
}
