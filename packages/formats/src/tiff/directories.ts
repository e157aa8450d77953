import type { FileHandle } from "node:fs/promises";

/** A file, or an object in storage, that is read in pieces. `read` returns fewer bytes only at its end. */
export interface ByteSource {
  size: number;
  read(offset: number, length: number): Promise<Buffer>;
}

/** A problem with a TIFF's directories; the message completes a sentence that starts with the file's name. */
export class TiffFault extends Error {
  override readonly name = "TiffFault";
}

/** Rejects the file; `what` completes a sentence that starts with its name. */
export function refuse(what: string): never {
  throw new TiffFault(what);
}

/** What to do about pixels of a kind that cannot be read. */
export const CONVERT =
  "save it as an 8-bit RGB TIFF (or 16-bit channels for fluorescence) and try again";

const TAGS = {
  NewSubfileType: 254,
  ImageWidth: 256,
  ImageLength: 257,
  BitsPerSample: 258,
  Compression: 259,
  PhotometricInterpretation: 262,
  FillOrder: 266,
  ImageDescription: 270,
  StripOffsets: 273,
  Orientation: 274,
  SamplesPerPixel: 277,
  RowsPerStrip: 278,
  StripByteCounts: 279,
  XResolution: 282,
  PlanarConfiguration: 284,
  PageName: 285,
  ResolutionUnit: 296,
  Predictor: 317,
  ColorMap: 320,
  TileWidth: 322,
  TileLength: 323,
  TileOffsets: 324,
  TileByteCounts: 325,
  SubIFDs: 330,
  ExtraSamples: 338,
  SampleFormat: 339,
} as const;
export type TiffTag = keyof typeof TAGS;
const NAMES = new Map<number, TiffTag>(
  Object.entries(TAGS).map(([name, number]) => [number, name as TiffTag]),
);

type Read = Extract<keyof DataView, `get${string}`>;
/** How the values of each tag type are read, the bytes of one, and the numbers in it. */
const TYPES: Record<number, readonly [read: Read, bytes: number, numbers?: 2]> = {
  ...{ 1: ["getUint8", 1], 2: ["getUint8", 1], 3: ["getUint16", 2], 4: ["getUint32", 4] },
  ...{ 5: ["getUint32", 8, 2], 6: ["getInt8", 1], 7: ["getUint8", 1], 8: ["getInt16", 2] },
  ...{ 9: ["getInt32", 4], 10: ["getInt32", 8, 2], 11: ["getFloat32", 4] },
  ...{ 12: ["getFloat64", 8], 13: ["getUint32", 4], 16: ["getBigUint64", 8] },
  ...{ 17: ["getBigInt64", 8], 18: ["getBigUint64", 8] },
};

/**
 * Maximum images per file: channels and their smaller versions number a few hundred. libtiff accepts no more
 * tags per directory either.
 */
const MAX_DIRECTORIES = 10_000;
const MAX_TAGS = 4096;
const LONGEST_TEXT = 16 * 2 ** 20;

interface Entry {
  type: number;
  count: number;
  /** Offset of the values. */
  at: number;
  bytes: number;
}

/** Number format of a file's directories. */
interface Form {
  littleEndian: boolean;
  big: boolean;
}

const CUT_OFF =
  "is incomplete: its list of images is past the end of the file. Copy or upload it again";

/** The tags of one image; values are read on demand, and never more of them than the file contains. */
export class TiffDirectory {
  readonly littleEndian: boolean;
  readonly #source: ByteSource;
  readonly #entries: ReadonlyMap<TiffTag, Entry>;

  constructor(source: ByteSource, littleEndian: boolean, entries: ReadonlyMap<TiffTag, Entry>) {
    this.#source = source;
    this.littleEndian = littleEndian;
    this.#entries = entries;
  }

  /** Number of values of a tag; 0 if it is missing. */
  count(tag: TiffTag): number {
    return this.#entries.get(tag)?.count ?? 0;
  }

  /** Number of bytes in the file taken by a tag's values. */
  bytes(tag: TiffTag): number {
    return this.#entries.get(tag)?.bytes ?? 0;
  }

