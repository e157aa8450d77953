import { open, readFile, writeFile } from "node:fs/promises";
import { type Dataset, H5File, openLibrary } from "../library.ts";
import { FILTERS, headerMessages } from "../messages.ts";

/** A stored chunk of a dataset of one dimension: where its bytes are in the file. */
export interface StoredChunk {
  at: number;
  bytes: number;
}

/** Makes files written in HDF5's earliest format look compressed by another filter: their chunks stay as they are. */
export async function forgeFilter(
  path: string,
  names: readonly string[],
  filter: number,
): Promise<void> {
  await openLibrary();
  const h5 = new H5File(path, "r");
  const headers = names.map((name) => {
    const { ref_data } = (h5.get(name) as Dataset).create_reference();
    return Number(Buffer.from(ref_data).readBigUInt64LE(0));
  });
  h5.close();
  const file = await open(path, "r+");
  try {
    for (const header of headers) {
      for await (const { type, at } of headerMessages(file, header)) {
        // A filter's number follows eight bytes of version, number of filters, and padding.
        if (type === FILTERS)
          await file.write(Buffer.from([filter & 255, filter >> 8]), 0, 2, at + 8);
      }
    }
  } finally {
    await file.close();
  }
}

/** The chunks in a file of HDF5's earliest format, from all indexes of datasets of one dimension. */
export function storedChunks(file: Buffer): StoredChunk[] {
  const chunks: StoredChunk[] = [];
  for (let at = file.indexOf("TREE"); at >= 0; at = file.indexOf("TREE", at + 4)) {
    const [isOfChunks, level, n] = [file[at + 4] === 1, file[at + 5], file.readUInt16LE(at + 6)];
    if (!isOfChunks || level !== 0) continue;
    for (let i = 0; i < n; i++) {
      const key = at + 24 + 32 * i;
      chunks.push({ bytes: file.readUInt32LE(key), at: Number(file.readBigUInt64LE(key + 24)) });
    }
  }
  return chunks;
}

/** Changes six bytes in the middle of a chunk; not to 0xffff, which to Fletcher32 is the same as 0. */
export async function damageChunk(path: string, { at, bytes }: StoredChunk): Promise<void> {
  const file = await readFile(path);
  const middle = at + (bytes >> 1);
  for (let i = middle; i < Math.min(middle + 6, at + bytes); i++) file[i] ^= 0x5a;
  await writeFile(path, file);
}
