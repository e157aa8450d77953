import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";

/** Calls `use` with a new folder in `parent`, which is removed afterward. */
export async function withTemporaryFolder<T>(
  parent: string,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(parent, "stipple-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
