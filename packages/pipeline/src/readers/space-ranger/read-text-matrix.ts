import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { InputError, throwIfCancelled } from "../../errors.ts";
import { LONGEST_LINE, mostUnpackedText } from "../limits.ts";
import {
  type CountMatrix,
  type Genes,
  type ReadCountsOptions,
  rowsOfKept,
  selectGenes,
  SparseBuilder,
  TOO_MANY_UMIS,
} from "../counts/count-matrix.ts";
import { openPlainLines } from "../counts/plain-lines.ts";
import { readLines, readPiecesBeside, tooLongLine } from "../counts/read-text.ts";

/** Paths of the three files in a Matrix Market folder. */
export interface TextMatrixFiles {
  barcodes: string;
  features: string;
  matrix: string;
}

/** Reads barcodes.tsv(.gz), one per line. */
export async function readBarcodes(path: string): Promise<string[]> {
  const barcodes: string[] = [];
  for await (const line of readLines(path)) {
    const barcode = line.split("\t", 1)[0]!.trim().replaceAll('"', "");
    if (barcode !== "") barcodes.push(barcode);
  }
  requireSome(path, barcodes.length, "barcodes");
  return barcodes;
}

/** Reads features.tsv(.gz) or genes.tsv(.gz): id, symbol, and type, of which the last two may be missing. */
export async function readFeatures(path: string): Promise<Genes> {
  const ids: string[] = [];
  const symbols: string[] = [];
  const types: (string | undefined)[] = [];
  for await (const line of readLines(path)) {
    if (line === "") continue;
    const [id = "", symbol = "", type] = line.replaceAll('"', "").split("\t");
    ids.push(id.trim());
    symbols.push(symbol.trim());
    types.push(type?.trim());
  }
  requireSome(path, ids.length, "genes");
  const genes = selectGenes(ids, symbols, types);
  if (genes) return genes;
  const file = basename(path);
  throw new InputError(
    `${file} has no feature of the type Gene Expression (found: ${[...new Set(types)].slice(0, 3).join(", ")}): use the original Space Ranger file.`,
    { file },
  );
}

