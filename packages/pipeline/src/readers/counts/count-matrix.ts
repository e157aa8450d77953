import type { SparseMatrix } from "@stipple/numerics/matrices";

/** Kinds of features, as Space Ranger names them. */
export type FeatureType = "Gene Expression" | "Antibody Capture";

/** The features of one type in a matrix (genes, unless others were asked for), and the index of each feature row. */
export interface Genes {
  id: string[];
  symbol: string[];
  /** The genome that each gene is from, if the file says so. */
  genome?: string[];
  /** Feature row of the file → gene index, -1 for features of other types. */
  geneOf: Int32Array;
  /** Features of other types, by type. */
  leftOut: Record<string, number>;
}

/** Counts as read: one row per kept barcode, in file order. */
export interface CountMatrix {
  barcode: string[];
  genes: Genes;
  counts: SparseMatrix;
}

export interface ReadCountsOptions {
  /** Returns 1 for each barcode whose counts are wanted. Called once, before any count is read. */
  keep: (barcodes: string[]) => Uint8Array;
  /** Gene Expression, unless said otherwise. */
  features?: FeatureType | undefined;
  signal?: AbortSignal | undefined;
  progress?: ((fraction: number) => void) | undefined;
  /** Gets what is unusual about the file, in a sentence each. */
  warn?: ((message: string) => void) | undefined;
}

/**
 * Chooses the features of one type. `types` may be shorter than `ids` or missing: a feature without a type is a gene.
 * Returns null if there are none.
 */
export function selectGenes(
  ids: readonly string[],
  symbols: readonly string[],
  types: readonly (string | undefined)[],
  genomes?: readonly (string | undefined)[] | null,
  wanted: FeatureType = "Gene Expression",
): Genes | null {
  const genes: Genes = {
    id: [],
    symbol: [],
    geneOf: new Int32Array(ids.length).fill(-1),
    leftOut: {},
  };
  const genome: string[] = [];
  for (let i = 0; i < ids.length; i++) {
    const type = types[i] || "Gene Expression";
    if (type.toLowerCase() !== wanted.toLowerCase()) {
      genes.leftOut[type] = (genes.leftOut[type] ?? 0) + 1;
      continue;
    }
    genes.geneOf[i] = genes.id.length;
    genes.id.push(ids[i]);
    genes.symbol.push(symbols[i] || ids[i]);
    genome.push(genomes?.[i] ?? "");
  }
  if (genome.some((name) => name !== "")) genes.genome = genome;
  return genes.id.length > 0 ? genes : null;
}

/** Row index of each kept barcode (file order), -1 for the others. */
export function rowsOfKept(keep: Uint8Array): { rowOf: Int32Array; nKept: number } {
  const rowOf = new Int32Array(keep.length).fill(-1);
  let nKept = 0;
  for (let i = 0; i < keep.length; i++) if (keep[i]) rowOf[i] = nKept++;
  return { rowOf, nKept };
}

/** No spot has this many UMIs of a gene, and from here on, 32-bit floats cannot hold every whole number. */
export const TOO_MANY_UMIS = 2 ** 24;

/** Feature indices and their counts; the strides tell which array elements to use. */
export interface Entries {
  features: ArrayLike<number>;
  featureStride: number;
  values: ArrayLike<number>;
  valueStride: number;
}

/**
 * Collects counts row by row into CSR. Entries may come in any order; the usual order (by barcode, then
 * feature) needs 8 bytes per entry, any other a peak of 20.
 */
export class SparseBuilder {
  readonly #nRows: number;
  readonly #nCols: number;
  readonly #perRow: Uint32Array;
  #indices: Uint32Array;
  #data: Float32Array;
  #rows: Uint32Array | null = null;
  #size = 0;
  #lastRow = 0;
  #lastCol = -1;
  #sortedWithinRows = true;

  constructor(nRows: number, nCols: number, capacity: number) {
    this.#nRows = nRows;
    this.#nCols = nCols;
    this.#perRow = new Uint32Array(nRows);
    this.#indices = new Uint32Array(capacity);
    this.#data = new Float32Array(capacity);
  }

