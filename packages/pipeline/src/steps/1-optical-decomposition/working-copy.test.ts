import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AS_STORED, openImageSource } from "../../readers/images/image-source.ts";
import { openTissueImage } from "../../readers/images/open-tissue-image.ts";
import { writeTestTiff } from "@stipple/formats/tiff/testing/write-tiff";
import { makeWorkingCopy } from "./working-copy.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-working-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const { signal } = new AbortController();

describe("a working copy", () => {
  it.each([
    ["read by regions", {}],
    // Rows of a large image without tiles can only be read as they are stored.
    ["read from top to bottom first", { widthPx: 10_000, heightPx: 10_000 }],
  ])("is upright, whether the image is %s", async (_, size) => {
    const [width, height] = [300, 200];
    const pixels = Buffer.from(
      Array.from({ length: width * height }, (__, i) => [
        (i % width) >> 1,
        Math.floor(i / width),
        90,
      ]).flat(),
    );
    const path = join(folder, "turned.png");
    const raw = { raw: { width, height, channels: 3 as const } };
    await writeFile(
      path,
      await sharp(pixels, raw).withMetadata({ orientation: 6 }).png().toBuffer(),
    );
    const source = { path, reading: { ...AS_STORED, orientation: 6 } } as const;
    const image = { ...(await openImageSource(source)), ...size };
    const copy = join(folder, "copy.tif");
    await makeWorkingCopy(image, source, copy, "h_and_e", signal);
    const read = await openTissueImage(copy);
    expect(read).toMatchObject({ widthPx: 200, heightPx: 300, kind: "rgb", tiled: true });
    const all = { x: 0, y: 0, width: 200, height: 300 };
    const upright = await sharp(path).autoOrient().raw().toBuffer();
    const { data } = await read.getRegion(all);
    // The copy in between is a JPEG of high quality.
    const worst = data.reduce((most, value, i) => Math.max(most, Math.abs(value - upright[i])), 0);
    expect(worst).toBeLessThan(12);
    expect((await readdir(folder)).filter((name) => name.includes("stored"))).toEqual([]);
  });

  it("holds all channels of separate files, with their names", async () => {
    const files = ["a_DAPI.tif", "a_CD3.tif"].map((name) => join(folder, name));
    for (const [i, path] of files.entries()) {
      const data = Uint16Array.from({ length: 30_000 }, (_, at) => 1000 * (i + 1) + (at % 900));
      await writeTestTiff(path, [{ width: 200, height: 150, samples: 1, data }]);
    }
    const source = { path: files[0], channelFiles: files, reading: AS_STORED };
    const copy = join(folder, "channels.tif");
    const image = await openImageSource(source);
    image.channelNames = ["Nuclei", "CD3"];
    await makeWorkingCopy(image, source, copy, "if", signal);
    const read = await openTissueImage(copy);
    expect(read).toMatchObject({ kind: "channels", channelNames: ["Nuclei", "CD3"] });
    const region = { x: 5, y: 1, width: 2, height: 1 };
    expect([...(await read.getChannel(0, region)).data]).toEqual([1205, 1206]);
    expect([...(await read.getChannel(1, region)).data]).toEqual([2205, 2206]);
  });

  it("is of the page that shows the image", async () => {
    const path = join(folder, "second.tif");
    const page = (width: number, height: number, value: number) => ({
      ...{ width, height, samples: 3, photometric: 2 },
      data: new Uint8Array(3 * width * height).fill(value),
    });
    await writeTestTiff(path, [page(100, 100, 10), page(280, 260, 200)]);
    const source = { path, reading: AS_STORED };
    const copy = join(folder, "second-copy.tif");
    await makeWorkingCopy(await openTissueImage(path), source, copy, "h_and_e", signal);
    const read = await openTissueImage(copy);
    expect(read).toMatchObject({ widthPx: 280, heightPx: 260 });
    const { data } = await read.getRegion({ x: 0, y: 0, width: 1, height: 1 });
    expect(Math.abs(data[0] - 200)).toBeLessThan(3);
  });
});
