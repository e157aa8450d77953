import { open, type FileHandle } from "node:fs/promises";
import type { NumericArray } from "@stipple/numerics/matrices";

/** Arrays of numbers by NumPy's name of their kind. */
export const NPY_KINDS = {
  ...{ "|u1": Uint8Array, "|i1": Int8Array, "<u2": Uint16Array, "<i2": Int16Array },
  ...{ "<u4": Uint32Array, "<i4": Int32Array, "<u8": BigUint64Array, "<i8": BigInt64Array },
  ...{ "<f4": Float32Array, "<f8": Float64Array },
};
export type NpyKind = keyof typeof NPY_KINDS;

const MAGIC = "\x93NUMPY";
const HEAD_BYTES = 4096;

/** What a .npy file says of its numbers. */
export interface NpyHeader {
  /** Possibly none of {@link NPY_KINDS}. */
  kind: string;
  shape: number[];
  isByColumn: boolean;
  /** Offset of the numbers. */
  start: number;
}

/** Null for a file of another format. */
export async function readNpyHeader(file: FileHandle): Promise<NpyHeader | null> {
  const { buffer: head } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  if (head.toString("latin1", 0, 6) !== MAGIC) return null;
  const isLong = head[6] >= 2;
  const from = isLong ? 12 : 10;
  const start = from + (isLong ? head.readUInt32LE(8) : head.readUInt16LE(8));
  const text = head.toString("latin1", from, start);
  const dimensions = /'shape'\s*:\s*\(([\d\s,]*)\)/.exec(text)?.[1] ?? "";
  return {
    kind: /'descr'\s*:\s*'([^']+)'/.exec(text)?.[1] ?? "",
    shape: (dimensions.match(/\d+/g) ?? []).map(Number),
    isByColumn: /'fortran_order'\s*:\s*True/.test(text),
    start,
  };
}

/** Reads and writes are split, because one system call moves at most 2 GiB. */
const PIECE_BYTES = 1 << 28;

/** Writes an array as NumPy's .npy format 1.0 (C order, little-endian). O(bytes), no copy. */
export async function writeNpy(
  path: string,
  data: NumericArray,
  shape: readonly number[],
): Promise<void> {
  const [kind] = Object.entries(NPY_KINDS).find(([, Kind]) => data instanceof Kind)!;
  const dims = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
  const text = `{'descr': '${kind}', 'fortran_order': False, 'shape': ${dims}, }`;
  // The header's total length must be a multiple of 64: 10 bytes of preamble + text + newline.
  const padded = text.padEnd(Math.ceil((text.length + 11) / 64) * 64 - 11) + "\n";
  const header = Buffer.alloc(10 + padded.length);
  header.write(`${MAGIC}\x01\x00`, "latin1");
  header.writeUInt16LE(padded.length, 8);
  header.write(padded, 10, "latin1");
  await using file = await open(path, "w");
  await file.write(header);
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    const piece = bytes.subarray(at, Math.min(bytes.length, at + PIECE_BYTES));
    for (let sent = 0; sent < piece.length;) {
      sent += (await file.write(piece, sent, piece.length - sent)).bytesWritten;
    }
  }
}

/** Options for reading arrays. */
export interface ReadOptions {
  /** Read into shared memory, for arrays that worker threads read too, to avoid a second copy. */
  shared?: boolean;
}

/** Reads a .npy file written by {@link writeNpy}. */
export async function readNpy(
  path: string,
  { shared = false }: ReadOptions = {},
): Promise<{ data: NumericArray; shape: number[] }> {
  await using file = await open(path, "r");
  const header = await readNpyHeader(file);
  if (!header) throw new Error(`${path} is not a .npy file`);
  const { kind, shape, start } = header;
  const Constructor = NPY_KINDS[kind as NpyKind];
  if (!Constructor) throw new Error(`${path} has the unsupported type ${kind}`);
  const length = shape.reduce((product, size) => product * size, 1);
  const nBytes = length * Constructor.BYTES_PER_ELEMENT;
  const buffer = shared ? new SharedArrayBuffer(nBytes) : new ArrayBuffer(nBytes);
  const data = new Constructor(buffer as ArrayBuffer) as NumericArray;
  const bytes = new Uint8Array(data.buffer);
  for (let at = 0; at < bytes.length;) {
    const want = Math.min(PIECE_BYTES, bytes.length - at);
    const { bytesRead } = await file.read(bytes, at, want, start + at);
    if (bytesRead === 0) throw new Error(`${path} ends early`);
    at += bytesRead;
  }
  return { data, shape };
}
