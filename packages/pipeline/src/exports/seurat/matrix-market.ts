import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { once } from "node:events";
import { finished } from "node:stream/promises";
import { constants, createGzip, gzipSync } from "node:zlib";
import { writeGzipLines } from "../write-lines.ts";

/** Bytes written at a time, and an upper bound for the length of a line. */
const PIECE = 1 << 20;
const LINE = 64;
/**
 * Repetitions are a line or two back. A window of 4 kB finds them just as fast and encodes them in fewer bits: files
 * are a tenth smaller. Output comes in larger pieces than Node's 16 kB, each of which takes a turn of the event loop.
 */
const GZIP = { level: 1, windowBits: 12, chunkSize: 1 << 18 };
/** Room for the header, whose number of entries is known only at the end. */
const HEAD_BYTES = 160;

export interface MexFeatures {
  ids: readonly string[];
  names: readonly string[];
}

/**
 * A folder of counts as Space Ranger writes it (matrix.mtx.gz, features.tsv.gz, barcodes.tsv.gz; genes × cells),
 * written cell by cell. The header of the matrix is a separate gzip member, stored uncompressed, that `finish` fills
 * in.
 */
export class MatrixMarketFolder {
  readonly #path: string;
  readonly #kind: "integer" | "real";
  readonly #shape: [number, number];
  readonly #gzip = createGzip(GZIP);
  readonly #done: Promise<void>;
  /** Gene numbers as text. */
  readonly #rows: Uint8Array;
  #cells = 0;
  #entries = 0;
  /** Lines as bytes: with strings, most of the time would go into concatenation and garbage collection. */
  #piece: Buffer<ArrayBuffer> = Buffer.allocUnsafe(PIECE);
  #filled = 0;
  /** Pieces already compressed, whose memory is reused. */
  readonly #spare: Buffer<ArrayBuffer>[] = [];

  private constructor(path: string, kind: "integer" | "real", shape: [number, number]) {
    this.#path = path;
    this.#kind = kind;
    this.#shape = shape;
    this.#rows = numbersAsText(shape[0]);
    const file = createWriteStream(path);
    file.write(head(kind, shape, 0));
    this.#gzip.pipe(file);
    this.#gzip.on("error", (error) => file.destroy(error));
    this.#done = finished(file);
    // Handled in `finish`; until then, a failure must not count as an unhandled rejection.
    this.#done.catch(() => undefined);
  }

  static async create(
    folder: string,
    kind: "integer" | "real",
    features: MexFeatures,
    barcodes: readonly string[],
  ): Promise<MatrixMarketFolder> {
    await writeGzipLines(
      `${folder}/features.tsv.gz`,
      features.ids.map((id, i) => `${id}\t${features.names[i]}\tGene Expression`),
    );
    await writeGzipLines(`${folder}/barcodes.tsv.gz`, barcodes);
    return new MatrixMarketFolder(`${folder}/matrix.mtx.gz`, kind, [
      features.ids.length,
      barcodes.length,
    ]);
  }

