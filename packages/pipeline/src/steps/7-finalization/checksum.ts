import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { hashFile } from "../../store/hash-file.ts";

export interface FileChecksum {
  file: string;
  bytes: number;
  sha256: string;
}

/** Size and SHA-256 of files. */
export async function checksumsOf(
  paths: readonly string[],
  { signal, progress }: { signal: AbortSignal; progress?: (fraction: number) => void },
): Promise<FileChecksum[]> {
  const checksums: FileChecksum[] = [];
  for (const path of paths) {
    const { size, sha256 } = await hashFile(path, signal);
    checksums.push({ file: basename(path), bytes: size, sha256 });
    progress?.(checksums.length / paths.length);
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
