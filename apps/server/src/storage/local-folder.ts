import { createReadStream, createWriteStream } from "node:fs";
import {
  constants,
  copyFile,
  link,
  lstat,
  mkdir,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
} from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isMissing, partsIn, place } from "./local-parts.ts";
import {
  assertKey,
  byBytes,
  MissingObjectError,
  type ObjectInfo,
  type Storage,
} from "./storage.ts";

/** Folder for incomplete files; no key can start with this. */
const UNFINISHED = ".unfinished";
/** Read size: eight times Node's default, with an eighth of the work per byte. */
export const READ_BYTES = 512 * 1024;

/**
 * Storage in a local folder. Objects are written to a temporary file, flushed, and renamed, so that after a crash or
 * power failure either the old object or the complete new one is there. Parts of an upload are written directly to
 * their position in one file.
 */
export async function openLocalFolder(folder: string): Promise<Storage> {
  await mkdir(join(folder, UNFINISHED), { recursive: true });
  const root = await realpath(folder);

  function pathOf(key: string): string {
    assertKey(key);
    return join(root, key);
  }
  /** Writes an object to a draft, then puts it in place. */
  async function written(key: string, write: (draft: string) => Promise<void>): Promise<void> {
    const path = pathOf(key);
    const draft = join(root, UNFINISHED, randomUUID());
    try {
      await write(draft);
      await place(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  const stat = (key: string): Promise<ObjectInfo | null> => infoOf(pathOf(key), key);

  async function existing(key: string): Promise<string> {
    if (!(await stat(key))) throw new MissingObjectError(`No object ${key}`);
    return pathOf(key);
  }

  return {
    stat,
    put: (key, source) =>
      written(key, async (draft) => {
        const bytes = source instanceof Readable ? source : Readable.from([Buffer.from(source)]);
        await pipeline(bytes, createWriteStream(draft, { flush: true }));
      }),
    putFile: (key, source) => written(key, (draft) => linkOrCopy(source, draft)),
    async get(key, range) {
      return createReadStream(await existing(key), { ...range, highWaterMark: READ_BYTES });
    },
    async *list(prefix) {
      if (prefix !== "") assertKey(prefix);
      for await (const key of filesBelow(root, prefix)) {
        const info = await stat(key);
        if (info) yield info;
      }
    },
    async remove(keys) {
      for (const key of keys) await removeFile(root, pathOf(key));
    },
    async fetchTo(key, path, signal) {
      const source = await existing(key);
      const draft = `${path}.${randomUUID()}`;
      await mkdir(dirname(path), { recursive: true });
      try {
        await linkOrCopy(source, draft);
        signal?.throwIfAborted();
        await rename(draft, path);
      } finally {
        // If both are links to the same file, renaming one onto the other does nothing and the draft remains.
        await rm(draft, { force: true });
      }
    },
    ...partsIn(join(root, UNFINISHED), pathOf, stat),
    close: () => undefined,
  };
}

/** An object's info; null for what is missing, no plain file, or reached through a symbolic link. */
async function infoOf(path: string, key: string): Promise<ObjectInfo | null> {
  try {
    const info = await lstat(path, { bigint: true });
    if (!info.isFile() || (await realpath(path)) !== path) return null;
    const { ino, mtimeNs, ctimeNs, mtime } = info;
    const version = `${ino}-${mtimeNs}-${ctimeNs}`;
    return { key, size: Number(info.size), modified: mtime, version };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Removes a file, and the folders that it leaves empty. */
async function removeFile(root: string, path: string): Promise<void> {
  await rm(path, { force: true });
  for (let parent = dirname(path); parent !== root; parent = dirname(parent)) {
    try {
      await rmdir(parent);
    } catch (error) {
      if (!isMissing(error)) return;
    }
  }
}

/** Keys of the files below a folder, in the order of their bytes. */
async function* filesBelow(root: string, key: string): AsyncIterable<string> {
  const entries = await readdir(join(root, key), { withFileTypes: true }).catch(
    (error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    },
  );
  // In the order of whole keys, a folder sorts like its name followed by "/".
  const children = entries
    .filter((entry) => key !== "" || !entry.name.startsWith("."))
    .map((entry) => ({ entry, name: entry.name + (entry.isDirectory() ? "/" : "") }))
    .sort((a, b) => byBytes(a.name, b.name));
  for (const { entry } of children) {
    const child = key === "" ? entry.name : `${key}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(root, child);
    else if (entry.isFile()) yield child;
  }
}

async function linkOrCopy(source: string, target: string): Promise<void> {
  try {
    await link(source, target);
  } catch (error) {
    if (isMissing(error)) throw error;
    await copyFile(source, target, constants.COPYFILE_FICLONE);
  }
}
