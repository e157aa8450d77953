import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Storage } from "../storage/storage.ts";
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
  /** Resolves with the number of bytes once the files are there. */
  ready: Promise<number>;
  /** As far as known. */
  bytes: number;
  users: number;
}

export function openLocalCopies(
  parts: { outputs: Outputs; storage: Storage },
  options: { folder: string; mostBytes: number },
): LocalCopies {
  /** By content, the latest used last. */
  const copies = new Map<string, Copy>();
  let made = 0;

  async function fetch(folder: string, list: () => Promise<StoredFile[]>): Promise<number> {
    const files = await list();
    await materialize(parts, files, folder);
    return files.reduce((sum, { size }) => sum + size, 0);
  }

  function begin(content: string, list: () => Promise<StoredFile[]>): Copy {
    // A new name each time: the previous copy of the same content may still be being removed.
    const folder = join(options.folder, `copy-${++made}`);
    const copy: Copy = { folder, ready: fetch(folder, list), bytes: 0, users: 0 };
    copies.set(content, copy);
    copy.ready.then(
      (bytes) => (copy.bytes = bytes),
      () => {
        if (copies.get(content) === copy) copies.delete(content);
        void rm(folder, { recursive: true, force: true });
      },
    );
    return copy;
  }

  async function makeRoom(): Promise<void> {
    let bytes = [...copies.values()].reduce((sum, copy) => sum + copy.bytes, 0);
    for (const [content, copy] of copies) {
      if (bytes <= options.mostBytes) return;
      if (copy.users > 0) continue;
      copies.delete(content);
      bytes -= copy.bytes;
      await rm(copy.folder, { recursive: true, force: true });
    }
  }

  return {
    async using(content, list, work) {
      const copy = copies.get(content) ?? begin(content, list);
      if (copies.delete(content)) copies.set(content, copy);
      copy.users++;
      try {
        await copy.ready;
        return await work(copy.folder);
      } finally {
        copy.users--;
        await makeRoom();
      }
    },
  };
}
