import { statfs } from "node:fs/promises";

/** Free space of the disk that holds a folder, MB, as far as this process may use it. */
export async function freeMb(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return (bavail * bsize) / 1024 ** 2;
}
