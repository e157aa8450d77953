import { join } from "node:path";
import { withTemporaryFolder } from "../operations/with-temporary-folder.ts";
import type { Storage } from "../storage/storage.ts";
import type { FileOrder } from "./file-checker.ts";
import { catchInputError } from "./catch-input-error.ts";

/** Why a reader refuses a copy of a file, in one sentence; null if it does not. */
export function faultOfCopy(
  storage: Storage,
  { key, fileName, scratch }: FileOrder,
  read: (path: string) => Promise<unknown>,
): Promise<string | null> {
  const reading = withTemporaryFolder(scratch, async (folder) => {
    const path = join(folder, copyName(fileName));
    await storage.fetchTo(key, path);
    await read(path);
    return null;
  });
  return catchInputError<string | null>(reading, (sentence) => sentence);
}

/** The name of a copy that sentences are to name as its owner does, with what its ending promises. */
export function copyName(fileName: string): string {
  return fileName.replaceAll(/[/\\\0]/g, "_").slice(-60);
}
