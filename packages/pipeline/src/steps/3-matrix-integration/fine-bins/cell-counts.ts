import type { SparseMatrix } from "@stipple/numerics/matrices";

/** Number of buffered entries waiting to be summed: 12 bytes each. */
const WAITING = 1 << 23;

/**
 * Sums counts that arrive in any order into rows of cells. Whenever eight million entries are buffered they are
 * merged into sorted rows, so memory depends on the number of different (cell, gene) pairs: about 8 bytes each,
 * twice that while the pieces are joined.
 */
export class CellCounts {
  readonly #nCells: number;
  readonly #nGenes: number;
  readonly #cell: Uint32Array;
  readonly #gene: Uint32Array;
  readonly #count: Uint32Array;
  #waiting = 0;
  readonly #merged: SparseMatrix[] = [];

  constructor(nCells: number, nGenes: number, waiting = WAITING) {
    this.#nCells = nCells;
    this.#nGenes = nGenes;
    this.#cell = new Uint32Array(waiting);
    this.#gene = new Uint32Array(waiting);
    this.#count = new Uint32Array(waiting);
  }

  add(cell: number, gene: number, count: number): void {
    if (this.#waiting === this.#cell.length) this.#merge();
    this.#cell[this.#waiting] = cell;
    this.#gene[this.#waiting] = gene;
    this.#count[this.#waiting++] = count;
  }

  /** nCells × nGenes. The collection is empty afterward. */
  finish(): SparseMatrix {
    this.#merge();
    const parts = this.#merged.splice(0);
    return parts.length === 1 ? parts[0] : joinRows(parts, this.#nCells, this.#nGenes);
  }

  #merge(): void {
    const n = this.#waiting;
    const starts = new Uint32Array(this.#nCells + 1);
    for (let i = 0; i < n; i++) starts[this.#cell[i] + 1]++;
    for (let c = 0; c < this.#nCells; c++) starts[c + 1] += starts[c];
    const next = starts.slice(0, this.#nCells);
    const genes = new Uint32Array(n);
    const counts = new Uint32Array(n);
    for (let i = 0; i < n; i++) {
      const at = next[this.#cell[i]]++;
      genes[at] = this.#gene[i];
      counts[at] = this.#count[i];
    }
    this.#waiting = 0;
    const rows = new RowBuilder(this.#nCells, this.#nGenes, n);
    for (let c = 0; c < this.#nCells; c++) {
      for (let k = starts[c]; k < starts[c + 1]; k++) rows.add(genes[k], counts[k]);
      rows.end();
    }
    this.#merged.push(rows.finish());
  }
}

/** Builds rows of per-gene sums, genes ascending. */
class RowBuilder {
  readonly #indptr: Uint32Array;
  readonly #indices: Uint32Array;
  readonly #data: Float32Array;
  readonly #sum: Float64Array;
  #row = 0;
  #start = 0;
  #end = 0;

  constructor(nRows: number, nCols: number, capacity: number) {
    this.#indptr = new Uint32Array(nRows + 1);
    this.#indices = new Uint32Array(capacity);
    this.#data = new Float32Array(capacity);
    this.#sum = new Float64Array(nCols);
  }

  add(col: number, value: number): void {
    if (this.#sum[col] === 0) this.#indices[this.#end++] = col;
    this.#sum[col] += value;
  }

  end(): void {
    this.#indices.subarray(this.#start, this.#end).sort();
    for (let k = this.#start; k < this.#end; k++) {
      this.#data[k] = this.#sum[this.#indices[k]];
      this.#sum[this.#indices[k]] = 0;
    }
    this.#start = this.#end;
    this.#indptr[++this.#row] = this.#end;
  }

  finish(): SparseMatrix {
    return {
      nRows: this.#indptr.length - 1,
      nCols: this.#sum.length,
      indptr: this.#indptr,
      indices: this.#indices.slice(0, this.#end),
      data: this.#data.slice(0, this.#end),
    };
  }
}

/** Adds matrices of the same shape. O(entries). */
function joinRows(parts: readonly SparseMatrix[], nRows: number, nCols: number): SparseMatrix {
  const total = parts.reduce((sum, { indices }) => sum + indices.length, 0);
  const rows = new RowBuilder(nRows, nCols, total);
  for (let r = 0; r < nRows; r++) {
    for (const { indptr, indices, data } of parts) {
      for (let k = indptr[r]; k < indptr[r + 1]; k++) rows.add(indices[k], data[k]);
    }
    rows.end();
  }
  return rows.finish();
}
