import { type Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { faultOfHead, type Purpose } from "@stipple/contract/recognition/content";
import { contentKind, HEAD_BYTES } from "@stipple/contract/recognition/content-kind";
import { announcedBytes } from "@stipple/formats/hdf5/announced-bytes";
import {
  LARGEST_JSON,
  LONGEST_LINE,
  maxUnpackedPicture,
  maxUnpackedText,
} from "@stipple/formats/limits";
import type { Storage } from "../storage/storage.ts";

const NEWLINE = 10;

/**
 * A quick check of a file that has just been assembled: is it what its name says, and is it complete? Returns one
 * sentence that names the file and says what to do, or null if nothing is wrong. O(file) for gzip, which is
 * decompressed in pieces up to its checksum, but never far beyond the size to which text expands; otherwise a few
 * kilobytes. Never holds a file in memory.
 */
export async function faultOfFile(
  storage: Storage,
  key: string,
  { fileName, extension, slot }: { fileName: string; extension: string; slot: string },
): Promise<string | null> {
  const info = await storage.stat(key);
  const size = info?.size ?? 0;
  if (size === 0) return `${fileName} is empty. Export or download it again, then upload it.`;
  const bytes = async (start: number, count: number): Promise<Buffer> =>
    Buffer.concat(
      await Array.fromAsync<Buffer>(
        await storage.get(key, {
          start: Math.max(0, start),
          end: Math.min(size, start + count) - 1,
        }),
      ),
    );
  const head = await bytes(0, 4 * HEAD_BYTES);
  const role = slot as Purpose;

  if (extension.endsWith(".gz")) {
    // Not opened for other files: a refused file is removed, and a stream opened after that would fail with no
    // listener.
    return contentKind(head) === "gzip"
      ? faultOfGzip(await storage.get(key), { fileName, size, role })
      : `${fileName} is not a gzip file. Compress it with gzip, or upload the file as Space Ranger wrote it.`;
  }
  const fault = faultOfHead(role, fileName, head);
  if (fault !== null) return fault;
  switch (extension) {
    case ".png":
      // The readers go by content: a JPEG image stays one under another name.
      if (contentKind(head) !== "png") return null;
      if (!(await bytes(size - 4096, 4096)).includes("IEND", 0, "latin1")) {
        return `${fileName} is not a complete PNG image. Copy or download it again, then upload it.`;
      }
      return pixelBytes(head) <= maxUnpackedPicture(size)
        ? null
        : `${fileName} would unpack to far more pixels than its ${size} bytes suggest. Upload the file from Space Ranger's spatial folder again.`;
    case ".parquet":
      // Positions are read by content, too.
      if (role === "positions" && contentKind(head) !== "parquet") return null;
      return (await bytes(size - 4, 4)).toString("latin1") === "PAR1"
        ? null
        : `${fileName} is not a complete Parquet file. Copy or download it again, then upload it.`;
    case ".h5":
    case ".h5ad": {
      const announced = announcedBytes(head);
      return announced <= size
        ? null
        : `${fileName} is incomplete: it has ${size} of ${announced} bytes. Copy or download it again, then upload it.`;
    }
    case ".json":
      return role !== "scale" || size <= LARGEST_JSON
        ? null
        : `${fileName} is too large for scale factors. Upload scalefactors_json.json from Space Ranger's spatial folder.`;
    default:
      return null;
  }
}

/** Bytes of the pixels that a PNG's header announces, 0 where it announces none. */
function pixelBytes(head: Buffer): number {
  if (head.length < 26 || head.toString("latin1", 12, 16) !== "IHDR") return 0;
  const samples = { 2: 3, 4: 2, 6: 4 }[head[25]] ?? 1;
  return (head.readUInt32BE(16) * head.readUInt32BE(20) * samples * head[24]) / 8;
}

async function faultOfGzip(
  source: Readable,
  { fileName, size, role }: { fileName: string; size: number; role: Purpose },
): Promise<string | null> {
  const look = new TextLook(maxUnpackedText(size));
  try {
    await pipeline(source, createGunzip(), look);
  } catch (error) {
    if (error instanceof ImplausibleText) {
      return `${fileName} ${error.message}. Upload the file as Space Ranger wrote it.`;
    }
    if (!String((error as NodeJS.ErrnoException).code).startsWith("Z_")) throw error;
    return `${fileName} is truncated or damaged: it does not unpack completely. Copy or download it again, then upload it.`;
  }
  return look.bytes > 0
    ? faultOfHead(role, fileName, look.head)
    : `${fileName} contains an empty file. Export it again, then upload it.`;
}

/** Text that would fill a machine's memory or time. */
class ImplausibleText extends Error {}

/** Looks at unpacked text as it passes: its length, and that its lines end. Fails with {@link ImplausibleText}. */
class TextLook extends Writable {
  bytes = 0;
  /** The first of them. */
  head = Buffer.alloc(0);
  #line = 0;
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  override _write(piece: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.bytes += piece.length;
    const wanted = 4 * HEAD_BYTES - this.head.length;
    if (wanted > 0) this.head = Buffer.concat([this.head, piece.subarray(0, wanted)]);
    // Pieces are far shorter than a line may be: only lines across several matter.
    const last = piece.lastIndexOf(NEWLINE);
    const first = piece.indexOf(NEWLINE);
    const longest = this.#line + (first < 0 ? piece.length : first);
    this.#line = last < 0 ? longest : piece.length - last - 1;
    if (this.bytes > this.#most) {
      done(
        new ImplausibleText(`unpacks to more than ${this.#most} bytes, far more than text would`),
      );
    } else if (longest > LONGEST_LINE) {
      done(new ImplausibleText(`has a line of more than ${LONGEST_LINE} bytes`));
    } else {
      done();
    }
  }
}