  /** The first `most` numbers of a tag, two per fraction; empty if it is missing. Throws {@link TiffFault}. */
  async numbers(tag: TiffTag, most = 65_536 * 3): Promise<number[]> {
    const entry = this.#entries.get(tag);
    if (!entry) return [];
    const count = Math.min(entry.count, most);
    const view = viewOf(await this.#values(entry, count));
    const [read, bytes, numbers = 1] = TYPES[entry.type];
    const step = bytes / numbers;
    const found: number[] = [];
    for (let at = 0; at < count * bytes; at += step) {
      found.push(Number(view[read](at, this.littleEndian)));
    }
    return found;
  }

  /** A tag's single integer. Throws {@link TiffFault} if it has several values or not an integer. */
  async one(tag: TiffTag, otherwise: number): Promise<number> {
    const count = this.count(tag);
    if (count === 0) return otherwise;
    const [value] = count === 1 ? await this.numbers(tag) : [];
    if (value !== undefined && Number.isSafeInteger(value) && value >= 0) return value;
    const what =
      count === 1 ? "a value that is not a whole number" : `${count} values instead of one`;
    throw new TiffFault(`is damaged: its tag ${tag} has ${what}. Export or copy it again`);
  }

  /** A tag's text without trailing NULs; empty if the tag is missing. Longer texts are truncated. */
  async text(tag: TiffTag, longest = LONGEST_TEXT): Promise<string> {
    const entry = this.#entries.get(tag);
    if (!entry || TYPES[entry.type][1] !== 1) return "";
    const bytes = await this.#values(entry, Math.min(entry.count, longest));
    return bytes.toString("utf8").replace(/\0+$/, "");
  }

  async #values({ type, at, bytes }: Entry, count: number): Promise<Buffer> {
    if (at + bytes > this.#source.size) {
      throw new TiffFault("is incomplete: its tags are past the end of the file");
    }
    return this.#source.read(at, count * TYPES[type][1]);
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** The directories of a TIFF file: its images, and those they reference as smaller versions. */
export class TiffDirectories {
  readonly images: readonly TiffDirectory[];
  readonly #source: ByteSource;
  readonly #form: Form;

  private constructor(source: ByteSource, form: Form, images: readonly TiffDirectory[]) {
    this.#source = source;
    this.#form = form;
    this.images = images;
  }

  /**
   * Traverses the file's list of images: each directory once, and no more bytes in total than the file has.
   * Throws {@link TiffFault}. O(directories).
   */
  static async read(source: ByteSource): Promise<TiffDirectories> {
    const head = await source.read(0, 16);
    const form = formOf(head);
    let next = longAt(viewOf(head), form.big ? 8 : 4, form);
    const images: TiffDirectory[] = [];
    const seen = new Set<number>();
    let total = 0;
    while (next !== 0) {
      if (seen.has(next)) {
        throw new TiffFault(
          "is damaged: its list of images loops back on itself. Export or copy it again",
        );
      }
      seen.add(next);
      if (images.length === MAX_DIRECTORIES) {
        throw new TiffFault(
          `contains more than ${MAX_DIRECTORIES} images. Save one plane (or a projection) with its channels and try again`,
        );
      }
      const read = await readDirectory(source, next, form);
      total += read.bytes;
      if (total > source.size) {
        throw new TiffFault("is damaged: its lists of tags overlap. Export or copy it again");
      }
      images.push(read.directory);
      next = read.next;
    }
    if (images.length === 0) throw new TiffFault("contains no image");
    return new TiffDirectories(source, form, images);
  }

  /** The directory at `offset`, as referenced by SubIFDs. Throws {@link TiffFault}. */
  async at(offset: number): Promise<TiffDirectory> {
    return (await readDirectory(this.#source, offset, this.#form)).directory;
  }
}

function formOf(head: Buffer): Form {
  const order = head.toString("latin1", 0, 2);
  const littleEndian = order === "II";
  const magic = head.length >= 8 ? viewOf(head).getUint16(2, littleEndian) : 0;
  const big = magic === 43;
  const known = order === "II" || order === "MM";
  const sizes = big && head.length === 16 && (littleEndian ? head[4] : head[5]) === 8;
  if (!known || !(magic === 42 || sizes)) {
    throw new TiffFault("is damaged: its TIFF header cannot be read. Export or copy it again");
  }
  return { littleEndian, big };
}

/** An offset or a number of values; rounded above 2⁵³, which is beyond any file size. */
function longAt(view: DataView, at: number, { littleEndian, big }: Form): number {
  return big ? Number(view.getBigUint64(at, littleEndian)) : view.getUint32(at, littleEndian);
}

async function readDirectory(
  source: ByteSource,
  offset: number,
  form: Form,
): Promise<{ directory: TiffDirectory; next: number; bytes: number }> {
  const { big, littleEndian } = form;
  const [countBytes, entryBytes, valueBytes, nextBytes] = big ? [8, 20, 8, 8] : [2, 12, 4, 4];
  if (offset + countBytes > source.size) throw new TiffFault(CUT_OFF);
  const head = viewOf(await source.read(offset, countBytes));
  const count = big ? longAt(head, 0, form) : head.getUint16(0, littleEndian);
  if (count > MAX_TAGS) {
    throw new TiffFault(
      `is damaged: an image in it has ${count} tags, more than any real image has. Export or copy it again`,
    );
  }
  const bytes = countBytes + count * entryBytes + nextBytes;
  const body = await source.read(offset + countBytes, bytes - countBytes);
  if (body.length < count * entryBytes) throw new TiffFault(CUT_OFF);
  const view = viewOf(body);
  const entries = new Map<TiffTag, Entry>();
  for (let i = 0; i < count; i++) {
    const start = i * entryBytes;
    const tag = NAMES.get(view.getUint16(start, littleEndian));
    const type = view.getUint16(start + 2, littleEndian);
    const each = TYPES[type]?.[1];
    if (tag === undefined || each === undefined || entries.has(tag)) continue;
    const values = longAt(view, start + 4, form);
    const length = values * each;
    const place = start + entryBytes - valueBytes;
    const isInside = length <= valueBytes;
    const at = isInside ? offset + countBytes + place : longAt(view, place, form);
    entries.set(tag, { type, count: values, at, bytes: length });
  }
  // Some writers omit the end of the last directory.
  const isWhole = body.length === bytes - countBytes;
  const next = isWhole ? longAt(view, count * entryBytes, form) : 0;
  return {
    directory: new TiffDirectory(source, littleEndian, entries),
    next,
    bytes: countBytes + body.length,
  };
}

/** An open file as a source of bytes. */
export async function sourceOf(file: FileHandle): Promise<ByteSource> {
  const { size } = await file.stat();
  return {
    size,
    async read(offset, length) {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - offset)));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, offset);
      return bytes.subarray(0, bytesRead);
    },
  };
}
