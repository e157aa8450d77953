import { open, type FileHandle } from "node:fs/promises";
import { DATASPACE, FILTERS, headerMessages, LAYOUT } from "../messages.ts";
import { chunkTree } from "./chunk-tree.ts";
import { CHUNK, type ChunkSpool, type SpooledChunk } from "./chunk-spool.ts";

/** A one-dimensional dataset of 4-byte values that was created without any chunk. */
export interface SpooledDataset {
  /** Address of its object header in the file. */
  header: number;
  /** Elements. */
  length: number;
  chunks: readonly SpooledChunk[];
}

/** Where the superblock (version 0) stores the length of the file. */
const END_OF_FILE = 40;
const UNDEFINED = 0xffff_ffff_ffff_ffffn;

/**
 * Writes bytes of HDF5 directly, because h5wasm has no call for it: chunks compressed by several threads would need
 * H5Dwrite_chunk, and the library itself compresses one after another (docs/decisions/0046).
 *
 * Gives the datasets of a closed HDF5 file their chunks: appends the chunks and an index for each dataset, and writes
 * the length, filters (shuffle, deflate), and index address into the header. The file must have been created in the
 * earliest version of the format, in which none of this is covered by a checksum. Fields as in "HDF5 File Format
 * Specification 3.0".
 */
export async function placeChunks(
  path: string,
  spool: ChunkSpool,
  datasets: readonly SpooledDataset[],
): Promise<void> {
  // The file would otherwise claim to be longer than it is.
  if (datasets.every(({ length }) => length === 0)) return;
  const file = await open(path, "r+");
  try {
    const { size } = await file.stat();
    const start = aligned(size);
    let end = aligned(await spool.copyTo(file, start));
    for (const { header, length, chunks } of datasets) {
      if (length === 0) continue;
      const placed = chunks.map(({ at, bytes }) => ({ at: start + at, bytes }));
      const tree = chunkTree(placed, CHUNK, end);
      await file.write(tree.bytes, 0, tree.bytes.length, end);
      end += tree.bytes.length;
      await describe(file, header, length, tree.root);
    }
    await putAddress(file, END_OF_FILE, end);
  } finally {
    await file.close();
  }
}

/** Fills in what the header left open. */
async function describe(
  file: FileHandle,
  header: number,
  length: number,
  index: number,
): Promise<void> {
  for await (const { type, at, bytes } of headerMessages(file, header)) {
    if (type === DATASPACE) await putAddress(file, at + 8, length);
    if (type === LAYOUT) {
      if (bytes.readBigUInt64LE(3) !== UNDEFINED) throw new Error("The dataset already has chunks");
      await putAddress(file, at + 3, index);
    }
    if (type === FILTERS) await file.write(filters(bytes.length), 0, bytes.length, at);
  }
}

/** Shuffle, then deflate, as a version 2 message, which fits where version 1 held deflate alone. */
function filters(size: number): Buffer {
  const SHUFFLE = [2, 0, 0, 0, 1, 0, 4, 0, 0, 0];
  const DEFLATE = [1, 0, 0, 0, 1, 0, 1, 0, 0, 0];
  const message = Buffer.alloc(size);
  message.set([2, 2, ...SHUFFLE, ...DEFLATE]);
  return message;
}

async function putAddress(file: FileHandle, position: number, value: number): Promise<void> {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  await file.write(bytes, 0, 8, position);
}

function aligned(position: number): number {
  return 8 * Math.ceil(position / 8);
}
