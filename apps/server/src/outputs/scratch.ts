import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isAlive, machineName } from "../machine.ts";

/** A folder for copies of what is in the storage. It is one process's own, and goes with it. */
export interface Scratch extends AsyncDisposable {
  folder: string;
}

/** Says whose a folder is; touched as long as its process lives. */
const OWNER = "owner.json";
const TOUCH_MS = 10 * 60_000;
/** After this long without a touch the folder of another machine's process is left over. */
const LEFT_OVER_MS = 60 * 60_000;

/** Takes a new folder below `dataDir`, and removes those that processes which are no more have left there. */
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
 * Removes what it can. Another process may be removing the same folder, and a step of the one that is gone may still be
 * writing to it. Neither keeps us from starting: the next start removes what is left, so nothing is tried again.
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
    // It is being made this moment.
    return false;
  }
}
