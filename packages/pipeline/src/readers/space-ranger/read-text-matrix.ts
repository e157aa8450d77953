import { basename } from "node:path";
import { InputError, throwIfCancelled } from "../../errors.ts";
import { LONGEST_LINE } from "@stipple/formats/limits";
import {
  type CountMatrix,
  type Genes,
  type ReadCountsOptions,
  rowsOfKept,
  SparseBuilder,
  TOO_MANY_UMIS,
} from "../counts/count-matrix.ts";
import { PlainRun, takePlainLines } from "../counts/plain-lines.ts";
import { readTextPieces, tooLongLine } from "../counts/read-text.ts";
import { FROM_SPACE_RANGER } from "./matrix-market.ts";
import { readBarcodes, readFeatures } from "./read-lists.ts";
import {
  type MatrixHead,
  readMatrixHead,
  type TextMatrixFiles,
  WANTED,
} from "./read-matrix-head.ts";

/**
 * Streams counts from Matrix Market files: only the kept counts and 1 MB of text are in memory. Throws {@link
 * InputError} for files that do not belong together, truncated or damaged files, and values that are not
 * counts.
 */
export async function readTextMatrix(
  files: TextMatrixFiles,
  options: ReadCountsOptions,
): Promise<CountMatrix> {
  const barcodes = await readBarcodes(files.barcodes);
  const genes = await readFeatures(files.features, options.features);
  const keep = options.keep(barcodes);
  const { rowOf, nKept } = rowsOfKept(keep);
  const listed = { barcodes: barcodes.length, features: genes.geneOf.length };
  const head = await readMatrixHead(files, listed);
  if (head.isTransposed) {
    options.warn?.(
      `${basename(files.matrix)} has spots in rows and genes in columns, by its size; it was read that way.`,
    );
  }
  const parser = new EntryParser({ path: files.matrix, head, genes, rowOf, nKept });
  for await (const piece of readTextPieces(files.matrix, WANTED)) {
    throwIfCancelled(options.signal);
    parser.take(piece);
    options.progress?.(parser.fraction);
  }
  return {
    barcode: barcodes.filter((_, i) => keep[i] === 1),
    genes,
    counts: parser.finish(),
  };
}

const NEWLINE = 10;
/** Counts for which memory is taken at first, where their number is not announced. */
const FIRST_COUNTS = 1 << 20;

/** What is known of a matrix before its counts are read. */
interface Known {
  path: string;
  head: MatrixHead;
  genes: Genes;
  /** Row of each kept barcode, −1 for the others. */
  rowOf: Int32Array;
  nKept: number;
}

/** Parses Matrix Market coordinate text from pieces that may split lines anywhere. */
class EntryParser {
  readonly #known: Known;
  readonly #head: MatrixHead;
  readonly #file: string;
  readonly #isUsual: boolean;
  readonly #run = new PlainRun();
  readonly #builder: SparseBuilder;
  #rest: Buffer | null = null;
  #lineNumber = 0;
  #seen = 0;

  constructor(known: Known) {
    const { format, isTransposed, nEntries } = known.head;
    this.#known = known;
    this.#head = known.head;
    this.#file = basename(known.path);
    this.#isUsual = format === "coordinate" && !isTransposed;
    const capacity = format === "array" ? Math.min(nEntries, FIRST_COUNTS) : nEntries;
    this.#builder = new SparseBuilder(known.nKept, known.genes.id.length, capacity);
  }

  get fraction(): number {
    const { nEntries } = this.#head;
    return nEntries > 0 ? this.#seen / nEntries : 0;
  }

