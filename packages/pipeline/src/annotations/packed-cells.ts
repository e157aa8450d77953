import { createHash } from "node:crypto";
import { inflateSync } from "node:zlib";
import type { Matrix } from "@stipple/numerics/matrices";

/**
 * Identifies the cells that annotations refer to by their index: the digest of the cells' centers, which is also that of
 * the file `cells.xy.f32` of the view.
 */
export function keyOfCells({ data }: Matrix): string {
  const centers = Float32Array.from(data);
  return createHash("sha256").update(new Uint8Array(centers.buffer)).digest("hex");
}

/** nCells: 1 for the cells of a set, given as base64 of deflated bits, lowest bit first. Throws for anything else. */
export function unpackedCells(text: string, nCells: number): Uint8Array {
  const bits = unpacked(text, Math.ceil(nCells / 8));
  return Uint8Array.from({ length: nCells }, (_, cell) => (bits[cell >> 3] >> (cell & 7)) & 1);
}

/** nCells: group of each cell, given as base64 of deflated little-endian uint16. Throws for anything else. */
export function unpackedLabels(text: string, nCells: number): Uint16Array {
  const bytes = unpacked(text, 2 * nCells);
  return Uint16Array.from({ length: nCells }, (_, cell) => bytes.readUInt16LE(2 * cell));
}

function unpacked(text: string, length: number): Buffer {
  const bytes = inflateSync(Buffer.from(text, "base64"), { maxOutputLength: Math.max(1, length) });
  if (bytes.length !== length) throw new RangeError(`${bytes.length} bytes instead of ${length}.`);
  return bytes;
}
