import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { hashAhead, hashFile } from "../../store/hash-file.ts";

export interface FileChecksum {
  file: string;
  bytes: number;
  sha256: string;
}

/** Size and SHA-256 of files, computed on worker threads. */
export async function checksumsOf(
  paths: readonly string[],
  options: Parameters<typeof hashAhead>[1],
): Promise<FileChecksum[]> {
  await hashAhead(paths, options);
  const checksums: FileChecksum[] = [];
  for (const path of paths) {
    const { size, sha256 } = await hashFile(path);
    checksums.push({ file: basename(path), bytes: size, sha256 });
  }
  return checksums;
}

/** Paths of all files in a folder and its subfolders, sorted. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