  take(piece: Buffer): void {
    let start = 0;
    if (this.#rest !== null) {
      const end = piece.indexOf(NEWLINE);
      if (end < 0) {
        this.#rest = Buffer.concat([this.#rest, piece]);
        if (this.#rest.length > LONGEST_LINE) {
          throw tooLongLine(this.#known.path, this.#lineNumber + 1);
        }
        return;
      }
      const joined = Buffer.concat([this.#rest, piece.subarray(0, end)]);
      this.#rest = null;
      this.#line(joined, 0, joined.length);
      start = end + 1;
    }
    const whole = piece.lastIndexOf(NEWLINE) + 1;
    for (;;) {
      if (this.#isUsual && this.#lineNumber >= this.#head.nLines) {
        start = this.#plainLines(piece, start, whole);
      }
      const end = piece.indexOf(NEWLINE, start);
      if (end < 0) break;
      this.#line(piece, start, end);
      start = end + 1;
    }
    if (start < piece.length) this.#rest = Buffer.from(piece.subarray(start));
  }

  finish(): CountMatrix["counts"] {
    if (this.#rest !== null) this.#line(this.#rest, 0, this.#rest.length);
    if (this.#seen < this.#head.nEntries) {
      return this.#fail(
        `is incomplete: it declares ${this.#head.nEntries} counts but has ${this.#seen}`,
        FROM_SPACE_RANGER,
      );
    }
    const { counts, duplicate, isDisturbed } = this.#builder.finish();
    if (duplicate) {
      return this.#fail(
        `has two counts for the gene ${this.#known.genes.symbol[duplicate.col]} in one spot`,
        FROM_SPACE_RANGER,
      );
    }
    if (isDisturbed) {
      this.#fail("is damaged (a few of its counts are out of order)", FROM_SPACE_RANGER);
    }
    return counts;
  }

  /**
   * Reads lines of the piece from `start` as long as they are plain. Returns where the first other one starts,
   * or `end`.
   */
  #plainLines(piece: Buffer, start: number, end: number): number {
    for (let at = start; ;) {
      takePlainLines(piece, at, end, this.#run);
      const { stop, n, barcode, features, values } = this.#run;
      if (n === 0) return at;
      at = stop;
      const within = Math.min(n, this.#head.nEntries - this.#seen);
      const row = barcode < this.#head.nBarcodes ? this.#known.rowOf[barcode] : -1;
      const entries = { features, featureStride: 1, values, valueStride: 1 };
      const taken =
        row >= 0 ? this.#builder.addRun(row, entries, 0, within, this.#known.genes.geneOf) : 0;
      this.#lineNumber += taken;
      this.#seen += taken;
      // The rest belongs to spots that are not kept, or is invalid; each entry is checked individually.
      for (let k = taken; k < n; k++) {
        this.#lineNumber++;
        this.#entry(features[k] + 1, barcode + 1, values[k]);
      }
    }
  }

  #fail(what: string, remedy: string): never {
    throw new InputError(`${this.#file} ${what}: ${remedy}.`);
  }

  #line(bytes: Buffer, start: number, end: number): void {
    this.#lineNumber++;
    if (end > start && bytes[end - 1] === 13) end--;
    const isHead = this.#lineNumber <= this.#head.nLines;
    if (isHead || start === end || bytes[start] === 37) return;
    const text = bytes.toString("latin1", start, end);
    if (this.#head.format === "array") {
      this.#value(text);
      return;
    }
    const [row = 0, col = 0, value = Number.NaN, ...more] = text.trim().split(/\s+/).map(Number);
    if (more.length > 0 || !Number.isInteger(value) || value < 0) this.#refuse(text);
    this.#entry(row, col, value);
  }

  #refuse(text: string): never {
    return this.#fail(
      `has an invalid count in line ${this.#lineNumber} ("${text.slice(0, 40)}")`,
      "raw counts (whole numbers) are needed, not normalized values; export the counts before normalization",
    );
  }

  /** The next value of a matrix that lists all of them, column by column. */
  #value(text: string): void {
    const value = text.trim() === "" ? Number.NaN : Number(text);
    if (!Number.isInteger(value) || value < 0) this.#refuse(text);
    const nRows = this.#head.isTransposed ? this.#head.nBarcodes : this.#head.nFeatures;
    const [row, col] = [this.#seen % nRows, Math.floor(this.#seen / nRows)];
    this.#entry(row + 1, col + 1, value);
  }

  /** Adds the entry of a row and a column, which are 1-based. */
  #entry(row: number, col: number, value: number): void {
    const [feature, barcode] = this.#head.isTransposed ? [col, row] : [row, col];
    if (!(
      Number.isInteger(feature) &&
      Number.isInteger(barcode) &&
      feature >= 1 &&
      feature <= this.#head.nFeatures &&
      barcode >= 1 &&
      barcode <= this.#head.nBarcodes
    )) {
      this.#fail(
        `has feature ${feature} and barcode ${barcode} in line ${this.#lineNumber}, outside its size of ${this.#head.nFeatures} × ${this.#head.nBarcodes}`,
        FROM_SPACE_RANGER,
      );
    }
    if (++this.#seen > this.#head.nEntries) {
      this.#fail(`has more counts than the ${this.#head.nEntries} it declares`, FROM_SPACE_RANGER);
    }
    if (value >= TOO_MANY_UMIS) {
      this.#fail(
        `has ${value} UMIs in line ${this.#lineNumber}, which is impossible`,
        FROM_SPACE_RANGER,
      );
    }
    const spot = this.#known.rowOf[barcode - 1];
    const gene = this.#known.genes.geneOf[feature - 1];
    if (spot >= 0 && gene >= 0 && value > 0) this.#builder.add(spot, gene, value);
  }
}