  /** Appends cells: `lengths` holds the number of entries of each. */
  async append(
    lengths: ArrayLike<number>,
    genes: ArrayLike<number>,
    values: ArrayLike<number>,
  ): Promise<void> {
    const put = this.#kind === "integer" ? putCounts : putRates;
    let k = 0;
    for (let i = 0; i < lengths.length; i++) {
      this.#cells += 1;
      const cell = Buffer.from(` ${this.#cells} `);
      for (const end = k + lengths[i]; k < end;) {
        const fits = Math.floor((PIECE - this.#filled) / LINE);
        const until = Math.min(end, k + fits);
        const lines = { rows: this.#rows, cell, genes, values, from: k, until };
        this.#filled = put(this.#piece, this.#filled, lines);
        k = until;
        if (this.#filled > PIECE - LINE) await this.#flush();
      }
    }
    this.#entries += k;
  }

  async finish(): Promise<void> {
    await this.#flush();
    this.#gzip.end();
    await this.#done;
    await using file = await open(this.#path, "r+");
    const bytes = head(this.#kind, this.#shape, this.#entries);
    await file.write(bytes, 0, bytes.length, 0);
  }

  async #flush(): Promise<void> {
    const full = this.#piece;
    const lines = full.subarray(0, this.#filled);
    this.#piece = this.#spare.pop() ?? Buffer.allocUnsafe(PIECE);
    this.#filled = 0;
    const isReady = this.#gzip.write(lines, (error) => {
      if (!error) this.#spare.push(full);
    });
    if (!isReady) await Promise.race([once(this.#gzip, "drain"), this.#done]);
  }
}

const [ZERO, NEWLINE] = [48, 10];

/** Some of a cell's lines, one gene each. */
interface Lines {
  /** See {@link numbersAsText}. */
  rows: Uint8Array;
  /** The cell number between spaces. */
  cell: Uint8Array;
  genes: ArrayLike<number>;
  values: ArrayLike<number>;
  from: number;
  until: number;
}

/** Writes lines of counts at `at`; returns the end position. */
function putCounts(bytes: Buffer, at: number, lines: Lines): number {
  const { rows, cell, genes, values, from, until } = lines;
  for (let k = from; k < until; k++) {
    at = putPlace(bytes, at, rows, genes[k], cell);
    const value = values[k];
    if (value < 10) bytes[at++] = ZERO + value;
    else at = putDigits(bytes, at, value);
    bytes[at++] = NEWLINE;
  }
  return at;
}

/** Puts lines of rates. */
function putRates(bytes: Buffer, at: number, lines: Lines): number {
  const { rows, cell, genes, values, from, until } = lines;
  for (let k = from; k < until; k++) {
    at = putPlace(bytes, at, rows, genes[k], cell);
    at = putText(bytes, at, fourDigits(values[k]));
    bytes[at++] = NEWLINE;
  }
  return at;
}

/** Bytes reserved for the text of a gene number, preceded by its length. */
const ROW_BYTES = 12;

/**
 * The numbers 1 … n as text, each preceded by its length: a loop over digits for every line would take most of the
 * time.
 */
function numbersAsText(n: number): Uint8Array {
  const texts = new Uint8Array(ROW_BYTES * n);
  for (let i = 0; i < n; i++) {
    const text = Buffer.from(String(i + 1));
    texts[ROW_BYTES * i] = text.length;
    texts.set(text, ROW_BYTES * i + 1);
  }
  return texts;
}

function putPlace(
  bytes: Buffer,
  at: number,
  rows: Uint8Array,
  gene: number,
  cell: Uint8Array,
): number {
  const row = ROW_BYTES * gene;
  const length = rows[row];
  for (let i = 1; i <= length; i++) bytes[at++] = rows[row + i];
  for (let i = 0; i < cell.length; i++) bytes[at++] = cell[i];
  return at;
}

/** Writes a non-negative integer at `at`; returns the end position. */
function putDigits(bytes: Buffer, at: number, value: number): number {
  let end = at + 1;
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) end++;
  for (let i = end - 1, rest = value; i >= at; i--) {
    const next = Math.floor(rest / 10);
    bytes[i] = ZERO + rest - 10 * next;
    rest = next;
  }
  return end;
}

/** Puts text without special characters. */
function putText(bytes: Buffer, at: number, text: string): number {
  for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i);
  return at + text.length;
}

/** Texts of four-digit numbers, by exponent and digits: there are few, and creating one takes a microsecond. */
const texts = new Map<number, string[]>();

/** The four leading digits of a non-negative number, in JavaScript's number format. */
export function fourDigits(value: number): string {
  if (!(value > 0)) return String(value);
  const exponent = Math.floor(Math.log10(value)) - 3;
  // Not multiplied by a negative power of ten, which is not exact.
  const digits = Math.round(exponent < 0 ? value * 10 ** -exponent : value / 10 ** exponent);
  let known = texts.get(exponent);
  if (!known) texts.set(exponent, (known = []));
  return (known[digits] ??= String(Number(`${digits}e${exponent}`)));
}

/** Always the same length. */
function head(kind: string, [rows, columns]: [number, number], entries: number): Buffer {
  const first = `%%MatrixMarket matrix coordinate ${kind} general\n`;
  const size = `\n${rows} ${columns} ${entries}\n`;
  const filler = "%".padEnd(HEAD_BYTES - first.length - size.length, " ");
  return gzipSync(first + filler + size, { level: constants.Z_NO_COMPRESSION });
}
