import { text } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import {
  LARGEST_JSON,
  LONGEST_LINE,
  mostUnpackedPicture,
  mostUnpackedText,
} from "@stipple/pipeline/readers/limits";
import type { Storage } from "../storage/storage.ts";

const NEWLINE = 10;

/**
 * A quick check of a file that has just been assembled: is it what its name says, and is it complete? Returns one
 * sentence that names the file and says what to do, or null if nothing is wrong. O(file) for gzip, which is
 * decompressed in pieces up to its checksum, but never far beyond the size to which text expands; otherwise a few
 * bytes. Never holds a file in memory. `signal` ends the check early, with its reason.
 */
export async function faultOfFile(
  storage: Storage,
  key: string,
  fileName: string,
  extension: string,
  signal?: AbortSignal,
): Promise<string | null> {
  const info = await storage.stat(key);
  const size = info?.size ?? 0;
  if (size === 0) return `${fileName} is empty. Export or download it again, then upload it.`;
  const bytes = async (start: number, count: number): Promise<Buffer> =>
    Buffer.concat(
      await collect(
        await storage.get(key, {
          start: Math.max(0, start),
          end: Math.min(size, start + count) - 1,
        }),
      ),
    );
  const head = await bytes(0, 512);

  if (extension.endsWith(".gz")) {
    // Not opened for other files: a refused file is removed, and a stream opened after that would fail with no
    // listener.
    return isGzip(head)
      ? faultOfGzip(await storage.get(key), { fileName, size, signal })
      : `${fileName} is not a gzip file. Compress it with gzip, or upload the file as Space Ranger wrote it.`;
  }
  switch (extension) {
    case ".tif":
    case ".tiff":
    case ".btf":
      return isTiff(head)
        ? null
        : `${fileName} is not a TIFF image, although it is named ${extension}. Upload the original full-resolution microscope image.`;
    case ".jpg":
    case ".jpeg":
      return head.subarray(0, 3).toString("latin1") === "\xff\xd8\xff"
        ? null
        : `${fileName} is not a JPEG image, although it is named ${extension}. Upload the original image.`;
    case ".tsv":
      return head.includes("\t") && !head.includes(0)
        ? null
        : `${fileName} is not a table: its first part has no tab. Upload it as a tab-separated file.`;
    case ".png":
      if (
        head.subarray(0, 8).toString("latin1") !== "\x89PNG\r\n\x1a\n" ||
        (await bytes(size - 12, 12)).subarray(4, 8).toString("latin1") !== "IEND"
      ) {
        return `${fileName} is not a complete PNG image. Upload the file from Space Ranger's spatial folder again.`;
      }
      return pixelBytes(head) <= mostUnpackedPicture(size)
        ? null
        : `${fileName} would unpack to far more pixels than its ${size} bytes suggest. Upload the file from Space Ranger's spatial folder again.`;
    case ".h5":
      return head.subarray(0, 8).toString("latin1") === "\x89HDF\r\n\x1a\n"
        ? null
        : `${fileName} is not an HDF5 file. Upload filtered_feature_bc_matrix.h5 from Space Ranger's outs folder.`;
    case ".h5ad":
      return head.subarray(0, 8).toString("latin1") === "\x89HDF\r\n\x1a\n"
        ? null
        : `${fileName} is not an h5ad file. Write it with anndata's write_h5ad and upload it again.`;
    case ".parquet":
      return head.subarray(0, 4).toString("latin1") === "PAR1" &&
        (await bytes(size - 4, 4)).toString("latin1") === "PAR1"
        ? null
        : `${fileName} is not a complete Parquet file. Upload tissue_positions.parquet from Space Ranger's spatial folder again.`;
    case ".csv":
      return (head.toString("utf8").split(/\r?\n/, 1)[0] ?? "").split(",").length >= 6
        ? null
        : `${fileName} is not a table of spot positions: its first line has fewer than 6 comma-separated columns. Upload tissue_positions.csv from Space Ranger's spatial folder.`;
    case ".geojson":
      return /^\s*\{/.test(head.toString("utf8"))
        ? null
        : `${fileName} is not a GeoJSON file with outlines. Upload cell_segmentations.geojson from Space Ranger's segmented_outputs folder.`;
    case ".json":
      return faultOfJson(storage, key, size, fileName);
    default:
      return null;
  }
}

/** Classic TIFF and BigTIFF of either byte order. */
function isTiff(head: Buffer): boolean {
  const order = head.toString("latin1", 0, 2);
  if (head.length < 8 || (order !== "II" && order !== "MM")) return false;
  const magic = order === "II" ? head.readUInt16LE(2) : head.readUInt16BE(2);
  return magic === 42 || magic === 43;
}

/** Bytes of the pixels that a PNG's header announces, 0 where it announces none. */
function pixelBytes(head: Buffer): number {
  if (head.length < 26 || head.toString("latin1", 12, 16) !== "IHDR") return 0;
  const samples = { 2: 3, 4: 2, 6: 4 }[head[25]!] ?? 1;
  return (head.readUInt32BE(16) * head.readUInt32BE(20) * samples * head[24]!) / 8;
}

function isGzip(head: Buffer): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

async function faultOfGzip(
  source: Readable,
  { fileName, size, signal }: { fileName: string; size: number; signal: AbortSignal | undefined },
): Promise<string | null> {
  const look = new TextLook(mostUnpackedText(size));
  try {
    await pipeline(source, createGunzip(), look, { signal });
  } catch (error) {
    if (error instanceof Unbelievable) {
      return `${fileName} ${error.message}. Upload the file as Space Ranger wrote it.`;
    }
    if (!String((error as NodeJS.ErrnoException).code).startsWith("Z_")) throw error;
    return `${fileName} is truncated or damaged: it does not unpack completely. Copy or download it again, then upload it.`;
  }
  return look.bytes > 0
    ? null
    : `${fileName} contains an empty file. Export it again, then upload it.`;
}

/** Text that would fill a machine's memory or time. */
class Unbelievable extends Error {}

/** Looks at unpacked text as it passes: its length, and that its lines end. Fails with {@link Unbelievable}. */
class TextLook extends Writable {
  bytes = 0;
  #line = 0;
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  override _write(piece: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.bytes += piece.length;
    // Pieces are far shorter than a line may be: only lines across several matter.
    const last = piece.lastIndexOf(NEWLINE);
    const first = piece.indexOf(NEWLINE);
    const longest = this.#line + (first < 0 ? piece.length : first);
    this.#line = last < 0 ? longest : piece.length - last - 1;
    if (this.bytes > this.#most) {
      done(new Unbelievable(`unpacks to more than ${this.#most} bytes, far more than text would`));
    } else if (longest > LONGEST_LINE) {
      done(new Unbelievable(`has a line of more than ${LONGEST_LINE} bytes`));
    } else {
      done();
    }
  }
}

async function faultOfJson(
  storage: Storage,
  key: string,
  size: number,
  fileName: string,
): Promise<string | null> {
  const fault = `${fileName} is not a JSON file of scale factors. Upload scalefactors_json.json from Space Ranger's spatial folder.`;
  if (size > LARGEST_JSON) return fault;
  try {
    const value: unknown = JSON.parse(await text(await storage.get(key)));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? null : fault;
  } catch (error) {
    if (error instanceof SyntaxError) return fault;
    throw error;
  }
}

async function collect(source: Readable): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const piece of source) pieces.push(piece as Buffer);
  return pieces;
}
