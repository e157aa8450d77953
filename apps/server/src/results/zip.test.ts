import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLocalFolder } from "../storage/local-folder.ts";
import { zipOf } from "./zip.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-zip-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function resultsWith(nFiles: number): Promise<void> {
  const output = join(
    folder,
    "p/analysis_results/output/spatialdata.zarr/tables/table/layers/rate/data/c",
  );
  await mkdir(output, { recursive: true });
  for (let i = 0; i < nFiles; i++) await writeFile(join(output, `${i}`), `chunk ${i}`);
}

describe("the zip of results", () => {
  // Above some 600 files of such paths the directory exceeds 64 KiB.
  it.each([3, 700])("is as long as it says, with %i files", async (nFiles) => {
    await resultsWith(nFiles);
    const { stream, size } = await zipOf(await openLocalFolder(folder), "p");
    const bytes = await buffer(stream);
    expect(bytes.length).toBe(size);
    expect(bytes.subarray(0, 2).toString()).toBe("PK");
  });

  it("that is not taken to its end leaves no file open", async () => {
    await mkdir(join(folder, "p/figures"), { recursive: true });
    await writeFile(join(folder, "p/figures/large.png"), Buffer.alloc(5_000_000));
    const storage = await openLocalFolder(folder);
    const opened: Readable[] = [];
    const { stream } = await zipOf(
      {
        ...storage,
        async get(key) {
          const source = await storage.get(key);
          opened.push(source);
          return source;
        },
      },
      "p",
    );
    await once(stream, "readable");
    stream.destroy();
    await expect.poll(() => opened.map(({ closed }) => closed)).toEqual([true]);
  });
});
