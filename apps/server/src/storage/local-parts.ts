import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { lstat, mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { CHUNK_BYTES } from "@stipple/contract";
import { assertKey, MissingObjectError, type PartSource, type Storage } from "./storage.ts";

/**
 * Write size. For larger writes, kernels with large folios allocate large pieces of memory for their cache; on virtual
 * machines, these have often not been touched before, and copying into them takes up to ten times as long.
 */
const WRITE_BYTES = 128 * 1024;
const UPLOAD_ID = /^[0-9a-f-]{36}$/;

/** Uploads in parts to a local folder: each has a folder below `unfinished`, and its parts go to their place in a file. */
export function partsIn(
  unfinished: string,
  pathOf: (key: string) => string,
  stat: Storage["stat"],
): Pick<Storage, "beginParts" | "putPart" | "completeParts" | "abortParts" | "listParts"> {
  /** Folder of an upload: the object's key in one file, its bytes in another. */
  function uploadFolder(uploadId: string): string {
    if (!UPLOAD_ID.test(uploadId)) throw new MissingObjectError(`No upload ${uploadId}`);
    return join(unfinished, `parts-${uploadId}`);
  }

  return {
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
      for (const name of (await readdir(unfinished)).sort()) {
        if (!name.startsWith("parts-")) continue;
        const file = join(unfinished, name, "key");
        const key = await readFile(file, "utf8").catch(() => "");
        const info = await lstat(file).catch(() => null);
        if (!info || !(prefix === "" || key.startsWith(`${prefix}/`))) continue;
        yield { key, uploadId: name.slice("parts-".length), startedAt: info.mtime };
      }
    },
  };
}

async function writeAt(path: string, start: number, source: PartSource): Promise<void> {
  if (!(source instanceof Uint8Array)) {
    await pipeline(
      createReadStream(source.path),
      createWriteStream(path, { flags: "r+", start, highWaterMark: 1024 * 1024 }),
    );
    return;
  }
  await using file = await open(path, "r+");
  for (let written = 0; written < source.length;) {
    const { bytesWritten } = await file.write(
      source,
      written,
      Math.min(WRITE_BYTES, source.length - written),
      start + written,
    );
    written += bytesWritten;
  }
}

/** Moves a finished file into place. Removing a neighbor may remove the folder in between; if so, tries again. */
export async function place(file: string, path: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    await mkdir(dirname(path), { recursive: true });
    try {
      return await rename(file, path);
    } catch (error) {
      if (!isMissing(error) || tries === 10) throw error;
    }
  }
}

export function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG";
}
