import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const PACKED = {
  gz: (content: Buffer) => promisify(gzip)(content, { level: 9 }),
  br: (content: Buffer) =>
    promisify(brotliCompress)(content, {
      params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
};
export type Packing = keyof typeof PACKED;

/** The text files of a build that are not compressed yet. */
export async function unpackedAssets(build: string, packing: Packing): Promise<string[]> {
  const folder = join(build, "assets");
  const names = await readdir(folder);
  const there = new Set(names);
  const paths: string[] = [];
  for (const name of names) {
    if (/\.(js|css|svg)$/.test(name) && !there.has(`${name}.${packing}`)) {
      paths.push(join(folder, name));
    }
  }
  return paths;
}

/**
 * Writes a compressed copy next to every text file of a build, which the server then sends as is. Brotli takes as long
 * as building does; a file appears when it is whole, so the build may be served meanwhile.
 */
async function compressAssets(build: string, packing: Packing): Promise<void> {
  for (const path of await unpackedAssets(build, packing)) {
    const content = await readFile(path);
    const draft = `${path}.${process.pid}.draft`;
    await writeFile(draft, await PACKED[packing](content));
    await rename(draft, `${path}.${packing}`);
  }
}

if (import.meta.main) {
  const [build, packings] = process.argv.slice(2);
  for (const packing of (packings ?? "").split(",")) {
    await compressAssets(build!, packing as Packing);
  }
}
