import { open, readdir, stat } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import type { CandidateFile } from "@stipple/contract/recognition/candidate";
import { InputError } from "../errors.ts";

/** A file with its path relative to the searched folder ("/" between folders). */
export interface ListedFile {
  path: string;
  size: number;
}

const MAX_DEPTH = 6;
const MAX_FILES = 50_000;

/**
 * All files in a folder and its subfolders, links to files and folders included. Throws {@link InputError} for a folder
 * that cannot be read.
 */
export async function listFolder(root: string): Promise<CandidateFile[]> {
  const files: CandidateFile[] = [];
  const walk = async (path: string, depth: number): Promise<void> => {
    const entries = await readdir(path, { withFileTypes: true }).catch((cause: unknown) => {
      throw new InputError(`The folder ${basename(path)} cannot be read: check its permissions.`, {
        cause,
      });
    });
    for (const entry of entries.sort((a, b) => a.name.localeCompare(b.name))) {
      if (entry.name.startsWith(".") || files.length >= MAX_FILES) continue;
      const child = join(path, entry.name);
      // A link may lead nowhere, and a file may vanish.
      const found = await stat(child).catch(() => null);
      if (found?.isDirectory()) {
        if (depth < MAX_DEPTH) await walk(child, depth + 1);
      } else if (found?.isFile()) {
        files.push({
          path: relative(root, child).split(sep).join("/"),
          size: found.size,
          read: (start, end) => readPiece(child, start, end),
        });
      }
    }
  };
  await walk(root, 0);
  return files;
}

async function readPiece(path: string, start: number, end: number): Promise<Uint8Array> {
  try {
    await using handle = await open(path, "r");
    const piece = Buffer.alloc(end - start);
    const { bytesRead } = await handle.read(piece, 0, piece.length, start);
    return piece.subarray(0, bytesRead);
  } catch (cause) {
    const file = basename(path);
    throw new InputError(`${file} cannot be read: check its permissions.`, { cause });
  }
}
