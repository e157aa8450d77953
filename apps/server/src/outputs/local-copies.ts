import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { materialize } from "./materialize.ts";
import type { Outputs, StoredFile } from "./read.ts";

/** Local copies of published files for programs that need local files, kept as long as there is room. */
export interface LocalCopies {
  /**
   * Calls `work` with a folder that contains the files of `list` at their paths. `content` identifies them: equal names
   * mean equal files, which are fetched once. They stay at least until `work` has ended.
   */
  using<T>(
    content: string,
    list: () => Promise<StoredFile[]>,
    work: (folder: string) => Promise<T>,
  ): Promise<T>;
}

interface Copy {
  folder: string;
  /** Resolves once the files are there, with their number of bytes, and what tells that they have changed. */
  ready: Promise<{ bytes: number; stamps: Map<string, string> }>;
  /** As far as known. */
  bytes: number;
  users: number;
  isDropped: boolean;
}

export function openLocalCopies(
  outputs: Outputs,
  options: { folder: string; maxBytes: number },
): LocalCopies {
  /** By content, the latest used last. */
  const copies = new Map<string, Copy>();
  let made = 0;

  async function fetch(folder: string, list: () => Promise<StoredFile[]>) {
    const files = await list();
    await materialize(outputs, files, folder);
    const stamps = new Map<string, string>();
    for (const { path, size, objectSize } of files) {
      if (size === objectSize) stamps.set(join(folder, path), await stampOf(join(folder, path)));
    }
    return { bytes: files.reduce((sum, { size }) => sum + size, 0), stamps };
  }

  function begin(content: string, list: () => Promise<StoredFile[]>): Copy {
    // A new name each time: the previous copy of the same content may still be being removed.
    const folder = join(options.folder, `copy-${++made}`);
    const copy: Copy = { folder, ready: fetch(folder, list), bytes: 0, users: 0, isDropped: false };
    copies.set(content, copy);
    copy.ready.then(
      ({ bytes }) => (copy.bytes = bytes),
      () => drop(content, copy),
    );
    return copy;
  }

  /** Removes a copy that nobody may use anymore, as soon as nobody does. */
  function drop(content: string, copy: Copy): void {
    if (copies.get(content) === copy) copies.delete(content);
    if (copy.users > 0) copy.isDropped = true;
    // What a disk does not let go of now goes with the process's own folder.
    else void rm(copy.folder, { recursive: true, force: true }).catch(() => undefined);
  }

  async function makeRoom(): Promise<void> {
    let bytes = [...copies.values()].reduce((sum, copy) => sum + copy.bytes, 0);
    for (const [content, copy] of copies) {
      if (bytes <= options.maxBytes) return;
      if (copy.users > 0) continue;
      copies.delete(content);
      bytes -= copy.bytes;
      await rm(copy.folder, { recursive: true, force: true });
    }
  }

  return {
    async using(content, list, work) {
      for (;;) {
        const copy = copies.get(content) ?? begin(content, list);
        copies.delete(content);
        copies.set(content, copy);
        copy.users++;
        try {
          const { stamps } = await copy.ready;
          if (await areUnchanged(stamps)) return await work(copy.folder);
          drop(content, copy);
        } finally {
          copy.users--;
          if (copy.isDropped) drop(content, copy);
          await makeRoom();
        }
      }
    },
  };
}

/**
 * Whether files are as they were when they were checked. Large ones may be links to stored objects: when an object is
 * damaged, so is the copy.
 */
async function areUnchanged(stamps: ReadonlyMap<string, string>): Promise<boolean> {
  for (const [path, stamp] of stamps) if ((await stampOf(path)) !== stamp) return false;
  return true;
}

/** Changes when a file is written, not when another link to it is made. */
async function stampOf(path: string): Promise<string> {
  const info = await stat(path, { bigint: true }).catch(() => null);
  return info ? `${info.ino} ${info.size} ${info.mtimeNs}` : "";
}
