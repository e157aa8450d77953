import { createHash } from "node:crypto";
import { open, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CHUNK_BYTES } from "@stipple/contract";
import { throwIfCancelled } from "../errors.ts";
import {
  INPUT_NAMES,
  inputPaths,
  type InputName,
  type SampleFiles,
} from "../readers/sample-files.ts";

/** Written to a results folder before anything else. */
export const REMEMBERED = ".inputs.json";

/** Cached information about a hashed file; a different size or time means a different file. */
interface Known {
  size: number;
  modified: number;
  digest: string;
}

/**
 * Content digests of a sample's files, each read only once: hashes are cached in the results folder by path,
 * size, and time, so a resumed run does not hash again. A digest is the SHA-256 of the joined hex SHA-256s of
 * the file's 10 MiB chunks, which are already known after an upload without reading the file again.
 */
export async function digestInputs(
  files: SampleFiles,
  results: string,
  signal?: AbortSignal,
): Promise<Record<InputName, string[]>> {
  const memory = join(results, REMEMBERED);
  const before = await remembered(memory);
  const now: Record<string, Known> = {};
  const digests = {} as Record<InputName, string[]>;
  const paths = inputPaths(files);
  for (const name of INPUT_NAMES) {
    digests[name] = [];
    for (const path of paths[name]) {
      const { size, mtimeMs: modified } = await stat(path);
      const known = before[path];
      const digest =
        known?.size === size && known.modified === modified
          ? known.digest
          : await digestFile(path, signal);
      now[path] = { size, modified, digest };
      digests[name].push(digest);
    }
  }
  if (JSON.stringify(now) !== JSON.stringify(before)) {
    await writeFile(`${memory}.partial`, JSON.stringify(now, null, 2));
    await rename(`${memory}.partial`, memory);
  }
  return digests;
}

/** Digest of one file. One pass, 10 MiB in memory. */
export async function digestFile(path: string, signal?: AbortSignal): Promise<string> {
  const chunks = createHash("sha256");
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  await using file = await open(path, "r");
  for (let at = 0; ;) {
    throwIfCancelled(signal);
    let filled = 0;
    while (filled < CHUNK_BYTES) {
      const { bytesRead } = await file.read(buffer, filled, CHUNK_BYTES - filled, at + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    if (filled > 0 || at === 0) {
      chunks.update(createHash("sha256").update(buffer.subarray(0, filled)).digest("hex"));
    }
    at += filled;
    if (filled < CHUNK_BYTES) return chunks.digest("hex");
  }
}

async function remembered(path: string): Promise<Record<string, Known>> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as Record<string, Known>;
  } catch {
    return {};
  }
}
