import { createReadStream, createWriteStream } from "node:fs";
import {
  constants,
  copyFile,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  truncate,
} from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { assertKey, MissingObjectError, type ObjectInfo, type Storage } from "./storage.ts";

/** Storage in a folder of this machine. API and worker see the same folder, so a checkout is the folder itself. */
export async function openLocalFolder(folder: string): Promise<Storage> {
  await mkdir(folder, { recursive: true });
  const root = await realpath(folder);

  function pathOf(key: string): string {
    assertKey(key);
    return join(root, key);
  }
  /** The path of a key whose folders exist. */
  async function target(key: string): Promise<string> {
    const path = pathOf(key);
    await mkdir(dirname(path), { recursive: true });
    return path;
  }
  const partial = (path: string): string => `${path}.partial`;

  /** An object's info; null for what is missing, no plain file, or reached through a symbolic link. */
  async function stat(key: string): Promise<ObjectInfo | null> {
    const path = pathOf(key);
    try {
      const info = await lstat(path);
      if (!info.isFile() || (await realpath(path)) !== path) return null;
      return { key, size: info.size, modified: info.mtime };
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  return {
    stat,
    async put(key, source) {
      const path = await target(key);
      const temporary = `${path}.${randomUUID()}.partial`;
      try {
        const bytes = source instanceof Readable ? source : Readable.from([source]);
        await pipeline(bytes, createWriteStream(temporary));
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    async putFile(key, source) {
      const path = await target(key);
      await rm(path, { force: true });
      try {
        await link(source, path);
      } catch {
        await copyFile(source, path, constants.COPYFILE_FICLONE);
      }
    },
    async putPart(key, source, index, partBytes) {
      const path = partial(await target(key));
      // "a" would ignore positions and "w" would truncate; "r+" needs the file to be there.
      await (await open(path, constants.O_RDWR | constants.O_CREAT)).close();
      await pipeline(
        createReadStream(source),
        createWriteStream(path, { flags: "r+", start: index * partBytes }),
      );
    },
    async completeParts(key, size) {
      const path = await target(key);
      await truncate(partial(path), size);
      await rename(partial(path), path);
    },
    async abortParts(key) {
      await rm(partial(pathOf(key)), { force: true });
    },
    async get(key, range) {
      if (!(await stat(key))) throw new MissingObjectError(`No object ${key}`);
      return createReadStream(pathOf(key), range);
    },
    async list(prefix) {
      const found: ObjectInfo[] = [];
      const visit = async (key: string): Promise<void> => {
        const entries = await readdir(pathOf(key), { withFileTypes: true }).catch(
          (error: unknown) => {
            if (isMissing(error)) return [];
            throw error;
          },
        );
        for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
          const child = `${key}/${entry.name}`;
          if (entry.isDirectory()) await visit(child);
          else if (entry.isFile()) {
            const info = await stat(child);
            if (info) found.push(info);
          }
        }
      };
      await visit(prefix);
      return found;
    },
    async move(from, to) {
      await rename(pathOf(from), await target(to));
    },
    async remove(key) {
      await rm(pathOf(key), { recursive: true, force: true });
    },
    async checkout(prefix) {
      const path = pathOf(prefix);
      await mkdir(path, { recursive: true });
      return { path, publish: () => Promise.resolve() };
    },
  };
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG";
}
