import type { InputFile } from "../outputs/input-reads.ts";

/**
 * Checks a project's files. If that fails and meanwhile they have been replaced or removed, which may remove the bytes
 * that are being read, checks those that are there now.
 */
export async function checkCurrentFiles<T>(
  filesNow: () => Promise<InputFile[]>,
  check: (files: InputFile[]) => Promise<T>,
): Promise<T> {
  for (let files = await filesNow(); ;) {
    try {
      return await check(files);
    } catch (error) {
      const now = await filesNow();
      if (versionOf(now) === versionOf(files)) throw error;
      files = now;
    }
  }
}

function versionOf(files: readonly InputFile[]): string {
  return JSON.stringify(files.map(({ slot, storageKey }) => [slot, storageKey]).sort());
}
