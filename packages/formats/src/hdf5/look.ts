import { open, type FileHandle } from "node:fs/promises";
import { enableCompileCache } from "node:module";
import { parentPort } from "node:worker_threads";
import type { Group as H5Group } from "./library.ts";

/** Traverses everything in a file, in a thread that may crash or be terminated: see openH5. */

// A thread does not share its parent's compile cache.
enableCompileCache();
const { openGuarded } = await import("./guard.ts");
const { Dataset, Group } = await import("./library.ts");
const { unknownCompression } = await import("./filters.ts");
const { bytesOf, faultOfDataset } = await import("./open-h5.ts");
const { requireAllChunks } = await import("./packed-chunks.ts");

const MAX_OBJECTS = 10_000;
const DEEPEST = 16;
/** Larger chunks, and more bytes in all, take seconds to unpack, as of programs that make one chunk of each dataset. */
const [LARGEST_CHUNK, MAX_UNPACKED] = [32 * 2 ** 20, 256 * 2 ** 20];

let objects = 0;
let unpacked = 0;

// An exception from lookThrough ends the thread and is reported to the parent.
parentPort?.on("message", (path: string) => void lookThrough(path));

async function lookThrough(path: string): Promise<void> {
  await using file = await open(path, "r");
  const { size } = await file.stat();
  const { h5, close } = await openGuarded(path);
  objects = 0;
  unpacked = 0;
  await look(h5, 0, { file, size });
  close();
  parentPort?.postMessage("looked");
}

async function look(
  group: H5Group,
  depth: number,
  from: { file: FileHandle; size: number },
): Promise<void> {
  for (const attribute of Object.values(group.attrs)) tryRead(() => attribute.value);
  for (const name of group.keys()) {
    if (++objects > MAX_OBJECTS) return;
    const item = group.get(name);
    if (item instanceof Group && depth < DEEPEST) await look(item, depth + 1, from);
    // What is too large or compressed in another way is reported by its reader; the first and last elements show
    // whether a dataset's parts can be found.
    if (item instanceof Dataset && faultOfDataset(item, from.size) === null) {
      await requireAllChunks(item, from.file);
      if (unknownCompression(item) !== null) continue;
      const lengths = item.shape ?? [];
      if (lengths.length === 0 || lengths.includes(0)) continue;
      const bytes = bytesOf(item.metadata.chunks, item.metadata.size);
      if (bytes > LARGEST_CHUNK || unpacked + 2 * bytes > MAX_UNPACKED) continue;
      unpacked += 2 * bytes;
      tryRead(() => item.slice(lengths.map(() => [0, 1])));
      tryRead(() => item.slice(lengths.map((length) => [length - 1, length])));
    }
  }
}

/** Kinds of numbers that h5wasm does not know, such as floats of 16 bits, are no damage. */
function tryRead(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!/^Float\d+ not supported$/.test((error as Error).message)) throw error;
  }
}
