import { once } from "node:events";
import { createReadStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { StoredFile } from "../outputs/read.ts";
import { zipOf } from "./zip.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-zip-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const stored = (path: string, size: number): StoredFile => ({
  path,
  size,
  sha256: "",
  storageKey: path,
  offset: 0,
  alone: true,
  publishedAt: new Date(),
});
const text = (path: string): string => `content of ${path}`;

describe("the zip of results", () => {
  // Above some 600 files of such paths the directory exceeds 64 KiB.
  it.each([3, 700])("is as long as it says, with %i files", async (nFiles) => {
    const output = "analysis_results/output/spatialdata.zarr/tables/table/layers/rate/data/c";
    const files = Array.from({ length: nFiles }, (_, i) =>
      stored(`${output}/${i}`, text(`${output}/${i}`).length),
    );
    const { stream, size } = await zipOf(files, ({ path }) =>
      Promise.resolve(Readable.from([Buffer.from(text(path))])),
    );
    const bytes = await buffer(stream);
    expect(bytes.length).toBe(size);
    expect(bytes.subarray(0, 2).toString()).toBe("PK");
  });

  it("that is not taken to its end leaves no file open", async () => {
    const path = join(folder, "large.png");
    await writeFile(path, Buffer.alloc(5_000_000));
    const opened: Readable[] = [];
    const { stream } = await zipOf([stored("figures/large.png", 5_000_000)], () => {
      opened.push(createReadStream(path));
      return Promise.resolve(opened[0]!);
    });
    await once(stream, "readable");
    stream.destroy();
    await expect.poll(() => opened.map(({ closed }) => closed)).toEqual([true]);
  });
});
