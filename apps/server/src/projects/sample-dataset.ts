import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { DEFAULT_PLATFORM, platformById, type PlatformId } from "@stipple/contract";

/** The small simulated tissue that anyone can try the product with. */
export interface SampleDataset {
  /** Where the finished data lie. */
  folder: string;
  /** Slot id → local path. The first call makes the data; later and concurrent ones share it. */
  files(): Promise<ReadonlyMap<string, string>>;
}

const SIMULATE = fileURLToPath(new URL("./simulate-process.ts", import.meta.url));
const SEED = 7;
/** What the simulator makes unless told otherwise. */
export const SAMPLE_PLATFORM: PlatformId = DEFAULT_PLATFORM;

export function openSampleDataset(folder: string): SampleDataset {
  // The name says what is inside: another seed or simulator version gets its own folder.
  const finished = join(folder, `tissue-2-seed-${SEED}`);
  let making: Promise<ReadonlyMap<string, string>> | undefined;

  async function make(): Promise<ReadonlyMap<string, string>> {
    const there = await slotFiles(finished);
    if (there.size > 0) return there;
    await mkdir(folder, { recursive: true });
    const draft = join(folder, `.draft-${randomUUID()}`);
    try {
      await promisify(execFile)(process.execPath, [SIMULATE, draft, `${SEED}`]);
      // Another process may have finished first; its data are the same.
      await rename(draft, finished).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
      });
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
    return slotFiles(finished);
  }

  return {
    folder: finished,
    files() {
      making ??= make().catch((error: unknown) => {
        making = undefined;
        throw error;
      });
      return making;
    },
  };
}

/** The input files in a simulated tissue's folder, by upload slot, recognized by their names. */
async function slotFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || relative(folder, path).startsWith("truth")) continue;
    const slot = platformById(SAMPLE_PLATFORM).slots.find(({ storedAs, extensions }) =>
      extensions.some((extension) => entry.name === storedAs + extension),
    );
    if (slot) found.set(slot.id, path);
  }
  return found;
}
