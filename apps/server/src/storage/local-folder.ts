import { createReadStream, createWriteStream } from "node:fs";
import {
  constants,
  copyFile,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  writeFile,
} from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CHUNK_BYTES } from "@stipple/contract";
import {
  assertKey,
  byBytes,
  MissingObjectError,
  type ObjectInfo,
  type PartSource,
  type Storage,
} from "./storage.ts";

/** Folder for incomplete files; no key can start with this. */
const UNFINISHED = ".unfinished";
/** Read size: eight times Node's default, with an eighth of the work per byte. */
export const READ_BYTES = 512 * 1024;
/**
 * Write size. For larger writes, kernels with large folios allocate large pieces of memory for their cache; on virtual
 * machines, these have often not been touched before, and copying into them takes up to ten times as long.
 */
const WRITE_BYTES = 128 * 1024;
const UPLOAD_ID = /^[0-9a-f-]{36}$/;

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
  const temporary = (): string => join(root, UNFINISHED, randomUUID());

  /** Moves a finished file into place. Removing a neighbor may remove the folder in between; if so, tries again. */
  async function place(file: string, path: string): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      await mkdir(dirname(path), { recursive: true });
      try {
        return await rename(file, path);
      } catch (error) {
        if (!isMissing(error) || tries === 10) throw error;
      }
    }
  }

  /** An object's info; null for what is missing, no plain file, or reached through a symbolic link. */
  async function stat(key: string): Promise<ObjectInfo | null> {
    const path = pathOf(key);
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

  async function existing(key: string): Promise<string> {
    if (!(await stat(key))) throw new MissingObjectError(`No object ${key}`);
    return pathOf(key);
  }

  /** Removes a file, and the folders that it leaves empty. */
  async function removeFile(path: string): Promise<void> {
    await rm(path, { force: true });
    for (let parent = dirname(path); parent !== root; parent = dirname(parent)) {
      try {
        await rmdir(parent);
      } catch (error) {
        if (!isMissing(error)) return;
      }
    }
  }

  async function* walk(key: string): AsyncIterable<ObjectInfo> {
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
      if (entry.isDirectory()) yield* walk(child);
      else if (entry.isFile()) {
        const info = await stat(child);
        if (info) yield info;
      }
    }
  }

  /** Folder of an upload: the object's key in one file, its bytes in another. */
  function uploadFolder(uploadId: string): string {
    if (!UPLOAD_ID.test(uploadId)) throw new MissingObjectError(`No upload ${uploadId}`);
    return join(root, UNFINISHED, `parts-${uploadId}`);
  }

  return {
    stat,
    async put(key, source) {
      const path = pathOf(key);
      const draft = temporary();
      try {
        const bytes = source instanceof Readable ? source : Readable.from([Buffer.from(source)]);
        await pipeline(bytes, createWriteStream(draft, { flush: true }));
        await place(draft, path);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
    async putFile(key, source) {
      const path = pathOf(key);
      const draft = temporary();
      try {
        await linkOrCopy(source, draft);
        await place(draft, path);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
    async get(key, range) {
      return createReadStream(await existing(key), { ...range, highWaterMark: READ_BYTES });
    },
    async *list(prefix) {
      if (prefix !== "") assertKey(prefix);
      yield* walk(prefix);
    },
    async remove(keys) {
      for (const key of keys) await removeFile(pathOf(key));
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
    async beginParts(key) {
      assertKey(key);
      const uploadId = randomUUID();
      const upload = uploadFolder(uploadId);
      await mkdir(upload);
      await writeFile(join(upload, "bytes"), "");
      await writeFile(join(upload, "key"), key);
      return uploadId;
    },
    async putPart(key, uploadId, index, source) {
      assertKey(key);
      const path = join(uploadFolder(uploadId), "bytes");
      try {
        await writeAt(path, index * CHUNK_BYTES, source);
      } catch (error) {
        if (isMissing(error)) throw new MissingObjectError(`No upload ${uploadId} of ${key}`);
        throw error;
      }
      return String(index);
    },
    async completeParts(key, uploadId, parts) {
      const path = pathOf(key);
      const upload = uploadFolder(uploadId);
      const size = parts.reduce((sum, part) => sum + part.size, 0);
      const file = await open(join(upload, "bytes"), "r+").catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      });
      try {
        await file?.truncate(size);
        await file?.sync();
      } finally {
        await file?.close();
      }
      const placed =
        file !== null &&
        (await place(join(upload, "bytes"), path).then(
          () => true,
          (error: unknown) => {
            // Another file took this one's place meanwhile.
            if (isMissing(error)) return false;
            throw error;
          },
        ));
      // If it is already there, an earlier call placed it and its response was lost.
      if (!placed && (await stat(key))?.size !== size) {
        throw new MissingObjectError(`No upload ${uploadId} of ${key}`);
      }
      await rm(upload, { recursive: true, force: true });
    },
    async abortParts(_key, uploadId) {
      await rm(uploadFolder(uploadId), { recursive: true, force: true });
    },
    async *listParts(prefix) {
      for (const name of (await readdir(join(root, UNFINISHED))).sort()) {
        if (!name.startsWith("parts-")) continue;
        const file = join(root, UNFINISHED, name, "key");
        const key = await readFile(file, "utf8").catch(() => "");
        const info = await lstat(file).catch(() => null);
        if (!info || !(prefix === "" || key.startsWith(`${prefix}/`))) continue;
        yield { key, uploadId: name.slice("parts-".length), startedAt: info.mtime };
      }
    },
    close: () => undefined,
  };
}

async function linkOrCopy(source: string, target: string): Promise<void> {
  try {
    await link(source, target);
  } catch (error) {
    if (isMissing(error)) throw error;
    await copyFile(source, target, constants.COPYFILE_FICLONE);
  }
}

async function writeAt(path: string, start: number, source: PartSource): Promise<void> {
  if (!(source instanceof Uint8Array)) {
    await pipeline(
      createReadStream(source.path),
      createWriteStream(path, { flags: "r+", start, highWaterMark: 1024 * 1024 }),
    );
    return;
  }
  const file = await open(path, "r+");
  try {
    for (let written = 0; written < source.length;) {
      const { bytesWritten } = await file.write(
        source,
        written,
        Math.min(WRITE_BYTES, source.length - written),
        start + written,
      );
      written += bytesWritten;
    }
  } finally {
    await file.close();
  }
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG";
}
