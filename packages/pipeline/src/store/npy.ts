import { open } from "node:fs/promises";
import type { NumericArray } from "@stipple/numerics/matrices";

const DESCRIPTORS: Record<string, string> = {
  Uint8Array: "|u1",
  Uint16Array: "<u2",
  Int32Array: "<i4",
  Uint32Array: "<u4",
  Float32Array: "<f4",
  Float64Array: "<f8",
};
const CONSTRUCTORS = {
  "|u1": Uint8Array,
  "<u2": Uint16Array,
  "<i4": Int32Array,
  "<u4": Uint32Array,
  "<f4": Float32Array,
  "<f8": Float64Array,
} as const;

/** Reads and writes are split, because one system call moves at most 2 GiB. */
const PIECE_BYTES = 1 << 28;

/** Writes an array as NumPy's .npy format 1.0 (C order, little-endian). O(bytes), no copy. */
export async function writeNpy(
  path: string,
  data: NumericArray,
  shape: readonly number[],
): Promise<void> {
  const descriptor = DESCRIPTORS[data.constructor.name];
  if (!descriptor) throw new TypeError(`No .npy type for ${data.constructor.name}`);
  const dims = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
  const text = `{'descr': '${descriptor}', 'fortran_order': False, 'shape': ${dims}, }`;
  // The header's total length must be a multiple of 64: 10 bytes of preamble + text + newline.
  const padded = text.padEnd(Math.ceil((text.length + 11) / 64) * 64 - 11) + "\n";
  const header = Buffer.alloc(10 + padded.length);
  header.write("\x93NUMPY\x01\x00", "latin1");
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
  const preamble = Buffer.alloc(10);
  await file.read(preamble, 0, 10, 0);
  if (preamble.toString("latin1", 1, 6) !== "NUMPY") throw new Error(`${path} is not a .npy file`);
  const headerLength = preamble.readUInt16LE(8);
  const header = Buffer.alloc(headerLength);
  await file.read(header, 0, headerLength, 10);
  const text = header.toString("latin1");
  const descriptor = /'descr': '([^']+)'/.exec(text)?.[1] as keyof typeof CONSTRUCTORS;
  const shape = (/'shape': \(([^)]*)\)/.exec(text)?.[1] ?? "")
    .split(",")
    .filter((part) => part.trim() !== "")
    .map(Number);
  const Constructor = CONSTRUCTORS[descriptor];
  if (!Constructor) throw new Error(`${path} has the unsupported type ${descriptor}`);
  const length = shape.reduce((product, size) => product * size, 1);
  const nBytes = length * Constructor.BYTES_PER_ELEMENT;
  const buffer = shared ? new SharedArrayBuffer(nBytes) : new ArrayBuffer(nBytes);
  const data = new Constructor(buffer as ArrayBuffer);
  const bytes = new Uint8Array(data.buffer);
  for (let at = 0; at < bytes.length;) {
    const want = Math.min(PIECE_BYTES, bytes.length - at);
    const { bytesRead } = await file.read(bytes, at, want, 10 + headerLength + at);
    if (bytesRead === 0) throw new Error(`${path} ends early`);
    at += bytesRead;
  }
  return { data, shape };
}
