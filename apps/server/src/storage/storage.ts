import type { Readable } from "node:stream";

/** An object's size and last change. */
export interface ObjectInfo {
  key: string;
  size: number;
  modified: Date;
  /** Changes whenever the object's bytes are written; equal versions mean equal bytes, as far as the storage knows. */
  version: string;
}

/** Bytes `start`–`end`, both inclusive, counted from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A part of an upload: bytes in memory, or a whole file. */
export type PartSource = Uint8Array | { path: string; size: number };

/** A part that has arrived, in the form that {@link Storage.completeParts} expects. */
export interface StoredPart {
  /** 0, 1, … */
  index: number;
  /** What {@link Storage.putPart} answered. */
  tag: string;
  size: number;
}

/** An upload in parts that was begun and neither completed nor aborted. */
export interface UnfinishedParts {
  key: string;
  uploadId: string;
  startedAt: Date;
}

/**
 * The storage of all the product's files: a local folder or an object store. Keys are relative paths with "/"
 * (`objects/<uuid>`); no key is below another (`a` and `a/b`). An object appears completely or not at all. Keys that
 * would leave the storage throw {@link KeyError}.
 */
export interface Storage {
  /** Stores an object, atomically replacing an existing one when all bytes are there. */
  put(key: string, source: Readable | Uint8Array | string): Promise<void>;
  /** Stores a local file; in a folder on the same file system by a hard link. The file must not change afterward. */
  putFile(key: string, path: string): Promise<void>;
  /** An object, or the bytes of a range that it has. Throws {@link MissingObjectError}. */
  get(key: string, range?: ByteRange): Promise<Readable>;
  stat(key: string): Promise<ObjectInfo | null>;
  /**
   * Objects below a prefix (`a` lists `a/b`, not `ab`; "" lists all), any number, in the order of their UTF-8 bytes.
   * Some servers sort folder by folder: `a/b` then comes before `a-b`.
   */
  list(prefix: string): AsyncIterable<ObjectInfo>;
  /** Removes objects; what is not there is no error. */
  remove(keys: readonly string[]): Promise<void>;
  /**
   * Makes an object a local file, whole or not at all: a hard link where the storage is a folder on the same file
   * system, so nobody may write into the file. Throws {@link MissingObjectError}. An aborted signal ends a download and
   * leaves nothing behind; a copy within one machine is finished first.
   */
  fetchTo(key: string, path: string, signal?: AbortSignal): Promise<void>;
  /** Starts a multipart upload; returns its id. */
  beginParts(key: string): Promise<string>;
  /**
   * Stores part `index`, in any order. Every part but the last has CHUNK_BYTES bytes; a part that comes again must
   * have the same bytes. Throws {@link MissingObjectError} when the upload is over.
   */
  putPart(key: string, uploadId: string, index: number, source: PartSource): Promise<string>;
  /** Makes the parts 0 … n − 1 the object. */
  completeParts(key: string, uploadId: string, parts: readonly StoredPart[]): Promise<void>;
  /** Forgets an upload; what is over already is no error. */
  abortParts(key: string, uploadId: string): Promise<void>;
  listParts(prefix: string): AsyncIterable<UnfinishedParts>;
  /** Ends idle connections. */
  close(): void;
}

export class KeyError extends Error {
  override readonly name = "KeyError";
}

export class MissingObjectError extends Error {
  override readonly name = "MissingObjectError";
}

/**
 * Checks a key: relative, at most 1,000 bytes of well-formed text, no empty, "." or ".." segment, no backslash, no
 * control character. A first segment with a dot is the storage's own.
 */
export function assertKey(key: string): void {
  const legal =
    key.length > 0 &&
    Buffer.byteLength(key) <= 1000 &&
    key.isWellFormed() &&
    // eslint-disable-next-line no-control-regex -- S3 answers lists in XML, which cannot carry them
    !/[\\\u0000-\u001f\u007f]/.test(key) &&
    !key.startsWith(".") &&
    key.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
  if (!legal) throw new KeyError(`Not a storage key: ${JSON.stringify(key)}`);
}

/** The order of S3: by UTF-8 bytes. */
export function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
