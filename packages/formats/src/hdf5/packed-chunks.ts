import type { FileHandle } from "node:fs/promises";
import type { Dataset } from "./library.ts";
import { headerMessages, LAYOUT, readBytes } from "./messages.ts";

/** Compressed chunks of a one-dimensional dataset, in order. */
export interface PackedChunks {
  /** Elements per chunk; the last chunk is padded. */
  length: number;
  /** Bytes per element. */
  size: 4 | 8;
  /** Whether the first bytes of all elements come first, then their second bytes, and so on. */
  isShuffled: boolean;
  places: readonly { at: number; bytes: number }[];
}

const [DEFLATE, SHUFFLE] = [1, 2];
const CHUNKED_VERSION_3 = [3, 2, 2];
/** Bytes of a node before its children, of a child's key, and of its address. */
const [HEAD, KEY, ADDRESS] = [24, 24, 8];
const DEEPEST = 8;
/** HDF5 unpacks smaller chunks faster: starting zlib from JavaScript takes about 50 µs. */
const MIN_BYTES = 32 * 1024;
/** Maximum size of a chunk relative to its content; deflate adds at most a thousandth. */
const MAX_GROWN = 2;

/**
 * Finds the compressed chunks of a dataset in the file. HDF5 knows where they are, but h5wasm neither reveals
 * it nor returns raw chunks. Null for anything except a complete list of deflated integer chunks in a version 1
 * index, as Space Ranger writes them; HDF5 itself reads the rest. O(chunks).
 */
export async function packedChunks(
  dataset: Dataset,
  file: FileHandle,
): Promise<PackedChunks | null> {
  const { metadata } = dataset;
  const { chunks, shape, size, littleEndian, type } = metadata;
  const [length, total] = [chunks?.[0] ?? 0, shape?.[0] ?? 0];
  const filters = dataset.filters.map(({ id }) => id);
  const isShuffled = filters[0] === SHUFFLE;
  const INTEGER = 0;
  if (
    chunks?.length !== 1 ||
    type !== INTEGER ||
    !littleEndian ||
    !(size === 4 || size === 8) ||
    length * size < MIN_BYTES ||
    total === 0 ||
    filters.join() !== (isShuffled ? [SHUFFLE, DEFLATE] : [DEFLATE]).join()
  ) {
    return null;
  }
  try {
    const header = Buffer.from(dataset.create_reference().ref_data).readBigUInt64LE(0);
    const root = await indexOf(file, Number(header));
    const { size: end } = await file.stat();
    const places = await leaves(file, root, {
      length,
      n: Math.ceil(total / length),
      most: MAX_GROWN * length * size,
      end,
    });
    return { length, size, isShuffled, places };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Address of a dataset's chunk index. */
async function indexOf(file: FileHandle, header: number): Promise<number> {
  for await (const { type, bytes } of headerMessages(file, header)) {
    if (type !== LAYOUT) continue;
    if (CHUNKED_VERSION_3.some((byte, i) => bytes[i] !== byte)) break;
    return Number(bytes.readBigUInt64LE(3));
  }
  throw new RangeError("Another layout");
}

/**
 * The chunks under a node of a version 1 B-tree (same specification, III.A.1). They must be contiguous from the
 * first element on, because HDF5 leaves out chunks that were never written.
 */
async function leaves(
  file: FileHandle,
  root: number,
  { length, n, most, end }: { length: number; n: number; most: number; end: number },
): Promise<PackedChunks["places"]> {
  const places: { at: number; bytes: number }[] = [];
  const visit = async (at: number, above: number): Promise<void> => {
    const head = await readBytes(file, at, HEAD);
    const [level, children] = [head[5], head.readUInt16LE(6)];
    const isNode = head.toString("latin1", 0, 4) === "TREE" && head[4] === 1;
    if (!isNode || level >= above || children === 0) throw new RangeError("No node of chunks");
    const body = await readBytes(file, at + HEAD, children * (KEY + ADDRESS));
    for (let next = 0; next < body.length; next += KEY + ADDRESS) {
      const address = Number(body.readBigUInt64LE(next + KEY));
      if (level > 0) {
        await visit(address, level);
        continue;
      }
      const [bytes, leftOut] = [body.readUInt32LE(next), body.readUInt32LE(next + 4)];
      const first = Number(body.readBigUInt64LE(next + 8));
      const follows = places.length < n && first === places.length * length;
      if (!follows || leftOut !== 0 || bytes > most || address + bytes > end) {
        throw new RangeError("A chunk out of its place");
      }
      places.push({ at: address, bytes });
    }
  };
  await visit(root, DEEPEST);
  if (places.length !== n) throw new RangeError("Chunks are missing");
  return places;
}
