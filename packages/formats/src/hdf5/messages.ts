import type { FileHandle } from "node:fs/promises";

/** A message in an HDF5 object header: its type, its location in the file, and its bytes. */
export interface HeaderMessage {
  type: number;
  at: number;
  bytes: Buffer;
}

export const DATASPACE = 0x01;
export const LAYOUT = 0x08;
export const FILTERS = 0x0b;
const CONTINUATION = 0x10;

/**
 * Maximum number of blocks of a header, and bytes per block: a dataset's header has one or two of a few hundred
 * bytes.
 */
const MAX_BLOCKS = 16;
const LARGEST_BLOCK = 1 << 16;

/**
 * The messages of a version 1 object header, including those in its continuation blocks: "HDF5 File Format
 * Specification 3.0", IV.A. Throws RangeError for another version, and for a header that does not end.
 */
export async function* headerMessages(
  file: FileHandle,
  header: number,
): AsyncGenerator<HeaderMessage> {
  const prefix = await readBytes(file, header, 16);
  if (prefix[0] !== 1) throw new RangeError(`An object header of version ${prefix[0]}`);
  const blocks = [{ at: header + 16, size: prefix.readUInt32LE(8) }];
  for (const { at, size } of blocks) {
    if (blocks.length > MAX_BLOCKS || size > LARGEST_BLOCK) {
      throw new RangeError("An object header without end");
    }
    const block = await readBytes(file, at, size);
    for (let next = 0; next + 8 <= size;) {
      const type = block.readUInt16LE(next);
      const bytes = block.subarray(next + 8, next + 8 + block.readUInt16LE(next + 2));
      if (type === CONTINUATION) {
        blocks.push({
          at: Number(bytes.readBigUInt64LE(0)),
          size: Number(bytes.readBigUInt64LE(8)),
        });
      } else yield { type, at: at + next + 8, bytes };
      next += 8 + bytes.length;
    }
  }
}

/** Reads bytes of a file. Throws RangeError if it ends earlier. */
export async function readBytes(
  file: FileHandle,
  position: number,
  length: number,
): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  if (bytesRead !== length) throw new RangeError("The HDF5 file ends early");
  return buffer;
}
