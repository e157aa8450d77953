import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a folder and its missing parents; returns the topmost one created. Throws the system's error. Node's
 * `recursive: true` never returns on file systems that, like /proc, report a folder that cannot be created as a missing
 * file.
 */
export function makeFolders(folder: string): string | undefined {
  const missing: string[] = [];
  for (let path = folder; !isThere(path) && path !== dirname(path); path = dirname(path)) {
    missing.push(path);
  }
  for (const path of missing.toReversed()) {
    try {
      mkdirSync(path);
    } catch (error) {
      // Another process may have made it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !isThere(path)) throw error;
    }
  }
  if (!statSync(folder).isDirectory()) {
    throw Object.assign(new Error(`${folder} is not a folder`), { code: "ENOTDIR" });
  }
  return missing.at(-1);
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
