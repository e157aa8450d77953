import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync, zstdCompressSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InputError } from "../../errors.ts";
import { openInStrips, openTissueImage } from "./open-tissue-image.ts";
import { writeTestTiff } from "@stipple/formats/tiff/testing/write-tiff";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-hostile-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Entry = [tag: number, type: number, count: number, value: number];

/** An 8 × 8 image with one uncompressed gray sample and its pixels at byte 8; `changed` tags override these. */
function tags(...changed: Entry[]): Entry[] {
  const usual: Entry[] = [
    [256, 4, 1, 8],
    [257, 4, 1, 8],
    [258, 3, 1, 8],
    [259, 3, 1, 1],
    [262, 3, 1, 1],
    [273, 4, 1, 8],
    [277, 3, 1, 1],
    [278, 4, 1, 8],
    [279, 4, 1, 64],
  ];
  const all = new Map([...usual, ...changed].map((entry) => [entry[0], entry]));
  return [...all.values()].sort((a, b) => a[0] - b[0]);
}

/** A little-endian TIFF with one directory at `at`, and the next one at `next`. */
function tiff(entries: Entry[], { at = 72, next = 0, extra = Buffer.alloc(0) } = {}): Buffer {
  const head = Buffer.alloc(at);
  head.write("II", 0, "latin1");
  head.writeUInt16LE(42, 2);
  head.writeUInt32LE(at, 4);
  const directory = Buffer.alloc(2 + 12 * entries.length + 4);
  directory.writeUInt16LE(entries.length, 0);
  entries.forEach(([tag, type, count, value], i) => {
    directory.writeUInt16LE(tag, 2 + 12 * i);
    directory.writeUInt16LE(type, 4 + 12 * i);
    directory.writeUInt32LE(count, 6 + 12 * i);
    directory.writeUInt32LE(value, 10 + 12 * i);
  });
  directory.writeUInt32LE(next, directory.length - 4);
  return Buffer.concat([head, directory, extra]);
}

function bigTiff(firstAt: number, rest: Buffer): Buffer {
  const head = Buffer.alloc(16);
  head.write("II", 0, "latin1");
  head.writeUInt16LE(43, 2);
  head.writeUInt16LE(8, 4);
  head.writeBigUInt64LE(BigInt(firstAt), 8);
  return Buffer.concat([head, rest]);
}

async function refusal(bytes: Buffer): Promise<string> {
  const path = join(folder, "slide.tif");
  await writeFile(path, bytes);
  const error = await openTissueImage(path).then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(InputError);
  return (error as InputError).message;
}

