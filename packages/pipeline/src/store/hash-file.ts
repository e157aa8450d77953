import { createHash } from "node:crypto";
import { open, stat } from "node:fs/promises";
import { release } from "@stipple/numerics/release";
import { throwIfCancelled } from "../errors.ts";

export interface FileHash {
  size: number;
  /** Hex. */
  sha256: string;
}

/** Earlier hashes by inode, size, and modification time, so that links to one file are read once. */
const known = new Map<string, FileHash>();
const MAX_KNOWN = 20_000;
/** Bytes per read. */
const PIECE = 1 << 20;

/** Size and hex SHA-256 of a file; unchanged files are not read again. About half a second per GB. */
export async function hashFile(path: string, signal?: AbortSignal): Promise<FileHash> {
  const key = await identityOf(path);
  const before = known.get(key);
  if (before) return before;
  const hash = createHash("sha256");
  let size = 0;
  await using file = await open(path);
  // One buffer for the whole file; a stream would create garbage equal to everything it reads.
  const piece = Buffer.allocUnsafeSlow(PIECE);
  for (let bytes = -1; bytes !== 0;) {
    throwIfCancelled(signal);
    bytes = (await file.read(piece, 0, PIECE, size)).bytesRead;
    size += bytes;
    hash.update(piece.subarray(0, bytes));
  }
  release(piece);
  const found = { size, sha256: hash.digest("hex") };
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, found);
  return found;
}

async function identityOf(path: string): Promise<string> {
  const { dev, ino, size, mtimeNs } = await stat(path, { bigint: true });
  return `${dev} ${ino} ${size} ${mtimeNs}`;
}
