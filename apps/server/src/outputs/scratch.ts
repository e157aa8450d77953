import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isAlive, machineName } from "../machine.ts";

/** A folder for copies of stored files. It belongs to one process and is removed with it. */
export interface Scratch extends AsyncDisposable {
  folder: string;
}

/** Identifies a folder's owner; touched as long as its process is alive. */
const OWNER = "owner.json";
const TOUCH_MS = 10 * 60_000;
/** A folder of another machine's process is abandoned after this long without a touch. */
const LEFT_OVER_MS = 60 * 60_000;

/** Creates a new folder in `dataDir`, and removes those that dead processes left there. */
export async function claimScratch(dataDir: string): Promise<Scratch> {
  const root = join(dataDir, "scratch");
  const folder = join(root, randomUUID());
  const owner = join(folder, OWNER);
  await mkdir(folder, { recursive: true });
  await writeFile(owner, JSON.stringify({ machine: machineName(), pid: process.pid }));
  for (const name of await readdir(root)) {
    if (await isLeftOver(join(root, name))) await removeLeftOver(join(root, name));
  }
  const touching = setInterval(() => {
    const now = new Date();
    utimes(owner, now, now).catch(() => undefined);
  }, TOUCH_MS).unref();
  return {
    folder,
    async [Symbol.asyncDispose]() {
      clearInterval(touching);
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/**
 * Removes what it can. Another process may be removing the same folder, or a step of the dead process may still be
 * writing to it. Neither prevents us from starting: the next start removes what is left, so there is no retry.
 */
async function removeLeftOver(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
}

async function isLeftOver(folder: string): Promise<boolean> {
  const claim = join(folder, OWNER);
  const touched = await stat(claim).catch(() => stat(folder).catch(() => null));
  if (!touched) return false;
  if (Date.now() - touched.mtimeMs > LEFT_OVER_MS) return true;
  try {
    const owner = JSON.parse(await readFile(claim, "utf8")) as { machine: string; pid: number };
    return owner.machine === machineName() && !isAlive(owner.pid);
  } catch {
    // It is just being created.
    return false;
  }
}