  /**
   * Adds entries `from` ≤ k < `to` of one row: counts of features; only features that `geneOf` maps to a column
   * are kept. Stops at the first k that is not a valid feature and count and returns it, or returns `to`. This
   * is the hot loop of all readers: a call per entry takes three times as long.
   */
  addRun(row: number, entries: Entries, from: number, to: number, geneOf: Int32Array): number {
    if (row < this.#lastRow && this.#rows === null) this.#rememberRows();
    const { features, featureStride, values, valueStride } = entries;
    const [indices, data, rows, nFeatures] = [this.#indices, this.#data, this.#rows, geneOf.length];
    let size = this.#size;
    let last = row === this.#lastRow ? this.#lastCol : -1;
    let isSorted = true;
    let k = from;
    for (; k < to; k++) {
      const feature = features[k * featureStride];
      const value = values[k * valueStride];
      if (!(feature >= 0 && feature < nFeatures && value >= 0 && value < TOO_MANY_UMIS)) break;
      if (value !== (value | 0) && !Number.isInteger(value)) break;
      const gene = geneOf[feature];
      if (!(gene >= 0 && value > 0)) continue;
      if (gene <= last) isSorted = false;
      last = gene;
      if (rows !== null) rows[size] = row;
      indices[size] = gene;
      data[size++] = value;
    }
    this.#added(row, size, last, isSorted);
    return k;
  }

  #added(row: number, size: number, last: number, isSorted: boolean): void {
    if (size === this.#size) return;
    if (!isSorted) this.#sortedWithinRows = false;
    this.#perRow[row] += size - this.#size;
    this.#size = size;
    this.#lastRow = row;
    this.#lastCol = last;
  }

  /** Whether a few entries break an order that all others keep. */
  #isDisturbed(indptr: Uint32Array): boolean {
    const rows = this.#rows;
    // Entries grouped by rows, but for a few in the middle of another row.
    if (rows !== null) {
      let [breaks, strays] = [0, 0];
      for (let k = 1; k < this.#size; k++) {
        if (rows[k] >= rows[k - 1]) continue;
        breaks++;
        const low = k + 1 < this.#size && rows[k + 1] >= rows[k - 1];
        const high = k === 1 || rows[k - 2] <= rows[k];
        if (low || high) strays++;
      }
      return this.#nRows >= MIN_ROWS && strays === breaks && breaks <= DISTURBED * this.#nRows;
    }
    let [long, broken] = [0, 0];
    for (let row = 0; row < this.#nRows; row++) {
      const [start, end] = [indptr[row], indptr[row + 1]];
      if (end - start > 2) long++;
      for (let k = start + 1; k < end; k++) {
        if (this.#indices[k] > this.#indices[k - 1]) continue;
        broken++;
        break;
      }
    }
    return long >= MIN_ROWS && broken <= DISTURBED * long;
  }

  /** Adds an entry; grows beyond the capacity if necessary. */
  add(row: number, col: number, value: number): void {
    if (this.#size === this.#indices.length) this.#grow();
    if (row < this.#lastRow && this.#rows === null) this.#rememberRows();
    if (row === this.#lastRow) {
      if (col <= this.#lastCol) this.#sortedWithinRows = false;
    } else {
      this.#lastRow = row;
    }
    this.#lastCol = col;
    if (this.#rows !== null) this.#rows[this.#size] = row;
    this.#indices[this.#size] = col;
    this.#data[this.#size++] = value;
    this.#perRow[row]++;
  }

  #grow(): void {
    const length = Math.max(1024, 2 * this.#size);
    const longer = (old: Uint32Array): Uint32Array => {
      const next = new Uint32Array(length);
      next.set(old);
      return next;
    };
    this.#indices = longer(this.#indices);
    if (this.#rows !== null) this.#rows = longer(this.#rows);
    const data = new Float32Array(length);
    data.set(this.#data);
    this.#data = data;
  }

  #rememberRows(): void {
    const rows = new Uint32Array(this.#indices.length);
    let at = 0;
    for (let row = 0; row < this.#nRows; row++) {
      const next = at + this.#perRow[row];
      rows.fill(row, at, next);
      at = next;
    }
    this.#rows = rows;
  }

  /**
   * The matrix, the first duplicate entry, if any, and whether a few entries break an order that all others keep: some
   * numbers are then not those that were written. The builder cannot be used afterward.
   */
  finish(): {
    counts: SparseMatrix;
    duplicate: { row: number; col: number } | null;
    isDisturbed: boolean;
  } {
    const indptr = new Uint32Array(this.#nRows + 1);
    for (let row = 0; row < this.#nRows; row++) indptr[row + 1] = indptr[row] + this.#perRow[row];
    const ascends = this.#sortedWithinRows && this.#rows === null;
    const isDisturbed = !ascends && this.#isDisturbed(indptr);
    if (this.#rows !== null) {
      const indices = new Uint32Array(this.#size);
      const data = new Float32Array(this.#size);
      const next = indptr.slice();
      for (let k = 0; k < this.#size; k++) {
        const at = next[this.#rows[k]]++;
        indices[at] = this.#indices[k]!;
        data[at] = this.#data[k]!;
      }
      this.#indices = indices;
      this.#data = data;
      this.#rows = null;
    }
    let duplicate: { row: number; col: number } | null = null;
    // A row with strictly ascending columns has no duplicates.
    for (let row = 0; row < this.#nRows && !ascends; row++) {
      const start = indptr[row];
      const end = indptr[row + 1];
      // Also where each visit to a row ascends, since rows may be visited twice.
      sortRow(this.#indices, this.#data, start, end);
      for (let k = start + 1; k < end; k++) {
        if (this.#indices[k] === this.#indices[k - 1]) {
          duplicate ??= { row, col: this.#indices[k] };
        }
      }
    }
    const counts = {
      nRows: this.#nRows,
      nCols: this.#nCols,
      indptr,
      indices: this.#indices.subarray(0, this.#size),
      data: this.#data.subarray(0, this.#size),
    };
    return { counts, duplicate, isDisturbed };
  }
}

/** Order is broken by damage in a few rows only; matrices that are not sorted break it in nearly all. */
const DISTURBED = 0.1;
/** With fewer rows to compare, their order tells nothing. */
const MIN_ROWS = 20;

function sortRow(indices: Uint32Array, data: Float32Array, start: number, end: number): void {
  let sorted = true;
  for (let k = start + 1; k < end && sorted; k++) sorted = indices[k - 1] <= indices[k];
  if (sorted) return;
  const order = Uint32Array.from({ length: end - start }, (_, i) => start + i);
  order.sort((a, b) => indices[a] - indices[b]);
  const sortedIndices = Uint32Array.from(order, (k) => indices[k]);
  const sortedData = Float32Array.from(order, (k) => data[k]);
  indices.set(sortedIndices, start);
  data.set(sortedData, start);
}
