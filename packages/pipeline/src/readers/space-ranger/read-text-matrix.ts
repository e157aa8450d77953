import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { InputError, throwIfCancelled } from "../../errors.ts";
import { LONGEST_LINE, maxUnpackedText } from "@stipple/formats/limits";
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
import { FROM_SPACE_RANGER, matrixBanner, type MatrixFormat, matrixSize } from "./matrix-market.ts";
import { readBarcodes, readFeatures } from "./read-lists.ts";

/** Paths of the three files in a Matrix Market folder. */
export interface TextMatrixFiles {
  barcodes: string;
  features: string;
  matrix: string;
}

/** The same counts in another format; none of them is 0. */
interface OtherFormat {
  file: string;
  nCounts?: number;
}

/**
 * Streams counts from Matrix Market files: only the kept counts and 1 MB of text are in memory. Throws {@link
 * InputError} for files that do not belong together, truncated or damaged files, and values that are not
 * counts.
 */
export async function readTextMatrix(
  files: TextMatrixFiles,
  options: ReadCountsOptions & { other?: OtherFormat | null },
): Promise<CountMatrix> {
  const barcodes = await readBarcodes(files.barcodes);
  const genes = await readFeatures(files.features, options.features);
  const keep = options.keep(barcodes);
  const { rowOf, nKept } = rowsOfKept(keep);
  const { size } = await stat(files.matrix);
  const { other = null, warn } = options;
  const parser = new EntryParser({ files, barcodes, genes, rowOf, nKept, size, other, warn });
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
/** Bytes of "1 1 1" and its line ending, and of "0" and its line ending in a matrix with all values. */
const SHORTEST = { coordinate: 6, array: 2 } as const;
/** Counts for which memory is taken at first, where their number is not announced. */
const FIRST_COUNTS = 1 << 20;

const WANTED = {
  what: "the matrix",
  remedy: "use matrix.mtx.gz from the filtered_feature_bc_matrix folder",
};

/** What is known of a matrix before its text is read. */
interface Known {
  files: TextMatrixFiles;
  barcodes: string[];
  genes: Genes;
  /** Row of each kept barcode, −1 for the others. */
  rowOf: Int32Array;
  nKept: number;
  /** Bytes of the file. */
  size: number;
  other: OtherFormat | null;
  warn: ((message: string) => void) | undefined;
}

/** Parses Matrix Market coordinate text from pieces that may split lines anywhere. */
class EntryParser {
  readonly #known: Known;
  readonly #file: string;
  #format: MatrixFormat = "coordinate";
  /** Whether rows are barcodes and columns genes. */
  #isTransposed = false;
  readonly #run = new PlainRun();
  #rest: Buffer | null = null;
  #lineNumber = 0;
  #nFeatures = 0;
  #nBarcodes = 0;
  #nEntries = -1;
  #seen = 0;
  #builder: SparseBuilder | null = null;

  constructor(known: Known) {
    this.#known = known;
    this.#file = basename(known.files.matrix);
  }

  get fraction(): number {
    return this.#nEntries > 0 ? this.#seen / this.#nEntries : 0;
  }

  get #isUsual(): boolean {
    return this.#format === "coordinate" && !this.#isTransposed;
  }

  take(piece: Buffer): void {
    let start = 0;
    if (this.#rest !== null) {
      const end = piece.indexOf(NEWLINE);
      if (end < 0) {
        this.#rest = Buffer.concat([this.#rest, piece]);
        if (this.#rest.length > LONGEST_LINE) {
          throw tooLongLine(this.#known.files.matrix, this.#lineNumber + 1);
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
      if (this.#builder !== null && this.#isUsual) {
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
    if (this.#builder === null) {
      return this.#fail("has no size line and no matrix", FROM_SPACE_RANGER);
    }
    if (this.#seen < this.#nEntries) {
      return this.#fail(
        `is incomplete: it declares ${this.#nEntries} counts but has ${this.#seen}`,
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
      const within = Math.min(n, this.#nEntries - this.#seen);
      const row = barcode < this.#nBarcodes ? this.#known.rowOf[barcode] : -1;
      const entries = { features, featureStride: 1, values, valueStride: 1 };
      const taken =
        row >= 0 ? this.#builder!.addRun(row, entries, 0, within, this.#known.genes.geneOf) : 0;
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
    if (start === end || bytes[start] === 37) {
      if (this.#lineNumber === 1) this.#format = this.#banner(bytes.toString("latin1", start, end));
      return;
    }
    if (this.#lineNumber === 1) this.#banner("");
    if (this.#builder === null) {
      this.#size(bytes.toString("latin1", start, end));
      return;
    }
    const text = bytes.toString("latin1", start, end);
    if (this.#format === "array") {
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
    const nRows = this.#isTransposed ? this.#nBarcodes : this.#nFeatures;
    const [row, col] = [this.#seen % nRows, Math.floor(this.#seen / nRows)];
    this.#entry(row + 1, col + 1, value);
  }

  #banner(line: string): MatrixFormat {
    const banner = matrixBanner(line);
    return "format" in banner ? banner.format : this.#fail(banner.fault, banner.remedy);
  }

  #size(line: string): void {
    const size = matrixSize(line, this.#format);
    if (
      size === null ||
      size.nEntries > maxUnpackedText(this.#known.size) / SHORTEST[this.#format]
    ) {
      return this.#fail(
        `has an invalid size in line ${this.#lineNumber} ("${line.slice(0, 40)}")`,
        FROM_SPACE_RANGER,
      );
    }
    const { nRows, nCols, nEntries } = size;
    const listedFeatures = this.#known.genes.geneOf.length;
    const listedBarcodes = this.#known.barcodes.length;
    this.#isTransposed = nRows !== nCols && nRows === listedBarcodes && nCols === listedFeatures;
    if (this.#isTransposed) {
      this.#known.warn?.(
        `${this.#file} has spots in rows and genes in columns, by its size; it was read that way.`,
      );
    }
    const [nFeatures, nBarcodes] = this.#isTransposed ? [nCols, nRows] : [nRows, nCols];
    const mismatch = (path: string, listed: number, announced: number, what: string): never => {
      const file = basename(path);
      throw new InputError(
        `${this.#file} has ${announced} ${what}, but ${file} lists ${listed}: the files are from different samples; take all three from one filtered_feature_bc_matrix folder.`,
      );
    };
    if (nBarcodes !== listedBarcodes) {
      mismatch(this.#known.files.barcodes, listedBarcodes, nBarcodes, "barcodes");
    }
    if (nFeatures !== listedFeatures) {
      mismatch(this.#known.files.features, listedFeatures, nFeatures, "features");
    }
    const { file = "", nCounts = nEntries } = this.#known.other ?? {};
    if (nCounts !== nEntries && this.#format === "coordinate") {
      throw new InputError(
        `${this.#file} has ${nEntries} counts and ${file} ${nCounts}, for the same spots and genes: the files are from different runs; take both from one Space Ranger folder, or leave one out.`,
      );
    }
    this.#nFeatures = nFeatures;
    this.#nBarcodes = nBarcodes;
    this.#nEntries = nEntries;
    const capacity = this.#format === "array" ? Math.min(nEntries, FIRST_COUNTS) : nEntries;
    this.#builder = new SparseBuilder(this.#known.nKept, this.#known.genes.id.length, capacity);
  }

  /** Adds the entry of a row and a column, which are 1-based. */
  #entry(row: number, col: number, value: number): void {
    const [feature, barcode] = this.#isTransposed ? [col, row] : [row, col];
    if (!(
      Number.isInteger(feature) &&
      Number.isInteger(barcode) &&
      feature >= 1 &&
      feature <= this.#nFeatures &&
      barcode >= 1 &&
      barcode <= this.#nBarcodes
    )) {
      this.#fail(
        `has feature ${feature} and barcode ${barcode} in line ${this.#lineNumber}, outside its size of ${this.#nFeatures} × ${this.#nBarcodes}`,
        FROM_SPACE_RANGER,
      );
    }
    if (++this.#seen > this.#nEntries) {
      this.#fail(`has more counts than the ${this.#nEntries} it declares`, FROM_SPACE_RANGER);
    }
    if (value >= TOO_MANY_UMIS) {
      this.#fail(
        `has ${value} UMIs in line ${this.#lineNumber}, which is impossible`,
        FROM_SPACE_RANGER,
      );
    }
    const spot = this.#known.rowOf[barcode - 1];
    const gene = this.#known.genes.geneOf[feature - 1];
    if (spot >= 0 && gene >= 0 && value > 0) this.#builder!.add(spot, gene, value);
  }
}
