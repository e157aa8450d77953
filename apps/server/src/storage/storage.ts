import type { Readable } from "node:stream";

/** An object's size and last change. */
export interface ObjectInfo {
  key: string;
  size: number;
  modified: Date;
}

/** A local folder with the objects of a prefix, for programs that work on files. */
export interface Checkout {
  /** Absolute path of the folder. */
  path: string;
  /** Makes what was written, changed and removed there the stored state. */
  publish(): Promise<void>;
}

/**
 * Where all files of the product lie. Keys are relative paths with "/" (`projects/<id>/input/barcodes.tsv.gz`).
 * Written so that an object store can take the local folder's place: objects appear whole, parts of an upload
 * are numbered, and jobs work on a checkout. Keys that would leave the storage throw {@link KeyError}.
 */
export interface Storage {
  /** Stores an object, replacing a former one at once when all bytes are there. */
  put(key: string, source: Readable | Uint8Array | string): Promise<void>;
  /** Stores a copy of a local file; on one file system without copying bytes. The source must not change afterwards. */
  putFile(key: string, path: string): Promise<void>;
  /** Stores part `index` of an object that is being assembled. Every part but the last has `partBytes` bytes. */
  putPart(key: string, path: string, index: number, partBytes: number): Promise<void>;
  /** Makes the parts stored so far the object, `size` bytes long. */
  completeParts(key: string, size: number): Promise<void>;
  /** Forgets the parts of an object that is not to be. */
  abortParts(key: string): Promise<void>;
  /** Bytes `start`–`end` (inclusive) of an object, or all of it. Throws {@link MissingObjectError}. */
  get(key: string, range?: { start: number; end: number }): Promise<Readable>;
  stat(key: string): Promise<ObjectInfo | null>;
  /** Objects below a prefix, sorted by key. */
  list(prefix: string): Promise<ObjectInfo[]>;
  move(from: string, to: string): Promise<void>;
  /** Removes an object or everything below a prefix; what is not there is no error. */
  remove(key: string): Promise<void>;
  checkout(prefix: string): Promise<Checkout>;
}

export class KeyError extends Error {
  override readonly name = "KeyError";
}

export class MissingObjectError extends Error {
  override readonly name = "MissingObjectError";
}

/** Whether a path from outside may be appended to a key: a key itself, and nothing hidden or half-written in it. */
export function isSafePath(path: string): boolean {
  try {
    assertKey(path);
  } catch {
    return false;
  }
  return path.split("/").every((segment) => !segment.startsWith("."));
}

/** Checks a key: relative, no empty, "." or ".." segment, no backslash, no NUL. */
export function assertKey(key: string): void {
  const legal =
    key.length > 0 &&
    key.length < 1024 &&
    !/[\\\0]/.test(key) &&
    key.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
  if (!legal) throw new KeyError(`Not a storage key: ${JSON.stringify(key)}`);
}
