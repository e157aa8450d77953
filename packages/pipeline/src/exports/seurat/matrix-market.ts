import { open, type FileHandle } from "node:fs/promises";
import { constants, gzipSync } from "node:zlib";
import { writeGzipLines } from "../write-lines.ts";
import { CoordinateLines, GZIP_HEAD } from "./coordinate-lines.ts";

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
  readonly #file: FileHandle;
  readonly #kind: "integer" | "real";
  readonly #shape: [number, number];
  readonly #lines: CoordinateLines;
  #cells = 0;
  #entries = 0;

  private constructor(file: FileHandle, kind: "integer" | "real", shape: [number, number]) {
    this.#file = file;
    this.#kind = kind;
    this.#shape = shape;
    this.#lines = new CoordinateLines(shape[0], kind === "integer" ? null : fourDigits);
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
    const shape: [number, number] = [features.ids.length, barcodes.length];
    const file = await open(`${folder}/matrix.mtx.gz`, "w");
    await file.writeFile(Buffer.concat([head(kind, shape, 0), GZIP_HEAD]));
    return new MatrixMarketFolder(file, kind, shape);
  }

  /** Appends cells: `lengths` holds the number of entries of each. */
  async append(
    lengths: ArrayLike<number>,
    genes: ArrayLike<number>,
    values: ArrayLike<number>,
  ): Promise<void> {
    let k = 0;
    for (let i = 0; i < lengths.length; i++) {
      this.#cells += 1;
      for (const end = k + lengths[i]; k < end;) {
        k = this.#lines.take(this.#cells, genes, values, k, end);
        if (k < end) await this.#file.writeFile(this.#lines.flush());
      }
    }
    this.#entries += k;
  }

  async finish(): Promise<void> {
    try {
      await this.#file.writeFile(this.#lines.flush());
      await this.#file.writeFile(this.#lines.end());
      const bytes = head(this.#kind, this.#shape, this.#entries);
      await this.#file.write(bytes, 0, bytes.length, 0);
    } finally {
      await this.#file.close();
    }
  }
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
