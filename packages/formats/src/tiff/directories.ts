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

/** Bytes per value of each tag type. */
const TYPE_BYTES: Record<number, number> = {
  ...{ 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8 },
  ...{ 13: 4, 16: 8, 17: 8, 18: 8 },
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
    const bytes = await this.#values(entry, count);
    return numbersIn(bytes, entry.type, count, this.littleEndian);
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
    if (!entry || TYPE_BYTES[entry.type] !== 1) return "";
    const bytes = await this.#values(entry, Math.min(entry.count, longest));
    return bytes.toString("utf8").replace(/\0+$/, "");
  }

  async #values({ type, at, bytes }: Entry, count: number): Promise<Buffer> {
    if (at + bytes > this.#source.size) {
      throw new TiffFault("is incomplete: its tags are past the end of the file");
    }
    return this.#source.read(at, count * TYPE_BYTES[type]);
  }
}

function numbersIn(bytes: Buffer, type: number, count: number, little: boolean): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const each = (n: number, step: number, read: (at: number) => number): number[] =>
    Array.from({ length: n }, (_, i) => read(i * step));
  switch (type) {
    case 3:
      return each(count, 2, (at) => view.getUint16(at, little));
    case 4:
    case 13:
      return each(count, 4, (at) => view.getUint32(at, little));
    case 5:
      return each(2 * count, 4, (at) => view.getUint32(at, little));
    case 6:
      return each(count, 1, (at) => view.getInt8(at));
    case 8:
      return each(count, 2, (at) => view.getInt16(at, little));
    case 9:
      return each(count, 4, (at) => view.getInt32(at, little));
    case 10:
      return each(2 * count, 4, (at) => view.getInt32(at, little));
    case 11:
      return each(count, 4, (at) => view.getFloat32(at, little));
    case 12:
      return each(count, 8, (at) => view.getFloat64(at, little));
    case 16:
    case 18:
      return each(count, 8, (at) => Number(view.getBigUint64(at, little)));
    case 17:
      return each(count, 8, (at) => Number(view.getBigInt64(at, little)));
    default:
      return [...bytes];
  }
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
    let next = form.big ? wide(head, 8, form) : word(head, 4, form);
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
  const magic = head.length >= 8 ? (littleEndian ? head.readUInt16LE(2) : head.readUInt16BE(2)) : 0;
  const big = magic === 43;
  const known = order === "II" || order === "MM";
  const sizes = big && head.length === 16 && (littleEndian ? head[4] : head[5]) === 8;
  if (!known || !(magic === 42 || sizes)) {
    throw new TiffFault("is damaged: its TIFF header cannot be read. Export or copy it again");
  }
  return { littleEndian, big };
}

function word(bytes: Buffer, at: number, { littleEndian }: Form): number {
  return littleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
}

function half(bytes: Buffer, at: number, { littleEndian }: Form): number {
  return littleEndian ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
}

/** Rounded above 2⁵³, which is beyond any file size. */
function wide(bytes: Buffer, at: number, { littleEndian }: Form): number {
  return Number(littleEndian ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
}

async function readDirectory(
  source: ByteSource,
  offset: number,
  form: Form,
): Promise<{ directory: TiffDirectory; next: number; bytes: number }> {
  const { big } = form;
  const [countBytes, entryBytes, valueBytes, nextBytes] = big ? [8, 20, 8, 8] : [2, 12, 4, 4];
  if (offset + countBytes > source.size) throw new TiffFault(CUT_OFF);
  const head = await source.read(offset, countBytes);
  const count = big ? wide(head, 0, form) : half(head, 0, form);
  if (count > MAX_TAGS) {
    throw new TiffFault(
      `is damaged: an image in it has ${count} tags, more than any real image has. Export or copy it again`,
    );
  }
  const bytes = countBytes + count * entryBytes + nextBytes;
  const body = await source.read(offset + countBytes, bytes - countBytes);
  if (body.length < count * entryBytes) throw new TiffFault(CUT_OFF);
  const entries = new Map<TiffTag, Entry>();
  for (let i = 0; i < count; i++) {
    const start = i * entryBytes;
    const tag = NAMES.get(half(body, start, form));
    const type = half(body, start + 2, form);
    const each = TYPE_BYTES[type];
    if (tag === undefined || each === undefined || entries.has(tag)) continue;
    const values = big ? wide(body, start + 4, form) : word(body, start + 4, form);
    const length = values * each;
    const place = start + entryBytes - valueBytes;
    const inside = length <= valueBytes;
    const at = inside
      ? offset + countBytes + place
      : big
        ? wide(body, place, form)
        : word(body, place, form);
    entries.set(tag, { type, count: values, at, bytes: length });
  }
  // Some writers omit the end of the last directory.
  const whole = body.length === bytes - countBytes;
  const after = count * entryBytes;
  const next = !whole ? 0 : big ? wide(body, after, form) : word(body, after, form);
  return {
    directory: new TiffDirectory(source, form.littleEndian, entries),
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
