import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Tasks } from "@stipple/tasks/task";
import type { NumberColumn } from "@stipple/numerics/matrices";
import { writeHere, writeZarrChunk, compress } from "./write-chunk.ts";

export type ZarrType =
  "bool" | "uint8" | "int8" | "int16" | "int32" | "int64" | "float32" | "float64" | "string";

export interface ZarrArray {
  shape: readonly number[];
  chunkShape: readonly number[];
  type: ZarrType;
  attributes?: Record<string, unknown>;
  dimensionNames?: readonly string[];
  /** False for values that barely shrink. */
  compressed?: boolean;
}

/** Elements per chunk in one dimension: 4 MB of 4-byte values. */
const CHUNK = 1 << 20;
/** Strings per chunk. */
const STRING_CHUNK = 1 << 16;
const ZSTD = { name: "zstd", configuration: { level: 1, checksum: false } };
const ARRAY = { zarr_format: 3, node_type: "array", storage_transformers: [] };

function gridOf(chunkShape: readonly number[]): object {
  return {
    chunk_grid: { name: "regular", configuration: { chunk_shape: chunkShape } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
  };
}

/**
 * A Zarr hierarchy (format 3) being written to a folder: one zarr.json per node, one file per chunk, and everything
 * repeated in the root's zarr.json by `finish`, so that a reader needs only one request for all metadata.
 */
export class ZarrFolder {
  readonly path: string;
  readonly #nodes = new Map<string, object>();
  readonly #tasks: Tasks | null;

  /** Without `tasks`, the caller compresses all chunks. */
  constructor(path: string, tasks: Tasks | null = null) {
    this.path = path;
    this.#tasks = tasks;
    mkdirSync(path, { recursive: true });
  }

  group(path: string, attributes: Record<string, unknown> = {}): void {
    this.#node(path, { attributes, zarr_format: 3, node_type: "group" });
  }

  /** Adds attributes to a group. */
  describe(path: string, attributes: Record<string, unknown>): void {
    const node = this.#nodes.get(path) as { attributes: Record<string, unknown> };
    Object.assign(node.attributes, attributes);
    this.#node(path, node);
  }

  /** Declares an array whose chunks are written by `chunk`; chunks never written read as zeros. */
  declare(path: string, array: ZarrArray): void {
    const { shape, chunkShape, type, attributes = {}, dimensionNames, compressed = true } = array;
    const oneByte = type === "bool" || type === "uint8" || type === "int8";
    this.#node(path, {
      shape,
      data_type: type,
      ...gridOf(chunkShape),
      fill_value: type === "string" ? "" : type === "bool" ? false : 0,
      codecs: [
        type === "string"
          ? { name: "vlen-utf8", configuration: {} }
          : { name: "bytes", ...(!oneByte && { configuration: { endian: "little" } }) },
        ...(compressed ? [ZSTD] : []),
      ],
      attributes,
      ...(dimensionNames && { dimension_names: dimensionNames }),
      ...ARRAY,
    });
  }

  /** Writes one whole chunk: the number of bytes that its shape requires, or encoded strings. */
  chunk(path: string, at: readonly number[], bytes: Uint8Array, compressed = true): void {
    writeFileSync(this.#chunkFile(path, at), compressed ? compress(bytes) : bytes);
  }

  /**
   * Writes one whole chunk on the step's threads; `bytes`, in memory that threads share, must not change until it is done. The
   * garbage from compression is then collected in a thread with a small heap. The caller's heap holds the names of all
   * cells and bins, which every garbage collection has to traverse.
   */
  async chunkBeside(path: string, at: readonly number[], bytes: Uint8Array): Promise<void> {
    const chunk = { file: this.#chunkFile(path, at), bytes };
    if (!this.#tasks) return void writeHere({}, chunk);
    // Only on threads of this machine, where the files are.
    const { signal } = new AbortController();
    await this.#tasks.inOrder(writeZarrChunk, { shared: {}, inputs: [chunk] }, { signal }).next();
  }

  #chunkFile(path: string, at: readonly number[]): string {
    const file = join(this.path, path, "c", ...at.map(String));
    mkdirSync(dirname(file), { recursive: true });
    return file;
  }

  /** A numeric array of any number of dimensions, chunked along the first. */
  array(
    path: string,
    data: NumberColumn,
    shape: readonly number[],
    options: { type?: ZarrType; attributes?: Record<string, unknown> } = {},
  ): void {
    const { attributes = {}, type = typeOf(data) } = options;
    const rowLength = shape.slice(1).reduce((product, size) => product * size, 1);
    const rows = Math.max(1, Math.min(shape[0] ?? 1, Math.floor(CHUNK / Math.max(1, rowLength))));
    const chunkShape = shape.map((size, axis) => (axis === 0 ? rows : Math.max(1, size)));
    this.declare(path, { shape, chunkShape, type, attributes });
    const length = rows * rowLength;
    for (let from = 0; from < data.length; from += length) {
      const at = shape.length === 0 ? [] : [from / length, ...shape.slice(1).map(() => 0)];
      this.chunk(path, at, padded(data.subarray(from, from + length), length));
    }
  }

  /** Strings; `shape` [] for a single one. */
  strings(
    path: string,
    values: readonly string[],
    shape: readonly number[],
    attributes: Record<string, unknown>,
  ): void {
    const chunk = Math.max(1, Math.min(values.length, STRING_CHUNK));
    this.declare(path, { shape, chunkShape: shape.map(() => chunk), type: "string", attributes });
    for (let from = 0; from < values.length; from += chunk) {
      const piece = values.slice(from, from + chunk);
      while (piece.length < chunk) piece.push("");
      this.chunk(path, shape.length === 0 ? [] : [from / chunk], encodeStrings(piece));
    }
  }

  /** A NumPy structured array in one chunk, as zarr-python stores it: row by row, text as padded UTF-32. */
  records(
    path: string,
    fields: Record<string, readonly string[] | Float64Array>,
    attributes: Record<string, unknown>,
  ): void {
    const { bytes, members, nRows, rowBytes } = encodeRecords(fields);
    this.#node(path, {
      shape: [nRows],
      data_type: { name: "structured", configuration: { fields: members } },
      ...gridOf([Math.max(1, nRows)]),
      fill_value: Buffer.alloc(rowBytes).toString("base64"),
      codecs: [{ name: "bytes", configuration: { endian: "little" } }, ZSTD],
      attributes,
      ...ARRAY,
    });
    if (nRows > 0) this.chunk(path, [0], bytes);
  }

  /** A one-dimensional numeric array whose length is known only at the end. */
  growing(path: string, type: "int32" | "float32"): GrowingArray {
    return new GrowingArray(this, path, type);
  }

  /** Gives `path` the same array as `other`, as links to the same files if the file system supports them. */
  same(path: string, other: string): void {
    const node = this.#nodes.get(other);
    if (!node) throw new Error(`No array ${other}`);
    this.#node(path, node);
    const to = join(this.path, path, "c");
    mkdirSync(to, { recursive: true });
    for (const name of readdirSync(join(this.path, other, "c"))) {
      linkOrCopy(join(this.path, other, "c", name), join(to, name));
    }
  }

  /**
   * Takes over all below a node of another hierarchy as `path`: its files as links where the file system supports them,
   * which must therefore not be written to. `isWanted` says which nodes, relative to it.
   */
  adopt(path: string, from: string, isWanted: (below: string) => boolean = () => true): void {
    for (const entry of readdirSync(from, { withFileTypes: true })) {
      const source = join(from, entry.name);
      if (entry.isDirectory()) {
        if (!isWanted(entry.name)) continue;
        const prefix = `${entry.name}/`;
        this.adopt(`${path}/${entry.name}`, source, (below) => isWanted(prefix + below));
      } else if (entry.name === "zarr.json") {
        this.#node(path, JSON.parse(readFileSync(source, "utf8")) as object);
      } else {
        mkdirSync(join(this.path, path), { recursive: true });
        linkOrCopy(source, join(this.path, path, entry.name));
      }
    }
  }

  /** The attributes of a node. */
  attributes(path: string): Record<string, unknown> {
    return (this.#nodes.get(path) as { attributes: Record<string, unknown> }).attributes;
  }

  /** The shape of an array; empty if there is none. */
  shape(path: string): number[] {
    return (this.#nodes.get(path) as { shape?: number[] } | undefined)?.shape ?? [];
  }

  finish(): void {
    // In order: zarr-python expects the children of a node to be adjacent.
    const below = [...this.#nodes].filter(([path]) => path !== "");
    const metadata = Object.fromEntries(below.sort(([a], [b]) => (a < b ? -1 : 1)));
    this.#write("", {
      ...this.#nodes.get(""),
      consolidated_metadata: { kind: "inline", must_understand: false, metadata },
    });
  }

  #node(path: string, metadata: object): void {
    this.#nodes.set(path, metadata);
    this.#write(path, metadata);
  }

  #write(path: string, metadata: object): void {
    mkdirSync(join(this.path, path), { recursive: true });
    writeFileSync(join(this.path, path, "zarr.json"), JSON.stringify(metadata, null, 1));
  }
}

