import { statfs } from "node:fs/promises";

/** Free space, in MB, available to this process on the disk that holds a folder. */
export async function freeMb(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return (bavail * bsize) / 1024 ** 2;
}
