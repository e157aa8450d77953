import { chmod, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolders } from "@stipple/server/settings/make-folders";

/** What a process writes is its account's own: folders 0700, files 0600. Processes that it starts inherit this. */
export const PRIVATE_UMASK = 0o077;

/**
 * Creates a folder and its missing parents. Root's folders can be passed through but not listed, because the database
 * runs under a separate account, whose folder is inside.
 */
export async function makeFolder(folder: string): Promise<void> {
  const first = makeFolders(folder);
  if (first === undefined || process.getuid?.() !== 0) return;
  for (let path = folder; path.length >= first.length; path = dirname(path)) {
    await chmod(path, 0o711);
  }
}

/** Removes access that an earlier version left open to others. The database handles its own folder. */
export async function closeToOthers(dataDir: string): Promise<void> {
  for (const entry of await readdir(dataDir, { withFileTypes: true })) {
    const path = join(dataDir, entry.name);
    if (entry.isDirectory() && entry.name !== "postgres") await chmod(path, 0o700);
    else if (entry.isFile()) await chmod(path, 0o600);
  }
}