function linkOrCopy(source: string, to: string): void {
  try {
    linkSync(source, to);
  } catch {
    copyFileSync(source, to);
  }
}

/** Chunks of a growing array compressed at a time. */
const MAX_UNDER_WAY = 4;

/** Collects values into chunks and compresses these in parallel with its caller. */
export class GrowingArray {
  readonly #folder: ZarrFolder;
  readonly #path: string;
  readonly #type: "int32" | "float32";
  #chunk: Int32Array | Float32Array;
  readonly #underWay: Promise<void>[] = [];
  /** Chunks already written, whose memory is reused. */
  readonly #spare: (Int32Array | Float32Array)[] = [];
  #length = 0;

  constructor(folder: ZarrFolder, path: string, type: "int32" | "float32") {
    this.#folder = folder;
    this.#path = path;
    this.#type = type;
    this.#chunk = this.#emptyChunk();
  }

  async append(values: Int32Array | Float32Array): Promise<void> {
    for (let taken = 0; taken < values.length;) {
      const at = this.#length % CHUNK;
      const piece = values.subarray(taken, taken + CHUNK - at);
      this.#chunk.set(piece, at);
      taken += piece.length;
      this.#length += piece.length;
      if (this.#length % CHUNK === 0) await this.#write(this.#length / CHUNK - 1, CHUNK);
    }
  }

  async finish(): Promise<void> {
    const chunk = Math.max(1, Math.min(CHUNK, this.#length));
    const rest = this.#length % CHUNK;
    if (rest > 0) {
      this.#chunk.fill(0, rest);
      await this.#write(Math.floor(this.#length / CHUNK), chunk);
    }
    await Promise.all(this.#underWay);
    this.#folder.declare(this.#path, {
      shape: [this.#length],
      chunkShape: [chunk],
      type: this.#type,
    });
  }

  #emptyChunk(): Int32Array | Float32Array {
    const memory = new SharedArrayBuffer(4 * CHUNK);
    return this.#type === "int32" ? new Int32Array(memory) : new Float32Array(memory);
  }

  async #write(at: number, length: number): Promise<void> {
    const chunk = this.#chunk;
    this.#chunk = this.#spare.pop() ?? this.#emptyChunk();
    const written = this.#folder
      .chunkBeside(this.#path, [at], bytesOf(chunk.subarray(0, length)))
      .then(() => void this.#spare.push(chunk));
    // Handled when it is awaited.
    written.catch(() => undefined);
    this.#underWay.push(written);
    if (this.#underWay.length > MAX_UNDER_WAY) await this.#underWay.shift();
  }
}

function typeOf(data: NumberColumn): ZarrType {
  return data.constructor.name.replace(/^Big|Array$/g, "").toLowerCase() as ZarrType;
}

function bytesOf(data: NumberColumn): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

function padded(data: NumberColumn, length: number): Uint8Array {
  if (data.length === length) return bytesOf(data);
  const bytes = new Uint8Array(length * data.BYTES_PER_ELEMENT);
  bytes.set(bytesOf(data));
  return bytes;
}

/** numcodecs' VLenUTF8: the number of strings, then each string preceded by its length in bytes. */
function encodeStrings(values: readonly string[]): Uint8Array {
  const texts = values.map((value) => Buffer.from(value, "utf8"));
  const bytes = Buffer.alloc(texts.reduce((sum, text) => sum + 4 + text.length, 4));
  bytes.writeUInt32LE(texts.length, 0);
  let at = 4;
  for (const text of texts) {
    bytes.writeUInt32LE(text.length, at);
    text.copy(bytes, at + 4);
    at += 4 + text.length;
  }
  return bytes;
}

/** Rows of records one after another; shorter fields are padded with NaN or empty text. */
function encodeRecords(fields: Record<string, readonly string[] | Float64Array>): {
  bytes: Buffer;
  members: [name: string, type: unknown][];
  nRows: number;
  rowBytes: number;
} {
  const columns = Object.entries(fields).map(([name, values]) => {
    if (values instanceof Float64Array) return { name, values, size: 8, type: "float64" };
    const points = values.map((text) => Array.from(text, (point) => point.codePointAt(0)!));
    const size = 4 * Math.max(1, ...points.map((text) => text.length));
    const type = { name: "fixed_length_utf32", configuration: { length_bytes: size } };
    return { name, values: points, size, type };
  });
  const nRows = Math.max(0, ...columns.map(({ values }) => values.length));
  const rowBytes = columns.reduce((sum, { size }) => sum + size, 0);
  const bytes = Buffer.alloc(nRows * rowBytes);
  let at = 0;
  for (let row = 0; row < nRows; row++) {
    for (const { values, size } of columns) {
      if (values instanceof Float64Array) bytes.writeDoubleLE(values[row] ?? NaN, at);
      else values[row]?.forEach((point, i) => bytes.writeUInt32LE(point, at + 4 * i));
      at += size;
    }
  }
  return { bytes, members: columns.map(({ name, type }) => [name, type]), nRows, rowBytes };
}
