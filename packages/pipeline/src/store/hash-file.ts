import { createHash } from "node:crypto";
import { open, stat } from "node:fs/promises";
import { release } from "@stipple/numerics/release";
import { defineTask, type Tasks } from "@stipple/tasks/task";

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

/** Size and hex SHA-256 of a file; unchanged files are not read again. */
export async function hashFile(path: string): Promise<FileHash> {
  const key = await identityOf(path);
  const before = known.get(key);
  if (before) return before;
  const hash = createHash("sha256");
  let size = 0;
  await using file = await open(path);
  // One buffer for the whole file; a stream would create garbage equal to everything it reads.
  const piece = Buffer.allocUnsafeSlow(PIECE);
  for (let bytes = -1; bytes !== 0;) {
    bytes = (await file.read(piece, 0, PIECE, size)).bytesRead;
    size += bytes;
    hash.update(piece.subarray(0, bytes));
  }
  release(piece);
  const found = { size, sha256: hash.digest("hex") };
  remember(key, found);
  return found;
}

/**
 * Hashes files on worker threads in advance so that `hashFile` has them cached. They must not change in the meantime.
 */
export async function hashAhead(
  paths: readonly string[],
  options: {
    tasks: Tasks;
    signal: AbortSignal;
    progress?: (fraction: number) => void;
    /** Minimum bytes for which threads are worth starting; by default always. */
    worthThreads?: number;
  },
): Promise<void> {
  const { tasks, signal, progress, worthThreads = 0 } = options;
  const found = await Promise.all(
    paths.map(async (path) => ({
      path,
      key: await identityOf(path),
      bytes: (await stat(path)).size,
    })),
  );
  const files = new Map(found.map(({ path, key }) => [key, path]));
  const waiting = [...files].filter(([key]) => !known.has(key));
  if (found.reduce((sum, { bytes }) => sum + bytes, 0) < worthThreads) return;
  const call = { shared: {}, inputs: waiting.map(([, path]) => ({ path })) };
  let next = 0;
  for await (const hash of tasks.inOrder(hashOfFile, call, { signal })) {
    remember(waiting[next++][0], hash);
    progress?.(next / waiting.length);
  }
}

function remember(key: string, hash: FileHash): void {
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, hash);
}

async function identityOf(path: string): Promise<string> {
  const { dev, ino, size, mtimeNs } = await stat(path, { bigint: true });
  return `${dev} ${ino} ${size} ${mtimeNs}`;
}

/** Runs in a worker thread. */
export function hashOne(
  _shared: object,
  { path }: { path: string },
): Promise<{ size: number; sha256: string }> {
  return hashFile(path);
}

/** Size and SHA-256 of a local file, so only threads on this machine run it. */
export const hashOfFile = defineTask(import.meta.url, hashOne);
