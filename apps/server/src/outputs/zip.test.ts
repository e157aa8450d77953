import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import JSZip from "jszip";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { StoredFile } from "./read.ts";
import { zipOf } from "./zip.ts";
import { descriptor, directory, localHeader } from "./zip-records.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-zip-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const stored = (path: string, bytes: Buffer): StoredFile => ({
  projectId: "project",
  step: 7,
  path,
  size: bytes.length,
  sha256: createHash("sha256").update(bytes).digest("hex"),
  storageKey: path,
  offset: 0,
  objectSize: bytes.length,
  publishedAt: new Date("2026-11-22T10:11:12Z"),
});
const output = "analysis_results/output/spatialdata.zarr/tables/table/layers/rate/data/c";

/** A zip of files with these contents, and how often each was opened. */
function zipOfTexts(contents: Record<string, Buffer>) {
  const opened: string[] = [];
  const files = Object.entries(contents).map(([path, bytes]) => stored(path, bytes));
  const zip = zipOf(files, ({ path }, range = { start: 0, end: contents[path].length - 1 }) => {
    opened.push(path);
    return Promise.resolve(Readable.from([contents[path].subarray(range.start, range.end + 1)]));
  });
  return { zip, opened };
}

describe("the zip of results", () => {
  it.each([3, 700])("opens with its %i files unchanged", async (nFiles) => {
    const contents = Object.fromEntries(
      Array.from({ length: nFiles }, (_, i) => [`${output}/ü${i}`, Buffer.from(`content ${i}`)]),
    );
    contents["empty"] = Buffer.alloc(0);
    const { zip, opened } = zipOfTexts(contents);
    const bytes = await buffer(zip.stream());
    expect(bytes.length).toBe(zip.size);
    // Each is read once, an empty one not at all.
    expect(opened.length).toBe(nFiles);
    const read = await JSZip.loadAsync(bytes, { checkCRC32: true });
    for (const [name, content] of Object.entries(contents)) {
      const file = read.file(name);
      expect([name, await file?.async("nodebuffer")]).toEqual([name, content]);
      expect(file?.date).toEqual(new Date("2026-11-22T10:11:12Z"));
      expect(file?.unixPermissions).toBe(0o100644);
    }
  });

  it("resumes at any byte, in a process that did not send the preceding bytes", async () => {
    const contents = {
      "figures/a.png": randomBytes(300_000),
      "figures/b.png": randomBytes(70_000),
    };
    const { zip } = zipOfTexts(contents);
    const parts: Buffer[] = [];
    for (let start = 0; start < zip.size; start += 61_001) {
      const end = Math.min(zip.size, start + 61_001) - 1;
      parts.push(await buffer(zip.stream({ start, end })));
    }
    expect(Buffer.concat(parts).equals(await buffer(zip.stream()))).toBe(true);
  });

  it("is identified by its files: different content is a different zip", () => {
    const tagOf = (content: string) => zipOfTexts({ a: Buffer.from(content) }).zip.tag;
    expect(tagOf("one")).toBe(tagOf("one"));
    expect(tagOf("one")).not.toBe(tagOf("two"));
  });

  it("has records for files and offsets beyond 4 GiB", () => {
    const modified = new Date("2026-11-22T10:11:12Z");
    const large = { path: "large.h5ad", size: 5 * 1024 ** 3, modified };
    const after = { path: "after.png", size: 3, modified };
    expect(localHeader(large).readUInt32LE(22)).toBe(0xffff_ffff);
    expect(descriptor(large, 7).readBigUInt64LE(8)).toBe(BigInt(large.size));
    const at = large.size + 100;
    const start = at + 100;
    const bytes = directory(
      [
        { ...large, at: 0, crc: 7 },
        { ...after, at, crc: 8 },
      ],
      start,
    );
    // The second record's offset, in the 64-bit field.
    const second = bytes.indexOf("after.png");
    expect(bytes.readUInt32LE(second - 4)).toBe(0xffff_ffff);
    expect(bytes.readBigUInt64LE(second + 9 + 9 + 4 + 16)).toBe(BigInt(at));
    const end = bytes.length - 22 - 20 - 56;
    expect(bytes.readUInt32LE(end)).toBe(0x06064b50);
    expect(bytes.readBigUInt64LE(end + 48)).toBe(BigInt(start));
  });

  it("leaves no file open if not read to the end", async () => {
    const content = Buffer.alloc(5_000_000);
    const path = join(folder, "large.png");
    await writeFile(path, content);
    const opened: Readable[] = [];
    const stream = zipOf([stored("figures/large.png", content)], () => {
      opened.push(createReadStream(path));
      return Promise.resolve(opened[0]);
    }).stream();
    await once(stream, "readable");
    await expect.poll(() => opened.length).toBe(1);
    stream.destroy();
    await expect.poll(() => opened.map(({ closed }) => closed)).toEqual([true]);
  });
});
