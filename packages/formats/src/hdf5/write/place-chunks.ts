import { open, type FileHandle } from "node:fs/promises";
import { DATASPACE, FILTERS, headerMessages, LAYOUT } from "../messages.ts";
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
  await using file = await open(path, "r+");
  const { size } = await file.stat();
  const start = aligned(size);
  let end = aligned(await spool.copyTo(file, start));
  for (const { header, length, chunks } of datasets) {
    if (length === 0) continue;
    const placed = chunks.map(({ at, bytes }) => ({ at: start + at, bytes }));
    const tree = chunkTree(placed, end);
    await file.write(tree.bytes, 0, tree.bytes.length, end);
    end += tree.bytes.length;
    await describe(file, header, length, tree.root);
  }
  await putAddress(file, END_OF_FILE, end);
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

/** Half of a node's maximum number of children: HDF5's default if the superblock gives no other number. */
const HALF = 32;
const MAX_CHILDREN = 2 * HALF;
/** Bytes of the chunk, skipped filters, offset in elements, offset within an element. */
const KEY = 24;
const NODE = 24 + (MAX_CHILDREN + 1) * KEY + MAX_CHILDREN * 8;

interface Child {
  /** Number of the first chunk below this node. */
  first: number;
  address: number;
  bytes: number;
}

/**
 * HDF5's index of the chunks of a one-dimensional dataset: a version 1 B-tree whose nodes follow one another from
 * `address` on. `chunks` are in order, with their positions in the file.
 */
function chunkTree(
  chunks: readonly SpooledChunk[],
  address: number,
): { bytes: Buffer; root: number } {
  const nodes: Buffer[] = [];
  let children: Child[] = chunks.map(({ at, bytes }, first) => ({ first, address: at, bytes }));
  for (let level = 0; level === 0 || children.length > 1; level++) {
    const groups = Array.from({ length: Math.ceil(children.length / MAX_CHILDREN) }, (_, i) =>
      children.slice(i * MAX_CHILDREN, (i + 1) * MAX_CHILDREN),
    );
    const start = address + nodes.length * NODE;
    groups.forEach((group, i) => {
      const next = groups[i + 1]?.[0];
      const end = next ?? { first: chunks.length, address: 0, bytes: 0 };
      nodes.push(
        node(level, group, end, {
          left: i > 0 ? start + (i - 1) * NODE : null,
          right: next ? start + (i + 1) * NODE : null,
        }),
      );
    });
    children = groups.map(([{ first, bytes }], i) => ({
      first,
      bytes,
      address: start + i * NODE,
    }));
  }
  return { bytes: Buffer.concat(nodes), root: children[0].address };
}

function node(
  level: number,
  children: readonly Child[],
  end: Child,
  siblings: { left: number | null; right: number | null },
): Buffer {
  const out = Buffer.alloc(NODE);
  out.write("TREE", 0, "latin1");
  // Kind of tree (1 = chunks), level, children.
  out[4] = 1;
  out[5] = level;
  out.writeUInt16LE(children.length, 6);
  const address = (value: number | null, at: number): number =>
    out.writeBigUInt64LE(value === null ? UNDEFINED : BigInt(value), at);
  address(siblings.left, 8);
  address(siblings.right, 16);
  const key = ({ first, bytes }: Child, at: number): void => {
    out.writeUInt32LE(bytes, at);
    out.writeBigUInt64LE(BigInt(first * CHUNK), at + 8);
  };
  let at = 24;
  for (const child of children) {
    key(child, at);
    address(child.address, at + KEY);
    at += KEY + 8;
  }
  key(end, at);
  return out;
}
