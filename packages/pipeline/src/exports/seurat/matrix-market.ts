import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { once } from "node:events";
import { finished } from "node:stream/promises";
import { constants, createGzip, gzipSync } from "node:zlib";
import { writeGzipLines } from "../write-lines.ts";

/** Bytes written at a time, and more than a line takes. */
const PIECE = 1 << 20;
const LINE = 64;
/** Room for the head, whose number of entries is known only in the end. */
const HEAD_BYTES = 160;

export interface MexFeatures {
  ids: readonly string[];
  names: readonly string[];
}

/**
 * A folder as Space Ranger writes counts (matrix.mtx.gz, features.tsv.gz, barcodes.tsv.gz; genes × cells), written
 * cell by cell. The head of the matrix is a gzip member of its own, stored uncompressed, that `finish` fills in.
 */
export class MatrixMarketFolder {
  readonly #path: string;
  readonly #kind: "integer" | "real";
  readonly #shape: [number, number];
  readonly #gzip = createGzip({ level: 1 });
  readonly #done: Promise<void>;
  #cells = 0;
  #entries = 0;
  /** Lines as bytes: as text, most of the time would go into joining and collecting strings. */
  #piece: Buffer<ArrayBuffer> = Buffer.allocUnsafe(PIECE);
  #filled = 0;
  /** Pieces that have been compressed, whose memory is used again. */
  readonly #spare: Buffer<ArrayBuffer>[] = [];

  private constructor(path: string, kind: "integer" | "real", shape: [number, number]) {
    this.#path = path;
    this.#kind = kind;
    this.#shape = shape;
    const file = createWriteStream(path);
    file.write(head(kind, shape, 0));
    this.#gzip.pipe(file);
    this.#gzip.on("error", (error) => file.destroy(error));
    this.#done = finished(file);
    // Heard of in `finish`; until then it must not count as unhandled.
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
    let k = 0;
    const areCounts = this.#kind === "integer";
    for (let i = 0; i < lengths.length; i++) {
      this.#cells += 1;
      for (const end = k + lengths[i]; k < end; k++) {
        const piece = this.#piece;
        let at = putDigits(piece, this.#filled, genes[k] + 1);
        piece[at++] = SPACE;
        at = putDigits(piece, at, this.#cells);
        piece[at++] = SPACE;
        const value = values[k];
        at = areCounts ? putDigits(piece, at, value) : putText(piece, at, fourDigits(value));
        piece[at++] = NEWLINE;
        this.#filled = at;
        if (at > PIECE - LINE) await this.#flush();
      }
    }
    this.#entries += k;
  }

  async finish(): Promise<void> {
    await this.#flush();
    this.#gzip.end();
    await this.#done;
    const file = await open(this.#path, "r+");
    try {
      const bytes = head(this.#kind, this.#shape, this.#entries);
      await file.write(bytes, 0, bytes.length, 0);
    } finally {
      await file.close();
    }
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

const [ZERO, SPACE, NEWLINE] = [48, 32, 10];

/** Writes a whole number, not negative, at `at`; returns where it ends. */
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

/** The same for text without special characters. */
function putText(bytes: Buffer, at: number, text: string): number {
  for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i);
  return at + text.length;
}

/** Texts of numbers of four digits, by exponent and digits: there are few, and making one takes a microsecond. */
const texts = new Map<number, string[]>();

/** The four leading digits of a number, not negative, written as JavaScript writes numbers. */
export function fourDigits(value: number): string {
  if (!(value > 0)) return String(value);
  const exponent = Math.floor(Math.log10(value)) - 3;
  // Not times a negative power of ten, which is not exact.
  const digits = Math.round(exponent < 0 ? value * 10 ** -exponent : value / 10 ** exponent);
  let known = texts.get(exponent);
  if (!known) texts.set(exponent, (known = []));
  return (known[digits] ??= String(Number(`${digits}e${exponent}`)));
}

/** Always of the same length. */
function head(kind: string, [rows, columns]: [number, number], entries: number): Buffer {
  const first = `%%MatrixMarket matrix coordinate ${kind} general\n`;
  const size = `\n${rows} ${columns} ${entries}\n`;
  const filler = "%".padEnd(HEAD_BYTES - first.length - size.length, " ");
  return gzipSync(first + filler + size, { level: constants.Z_NO_COMPRESSION });
}
