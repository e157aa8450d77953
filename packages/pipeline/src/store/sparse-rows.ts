import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { readNpy, readNpyHeader } from "@stipple/formats/npy";
import type { SparseRows } from "@stipple/numerics/sparse-rows";
import { FIELDS, type SparseKey } from "../fields.ts";
import { stepFolder } from "@stipple/contract";
import { baseName } from "./field-store.ts";

/** Rows on disk. */
export interface StoredRows extends SparseRows {
  /** Number of stored values of a row, known without reading it. */
  lengthOf(index: number): number;
}

/**
 * Rows of a stored sparse field, read from disk on demand: only `indptr` is held in memory. A row costs two
 * small reads (a few microseconds from the system's cache).
 */
export async function openSparseRows(results: string, key: SparseKey): Promise<StoredRows> {
  const base = join(results, stepFolder(FIELDS[key].step), baseName(key));
  const [nRows, nCols] = JSON.parse(readFileSync(`${base}.shape.json`, "utf8")) as [number, number];
  const indptr = (await readNpy(`${base}.indptr.npy`)).data;
  const indicesFile = `${base}.indices.npy`;
  const dataFile = `${base}.data.npy`;
  const indicesAt = await startOf(indicesFile);
  const dataAt = await startOf(dataFile);
  return {
    nRows,
    nCols,
    lengthOf: (i) => indptr[i + 1] - indptr[i],
    row(i) {
      const from = indptr[i];
      const length = indptr[i + 1] - from;
      const indices = new Uint32Array(length);
      const data = new Float32Array(length);
      readBytes(indicesFile, new Uint8Array(indices.buffer), indicesAt + 4 * from);
      readBytes(dataFile, new Uint8Array(data.buffer), dataAt + 4 * from);
      return { indices, data };
    },
  };
}

/** Offset of the numbers in a .npy file. */
async function startOf(path: string): Promise<number> {
  await using file = await open(path, "r");
  return (await readNpyHeader(file))!.start;
}

function readBytes(path: string, into: Uint8Array, position: number): void {
  const file = descriptorOf(path);
  for (let at = 0; at < into.length;) {
    const got = readSync(file, into, at, into.length - at, position + at);
    if (got === 0) throw new Error(`${path} ends early`);
    at += got;
  }
}

/**
 * Files kept open until the current turn of the event loop ends: rows are read hundreds at a time, and opening
 * a file takes longer than reading a row. After that, the file may have been replaced or removed.
 */
const descriptors = new Map<string, number>();

function descriptorOf(path: string): number {
  const known = descriptors.get(path);
  if (known !== undefined) return known;
  const file = openSync(path, "r");
  if (descriptors.size === 0) setImmediate(closeAll);
  descriptors.set(path, file);
  return file;
}

function closeAll(): void {
  for (const file of descriptors.values()) closeSync(file);
  descriptors.clear();
}