describe("hostile TIFF", { timeout: 5_000 }, () => {
  it("whose image list loops back to itself is rejected", async () => {
    // 26 bytes: one tag, and the directory itself as the next.
    const loop = tiff([[256, 3, 1, 8]], { at: 8, next: 8 });
    expect(loop.length).toBe(26);
    expect(await refusal(loop)).toBe(
      "slide.tif is damaged: its list of images loops back on itself. Export or copy it again.",
    );
    const directory = Buffer.alloc(16);
    directory.writeBigUInt64LE(16n, 8);
    expect(await refusal(bigTiff(16, directory))).toMatch(/loops back on itself/);
  });

  it("with more tags or values than it has bytes is rejected", async () => {
    expect(await refusal(tiff(tags([273, 4, 0x7fffffff, 8])))).toMatch(
      /tags are past the end of the file/,
    );
    expect(await refusal(tiff(tags([270, 2, 0xffffffff, 8])))).toMatch(
      /tags are past the end of the file/,
    );
    const many = Buffer.alloc(64);
    many.writeBigUInt64LE(2n ** 60n, 0);
    expect(await refusal(bigTiff(16, many))).toMatch(/tags, more than any real image has/);
    expect(await refusal(bigTiff(2 ** 52, Buffer.alloc(0)))).toMatch(/past the end of the file/);
    expect(await refusal(tiff(tags(), { next: 0xfffffff0 }))).toMatch(/past the end/);
  });

  it("with implausible samples, sides, or tiles is rejected", async () => {
    expect(await refusal(tiff(tags([277, 3, 1, 65_535])))).toMatch(/has 65535 samples per pixel/);
    expect(await refusal(tiff(tags([277, 3, 1, 0])))).toMatch(/has 0 samples per pixel/);
    expect(await refusal(tiff(tags([256, 4, 1, 0xffffffff])))).toMatch(/4294967295 × 8 px/);
    expect(await refusal(tiff(tags([258, 3, 1, 65_535])))).toMatch(/have 65535 bits/);
    expect(
      await refusal(tiff(tags([322, 4, 1, 100_000], [323, 4, 1, 100_000], [324, 4, 1, 8]))),
    ).toMatch(/tiles of 100000 × 100000 px/);
    expect(await refusal(tiff(tags([257, 4, 1, 1_000_000], [278, 4, 1, 1])))).toMatch(
      /lists only 1 of the 1000000 tiles or strips/,
    );
    const wide = tags([256, 4, 1, 900_000], [257, 4, 1, 900_000], [278, 4, 1, 900_000]);
    expect(await refusal(tiff(wide))).toMatch(/would decompress from \d+ to 810000000000 bytes/);
  });

  it("with several values where one is expected is rejected in one sentence", async () => {
    expect(await refusal(tiff(tags([277, 3, 2, 0x00010001])))).toBe(
      "slide.tif is damaged: its tag SamplesPerPixel has 2 values instead of one. Export or copy it again.",
    );
    expect(await refusal(tiff(tags([256, 11, 1, 0x7fc00000])))).toMatch(
      /ImageWidth has a value that is not a whole/,
    );
  });

  it("with more images than it can contain is rejected before traversing them", async () => {
    // 10,001 directories without tags.
    const chain = Buffer.alloc(6 * 10_001);
    for (let i = 0; i < 10_000; i++) chain.writeUInt32LE(8 + 6 * (i + 1), 6 * i + 2);
    const head = tiff([], { at: 8 }).subarray(0, 8);
    expect(await refusal(Buffer.concat([head, chain]))).toMatch(/more than 10000 images/);
  });

  it("whose smaller versions cannot be read is read without them", async () => {
    const path = join(folder, "levels.tif");
    const offsets = Buffer.alloc(4 * 1000);
    // Every SubIFD is the image itself or far past the end.
    for (let i = 0; i < 1000; i++) offsets.writeUInt32LE(i % 2 ? 72 : 0xfffffff0, 4 * i);
    const at = 72 + 2 + 12 * 10 + 4;
    await writeFile(path, tiff(tags([330, 4, 1000, at]), { extra: offsets }));
    const image = await openTissueImage(path);
    expect(image.overviewPx).toBe(64);
    const { data } = await image.getRegion({ x: 0, y: 0, width: 8, height: 8 });
    expect(data.length).toBe(192);
  });

  it("is read when a tag that is not needed lies past its end", async () => {
    const path = join(folder, "private.tif");
    await writeFile(path, tiff(tags([65_000, 1, 0xffffffff, 0xfffffff0])));
    expect(await openTissueImage(path)).toMatchObject({ widthPx: 8, heightPx: 8, kind: "gray" });
  });

  it.each([
    ["Deflate", 8, deflateSync(Buffer.alloc(64 * 2 ** 20), { level: 9 })],
    ["Zstandard", 50_000, zstdCompressSync(Buffer.alloc(64 * 2 ** 20))],
  ])(
    "whose %s block unpacks to far more than its pixels is refused",
    async (_, compression, data) => {
      const path = join(folder, "bomb.tif");
      await writeTestTiff(path, [
        { width: 64, height: 64, samples: 1, data, packed: { bits: 8 }, compression },
      ]);
      const image = await openInStrips(path);
      const all = { x: 0, y: 0, width: 64, height: 64 };
      await expect(image.getChannel(0, all)).rejects.toThrow(/bomb\.tif cannot be decoded/);
    },
  );

  it("with a description designed to be searched forever is read at once", async () => {
    const path = join(folder, "search.tif");
    const description = `<OME ${"<Channel ".repeat(200_000)}`;
    const page = { width: 2, height: 2, samples: 1, data: Uint8Array.of(1, 2, 3, 4) };
    await writeTestTiff(path, [{ ...page, description }, page]);
    const image = await openTissueImage(path);
    expect(image).toMatchObject({ channels: 2, channelNames: [] });
  });
});

describe("strips unpacked here", () => {
  it.each(["lzw", "packbits", "deflate"] as const)(
    "of %s give the same pixels as libvips",
    async (compression) => {
      const path = join(folder, `${compression}.tif`);
      // Noise and flat areas, so that codes of all lengths occur.
      const data = Buffer.alloc(300 * 200 * 3);
      for (let i = 0, state = 1; i < data.length; i++) {
        state = (state * 48_271) % 2_147_483_647;
        data[i] = i % 900 < 300 ? 240 : state % (1 + (i >> 9));
      }
      await sharp(data, { raw: { width: 300, height: 200, channels: 3 } })
        .tiff({ compression, predictor: "none" })
        .toFile(path);
      const image = await openInStrips(path);
      const all = { x: 0, y: 0, width: 300, height: 200 };
      expect(Buffer.compare((await image.getRegion(all)).data, data)).toBe(0);
    },
  );
});
