import type { FileHandle } from "node:fs/promises";
import { HDF5Error, type Dataset } from "./library.ts";
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
/** The first bytes of a layout: its version, and that it is in chunks. */
const CHUNKED_VERSION_3 = [3, 2];
const UNDEFINED = 2n ** 64n - 1n;
/** Bytes of a node before its children, and of a child's address. */
const [HEAD, ADDRESS] = [24, 8];
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
    const { size: end } = await file.stat();
    const places: { at: number; bytes: number }[] = [];
    for await (const { first, at, bytes, leftOut } of chunksOf(dataset, file)) {
      const start = places.length * length;
      const follows = first[0] === start && start < total && leftOut === 0;
      if (!follows || bytes > MAX_GROWN * length * size || at + bytes > end) return null;
      places.push({ at, bytes });
    }
    return places.length * length >= total ? { length, size, isShuffled, places } : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * Throws {@link HDF5Error} if only some of a dataset's chunks are in the file, as after damage to their index or a program
 * that was stopped: HDF5 would read the others as zeros. Knows indexes of version 1; later ones have checksums.
 */
export async function requireAllChunks(dataset: Dataset, file: FileHandle): Promise<void> {
  const { shape, chunks } = dataset.metadata;
  if (!shape || !chunks || shape.includes(0)) return;
  const sides = shape.map((side, axis) => Math.ceil(side / chunks[axis]));
  const most = sides.reduce((product, side) => product * side, 1);
  let n = 0;
  try {
    for await (const { first } of chunksOf(dataset, file)) {
      let rest = n++;
      // The last dimension changes fastest.
      const place = sides.toReversed().map((side) => {
        const at = rest % side;
        rest = (rest - at) / side;
        return at;
      });
      const isInPlace = place.reverse().every((at, axis) => at * chunks[axis] === first[axis]);
      if (n > most || !isInPlace) throw new HDF5Error(`${dataset.path}: chunk ${n - 1} is missing`);
    }
  } catch (error) {
    if (error instanceof RangeError) return;
    throw error;
  }
  if (n > 0 && n < most) throw new HDF5Error(`${dataset.path}: ${n} of ${most} chunks`);
}

interface Chunk {
  /** Index of its first element in each dimension. */
  first: number[];
  at: number;
  bytes: number;
  /** Bits of the filters that were not used. */
  leftOut: number;
}

/**
 * The chunks that are in the file, in order, by a version 1 B-tree (same specification, III.A.1); none if none was ever
 * written. Throws RangeError for another index.
 */
async function* chunksOf(dataset: Dataset, file: FileHandle): AsyncGenerator<Chunk> {
  const header = Buffer.from(dataset.create_reference().ref_data).readBigUInt64LE(0);
  const root = await indexOf(file, Number(header));
  if (root === UNDEFINED) return;
  const nAxes = dataset.metadata.shape?.length ?? 0;
  // Bytes, filters, and the first element, in bytes of an element as well.
  const key = 8 + 8 * (nAxes + 1);
  const visit = async function* (at: number, above: number): AsyncGenerator<Chunk> {
    const head = await readBytes(file, at, HEAD);
    const [level, children] = [head[5], head.readUInt16LE(6)];
    const isNode = head.toString("latin1", 0, 4) === "TREE" && head[4] === 1;
    if (!isNode || level >= above || children === 0) throw new RangeError("No node of chunks");
    const body = await readBytes(file, at + HEAD, children * (key + ADDRESS));
    for (let next = 0; next < body.length; next += key + ADDRESS) {
      const address = Number(body.readBigUInt64LE(next + key));
      if (level > 0) {
        yield* visit(address, level);
        continue;
      }
      const [bytes, leftOut] = [body.readUInt32LE(next), body.readUInt32LE(next + 4)];
      const first = Array.from({ length: nAxes }, (_, axis) =>
        Number(body.readBigUInt64LE(next + 8 + 8 * axis)),
      );
      yield { first, at: address, bytes, leftOut };
    }
  };
  yield* visit(Number(root), DEEPEST);
}

/** Address of a dataset's chunk index. */
async function indexOf(file: FileHandle, header: number): Promise<bigint> {
  for await (const { type, bytes } of headerMessages(file, header)) {
    if (type !== LAYOUT) continue;
    if (CHUNKED_VERSION_3.some((byte, i) => bytes[i] !== byte)) break;
    return bytes.readBigUInt64LE(3);
  }
  throw new RangeError("Another layout");
}