function requireSome(path: string, count: number, what: string): void {
  if (count > 0) return;
  const file = basename(path);
  throw new InputError(`${file} contains no ${what}: copy or upload it again.`, { file });
}

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
  const genes = await readFeatures(files.features);
  const keep = options.keep(barcodes);
  const { rowOf, nKept } = rowsOfKept(keep);
  const { size } = await stat(files.matrix);
  const parser = new EntryParser(files, { barcodes, genes, rowOf, nKept, size });
  for await (const piece of readPiecesBeside(files.matrix)) {
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
/** Mark that Windows editors put at the start of a text file. */
const BYTE_ORDER_MARK = Buffer.from("\ufeff");
/** Bytes of "1 1 1" and its line ending. */
const SHORTEST_ENTRY = 6;

/** Parses Matrix Market coordinate text from pieces that may split lines anywhere. */
class EntryParser {
  readonly #files: TextMatrixFiles;
  readonly #file: string;
  readonly #barcodes: string[];
  readonly #genes: Genes;
  readonly #rowOf: Int32Array;
  readonly #nKept: number;
  /** Maximum number of entries in a file of this size. */
  readonly #mostEntries: number;
  readonly #lines = openPlainLines();
  #rest: Buffer | null = null;
  #lineNumber = 0;
  #nFeatures = 0;
  #nBarcodes = 0;
  #nEntries = -1;
  #seen = 0;
  #builder: SparseBuilder | null = null;

  constructor(
    files: TextMatrixFiles,
    {
      barcodes,
      genes,
      rowOf,
      nKept,
      size,
    }: { barcodes: string[]; genes: Genes; rowOf: Int32Array; nKept: number; size: number },
  ) {
    this.#files = files;
    this.#mostEntries = mostUnpackedText(size) / SHORTEST_ENTRY;
    this.#file = basename(files.matrix);
    this.#barcodes = barcodes;
    this.#genes = genes;
    this.#rowOf = rowOf;
    this.#nKept = nKept;
  }

  get fraction(): number {
    return this.#nEntries > 0 ? this.#seen / this.#nEntries : 0;
  }

  take(piece: Buffer): void {
    let start = 0;
    if (this.#rest !== null) {
      const end = piece.indexOf(NEWLINE);
      if (end < 0) {
        this.#rest = Buffer.concat([this.#rest, piece]);
        if (this.#rest.length > LONGEST_LINE) {
          throw tooLongLine(this.#files.matrix, this.#lineNumber + 1);
        }
        return;
      }
      const joined = Buffer.concat([this.#rest, piece.subarray(0, end)]);
      this.#rest = null;
      this.#line(joined, 0, joined.length);
      start = end + 1;
    }
    const whole = piece.lastIndexOf(NEWLINE) + 1;
    this.#lines.put(piece);
    for (;;) {
      if (this.#builder !== null) start = this.#plainLines(start, whole);
      const end = piece.indexOf(NEWLINE, start);
      if (end < 0) break;
      this.#line(piece, start, end);
      start = end + 1;
    }
    if (start < piece.length) this.#rest = Buffer.from(piece.subarray(start));
  }

  finish(): CountMatrix["counts"] {
    if (this.#rest !== null) this.#line(this.#rest, 0, this.#rest.length);
    if (this.#builder === null) return this.#fail("has no size line and no matrix");
    if (this.#seen < this.#nEntries) {
      return this.#fail(
        `is incomplete: it declares ${this.#nEntries} counts but has ${this.#seen}`,
      );
    }
    const { counts, duplicate } = this.#builder.finish();
    if (duplicate) {
      return this.#fail(
        `has two counts for the gene ${this.#genes.symbol[duplicate.col]} in one spot`,
      );
    }
    return counts;
  }

  /**
   * Reads lines of the piece from `start` as long as they are plain. Returns where the first other one starts,
   * or `end`.
   */
  #plainLines(start: number, end: number): number {
    for (let at = start; ;) {
      const { stop, n, barcode, features, values } = this.#lines.take(at, end);
      if (n === 0) return at;
      at = stop;
      const within = Math.min(n, this.#nEntries - this.#seen);
      const row = barcode < this.#nBarcodes ? this.#rowOf[barcode]! : -1;
      const entries = { features, featureStride: 1, values, valueStride: 1 };
      const taken =
        row >= 0 ? this.#builder!.addRun(row, entries, 0, within, this.#genes.geneOf) : 0;
      this.#lineNumber += taken;
      this.#seen += taken;
      // The rest belongs to spots that are not kept, or is invalid; each entry is checked individually.
      for (let k = taken; k < n; k++) {
        this.#lineNumber++;
        this.#entry(features[k]! + 1, barcode + 1, values[k]!);
      }
    }
  }

  #fail(what: string): never {
    throw new InputError(`${this.#file} ${what}: copy or upload the original Space Ranger file.`, {
      file: this.#file,
    });
  }

  #line(bytes: Buffer, start: number, end: number): void {
    this.#lineNumber++;
    if (this.#lineNumber === 1 && bytes.subarray(start, end).indexOf(BYTE_ORDER_MARK) === 0) {
      start += BYTE_ORDER_MARK.length;
    }
    if (end > start && bytes[end - 1] === 13) end--;
    if (start === end || bytes[start] === 37) {
      if (this.#lineNumber === 1) this.#banner(bytes.toString("latin1", start, end));
      return;
    }
    if (this.#lineNumber === 1) this.#banner("");
    if (this.#builder === null) {
      this.#size(bytes.toString("latin1", start, end));
      return;
    }
    // Three runs of digits separated by blanks; anything else takes the slow path.
    let at = start;
    let field = 0;
    let a = 0;
    let b = 0;
    let value = 0;
    let digits = 0;
    for (; at < end; at++) {
      const code = bytes[at]!;
      if (code >= 48 && code <= 57) {
        value = value * 10 + (code - 48);
        digits++;
      } else if (code === 32 || code === 9) {
        if (digits === 0) continue;
        if (field === 0) a = value;
        else if (field === 1) b = value;
        else break;
        field++;
        value = 0;
        digits = 0;
      } else {
        break;
      }
    }
    if (at < end || field !== 2 || digits === 0) {
      const text = bytes.toString("latin1", start, end);
      const parts = text.trim().split(/\s+/);
      a = Number(parts[0]);
      b = Number(parts[1]);
      value = Number(parts[2]);
      if (parts.length !== 3 || !Number.isInteger(value) || value < 0) {
        this.#fail(
          `has an invalid count in line ${this.#lineNumber} ("${text.slice(0, 40)}"): raw counts (whole numbers) are needed, not normalized values`,
        );
      }
    }
    this.#entry(a, b, value);
  }

  #banner(line: string): void {
    if (!/^%%MatrixMarket\s+matrix\s+coordinate\s/i.test(line)) {
      this.#fail("is not a Matrix Market file");
    }
  }

  #size(line: string): void {
    const [nFeatures, nBarcodes, nEntries] = line.trim().split(/\s+/).map(Number);
    if (
      ![nFeatures, nBarcodes, nEntries].every((n) => Number.isSafeInteger(n) && n! >= 0) ||
      nEntries! > nFeatures! * nBarcodes! ||
      nEntries! > this.#mostEntries
    ) {
      this.#fail(`has an invalid size in line ${this.#lineNumber} ("${line.slice(0, 40)}")`);
    }
    const listedFeatures = this.#genes.geneOf.length;
    const listedBarcodes = this.#barcodes.length;
    const isTransposed = nFeatures === listedBarcodes && nBarcodes === listedFeatures;
    if (isTransposed && nFeatures !== nBarcodes) {
      this.#fail("has barcodes in rows and genes in columns instead of the reverse");
    }
    const mismatch = (path: string, listed: number, announced: number, what: string): never => {
      const file = basename(path);
      throw new InputError(
        `${this.#file} has ${announced} ${what}, but ${file} lists ${listed}: the files are from different samples; take all three from one filtered_feature_bc_matrix folder.`,
        { file },
      );
    };
    if (nBarcodes !== listedBarcodes) {
      mismatch(this.#files.barcodes, listedBarcodes, nBarcodes!, "barcodes");
    }
    if (nFeatures !== listedFeatures) {
      mismatch(this.#files.features, listedFeatures, nFeatures!, "features");
    }
    this.#nFeatures = nFeatures!;
    this.#nBarcodes = nBarcodes!;
    this.#nEntries = nEntries!;
    this.#builder = new SparseBuilder(this.#nKept, this.#genes.id.length, nEntries!);
  }

  #entry(feature: number, barcode: number, value: number): void {
    if (!(
      feature >= 1 &&
      feature <= this.#nFeatures &&
      barcode >= 1 &&
      barcode <= this.#nBarcodes
    )) {
      this.#fail(
        `has feature ${feature} and barcode ${barcode} in line ${this.#lineNumber}, outside its size of ${this.#nFeatures} × ${this.#nBarcodes}`,
      );
    }
    if (++this.#seen > this.#nEntries) {
      this.#fail(`has more counts than the ${this.#nEntries} it declares`);
    }
    if (value >= TOO_MANY_UMIS) {
      this.#fail(`has ${value} UMIs in line ${this.#lineNumber}, which is impossible`);
    }
    const row = this.#rowOf[barcode - 1]!;
    const gene = this.#genes.geneOf[feature - 1]!;
    if (row >= 0 && gene >= 0 && value > 0) this.#builder!.add(row, gene, value);
  }
}
