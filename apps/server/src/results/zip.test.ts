import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
});
