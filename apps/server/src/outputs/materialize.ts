import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { lstat, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { inParallel } from "../storage/in-parallel.ts";
import type { Outputs, StoredFile } from "./read.ts";

const AT_ONCE = 6;

/**
 * Fetches published files into `folder`; existing files of the right length stay. If the storage is a local folder,
 * large files are hard links, so nobody may write to them. Every file is checked. Returns the bytes fetched.
 */
export async function materialize(
  outputs: Outputs,
  files: readonly StoredFile[],
  folder: string,
  signal?: AbortSignal,
): Promise<number> {
  let bytes = 0;
  await inParallel(files, AT_ONCE, async (file) => {
    signal?.throwIfAborted();
    const path = join(folder, file.path);
    if (await isThere(path, file.size)) return;
    await mkdir(dirname(path), { recursive: true });
    await rm(path, { recursive: true, force: true });
    if (file.objectSize === file.size) await outputs.fetchTo(file, path, signal);
    else await copyTo(path, await outputs.open(file), signal);
    bytes += file.size;
  });
  return bytes;
}

/** Whether a file of this length is there. */
export async function isThere(path: string, size: number): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found !== null && found.isFile() && found.size === size;
}

async function copyTo(
  path: string,
  source: NodeJS.ReadableStream,
  signal: AbortSignal | undefined,
): Promise<void> {
  const draft = `${path}.${randomUUID()}.partial`;
  try {
    await pipeline(source, createWriteStream(draft), { signal });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
