import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual, promisify } from "node:util";
import { DEFAULT_PLATFORM, platformById, type PlatformId } from "@stipple/contract";
import { hashFile } from "@stipple/pipeline/hash-file";

/** The small simulated tissue that anyone can try the product with. */
export interface SampleDataset {
  /** Where the finished data lie. */
  folder: string;
  /**
   * Slot id → local path. The first call makes the data; later and concurrent ones share it. Each file is read through
   * (20 MB): if one has changed since it was made, all are made again.
   */
  files(): Promise<ReadonlyMap<string, string>>;
}

const SIMULATE = fileURLToPath(new URL("./simulate-process.ts", import.meta.url));
const SEED = 7;
/** SHA-256 of each slot's file, next to them. */
const DIGESTS = "digests.json";
/** What the simulator makes unless told otherwise. */
export const SAMPLE_PLATFORM: PlatformId = DEFAULT_PLATFORM;

export function openSampleDataset(folder: string): SampleDataset {
  // The name says what is inside: another seed or simulator version gets its own folder.
  const finished = join(folder, `tissue-2-seed-${SEED}`);
  let making: Promise<ReadonlyMap<string, string>> | undefined;

  async function make(): Promise<ReadonlyMap<string, string>> {
    const there = await slotFiles(finished);
    if (there.size > 0) {
      if (await isUnchanged(finished, there)) return there;
      await rm(finished, { recursive: true, force: true });
    }
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
    const made = await slotFiles(finished);
    await isUnchanged(finished, made);
    return made;
  }

  return {
    folder: finished,
    files() {
      making ??= make().finally(() => (making = undefined));
      return making;
    },
  };
}

/** Whether the files are those that were there when somebody first looked. */
async function isUnchanged(folder: string, files: ReadonlyMap<string, string>): Promise<boolean> {
  const digests: Record<string, string> = {};
  for (const [slot, path] of files) digests[slot] = (await hashFile(path)).sha256;
  const note = join(folder, DIGESTS);
  const noted = await readFile(note, "utf8").catch(() => null);
  if (noted !== null) return isDeepStrictEqual(parsed(noted), digests);
  await writeFile(note, JSON.stringify(digests));
  return true;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
