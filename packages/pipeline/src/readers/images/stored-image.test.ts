import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTissueImage } from "./open-tissue-image.ts";
import { writeTestTiff } from "@stipple/formats/tiff/testing/write-tiff";
import type { TissueImage } from "./tissue-image.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-stored-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function wholeChannel(image: TissueImage, channel = 0): Promise<number[]> {
  const region = { x: 0, y: 0, width: image.widthPx, height: image.heightPx };
  return [...(await image.getChannel(channel, region)).data];
}

describe("images unpacked here", () => {
  it("preserve 16-bit values with Zstandard", async () => {
    const path = join(folder, "zstd.tif");
    const values = Uint16Array.from({ length: 600 }, (_, i) => 100 * i);
    const data = zstdCompressSync(Buffer.from(values.buffer));
    await writeTestTiff(path, [
      { width: 30, height: 20, samples: 1, data, packed: { bits: 16 }, compression: 50000 },
    ]);
    const image = await openTissueImage(path);
    expect(image).toMatchObject({ kind: "gray", bitsPerSample: 16, channels: 1 });
    expect(await wholeChannel(image)).toEqual([...values]);
    const part = await image.getChannel(0, { x: 3, y: 2, width: 2, height: 2 });
    expect([...part.data]).toEqual([6300, 6400, 9300, 9400]);
  });

  it("decode the colors of WebP tiles", async () => {
    const path = join(folder, "webp.tif");
    const rgb = Buffer.from(Array.from({ length: 12 }, (_, i) => 20 * i));
    const data = await sharp(rgb, { raw: { width: 2, height: 2, channels: 3 } })
      .webp({ lossless: true })
      .toBuffer();
    await writeTestTiff(path, [
      {
        width: 2,
        height: 2,
        samples: 3,
        data,
        packed: { bits: 8 },
        photometric: 2,
        compression: 50001,
      },
    ]);
    const image = await openTissueImage(path);
    const { data: read } = await image.getRegion({ x: 0, y: 0, width: 2, height: 2 });
    expect([...read]).toEqual([...rgb]);
  });

  it("show what is in tiles whose sides are no multiples of 16", async () => {
    const path = join(folder, "tile.tif");
    const data = Uint8Array.from({ length: 3 * 25 * 18 }, (_, i) => i % 251);
    const tile = { width: 25, height: 18 };
    await writeTestTiff(path, [{ width: 20, height: 18, samples: 3, photometric: 2, data, tile }]);
    const image = await openTissueImage(path);
    expect(image).toMatchObject({ kind: "rgb", tiled: true });
    const read = await image.getRegion({ x: 0, y: 1, width: 20, height: 1 });
    expect([...read.data]).toEqual([...data.subarray(3 * 25, 3 * 45)]);
  });

  it("show transparency on white, whether or not it is multiplied into the colors", async () => {
    const all = { x: 0, y: 0, width: 2, height: 2 };
    const page = { width: 2, height: 2, photometric: 2, samples: 4, packed: { bits: 8 } };
    const rgba = [100, 50, 20, 255, 9, 9, 9, 0, 100, 50, 20, 51, 0, 0, 0, 255];
    const shown = [100, 50, 20, 255, 255, 255, 224, 214, 208, 0, 0, 0];
    const multiplied = rgba.map((value, i) =>
      i % 4 === 3 ? value : Math.round((value * rgba[i - (i % 4) + 3]) / 255),
    );
    for (const [kind, values] of [
      [2, rgba],
      [1, multiplied],
    ] as const) {
      const path = join(folder, `transparent-${kind}.tif`);
      const data = zstdCompressSync(Buffer.from(values));
      await writeTestTiff(path, [{ ...page, data, extraSamples: [kind], compression: 50000 }]);
      expect([...(await (await openTissueImage(path)).getRegion(all)).data]).toEqual(shown);
    }
    // WebP leaves out the opacity of an opaque block.
    for (const opacity of [0, 255]) {
      const path = join(folder, `webp-${opacity}.tif`);
      const pixels = Buffer.from(rgba.map((value, i) => (i % 4 === 3 ? 255 : value)));
      pixels[3] = opacity;
      const data = await sharp(pixels, { raw: { width: 2, height: 2, channels: 4 } })
        .webp({ lossless: true, exact: true })
        .toBuffer();
      await writeTestTiff(path, [{ ...page, data, extraSamples: [2], compression: 50001 }]);
      const { data: read } = await (await openTissueImage(path)).getRegion(all);
      expect([...read.subarray(0, 6)]).toEqual([
        ...(opacity ? [100, 50, 20] : [255, 255, 255]),
        9,
        9,
        9,
      ]);
    }
  });

  it("with transparency beside gray have one channel", async () => {
    const path = join(folder, "gray-alpha.tif");
    const data = zstdCompressSync(Buffer.from([10, 255, 10, 0]));
    await writeTestTiff(path, [
      {
        width: 2,
        height: 1,
        samples: 2,
        data,
        packed: { bits: 8 },
        extraSamples: [2],
        compression: 50000,
      },
    ]);
    const image = await openTissueImage(path);
    expect(image).toMatchObject({ kind: "gray", channels: 1 });
    expect(await wholeChannel(image)).toEqual([10, 255]);
  });

  it("have the colors of a palette in 8 bits as in 16", async () => {
    for (const factor of [1, 257]) {
      const path = join(folder, `palette-${factor}.tif`);
      const colorMap = [200, 0, 100, 10, 20, 255].flatMap((value) => [value * factor, 0]);
      await writeTestTiff(path, [
        {
          width: 3,
          height: 1,
          samples: 1,
          data: zstdCompressSync(Buffer.from([0b00_10_01_00])),
          packed: { bits: 2 },
          photometric: 3,
          colorMap,
          compression: 50000,
        },
      ]);
      const { data } = await (
        await openTissueImage(path)
      ).getRegion({ x: 0, y: 0, width: 3, height: 1 });
      expect([...data]).toEqual([200, 100, 20, 0, 10, 255, 0, 0, 0]);
    }
  });

  it("scale fractions to 16 bits, with the same scale for all colors", async () => {
    const path = join(folder, "fractions.tif");
    await writeTestTiff(path, [
      {
        width: 2,
        height: 1,
        samples: 3,
        photometric: 2,
        data: Float32Array.from([0, 0.5, 1, 0.25, 0.25, 0.25]),
      },
    ]);
    const image = await openTissueImage(path);
    const { data } = await image.getRegion({ x: 0, y: 0, width: 2, height: 1 });
    expect([...data]).toEqual([0, 128, 255, 64, 64, 64]);
  });

  it("end at black and white where interpolation of colors went beyond", async () => {
    for (const full of [1, 255]) {
      const path = join(folder, `interpolated-${full}.tif`);
      const data = Float32Array.from([-0.07, 0.5, 1.12, 0.25, 1, 0], (share) => share * full);
      await writeTestTiff(path, [{ width: 2, height: 1, samples: 3, photometric: 2, data }]);
      const image = await openTissueImage(path);
      const pixels = await image.getRegion({ x: 0, y: 0, width: 2, height: 1 });
      expect([...pixels.data]).toEqual([0, 128, 255, 64, 255, 0]);
    }
  });

  it("shift negative numbers up, and leave signed files without any unchanged", async () => {
    const page = (values: number[]) => ({
      width: 2,
      height: 2,
      samples: 1,
      data: Int16Array.from(values),
    });
    const positive = join(folder, "positive.tif");
    await writeTestTiff(positive, [page([0, 7, 4000, 32_767])]);
    expect(await wholeChannel(await openTissueImage(positive))).toEqual([0, 7, 4000, 32_767]);
    const negative = join(folder, "negative.tif");
    await writeTestTiff(negative, [page([-32_768, -1, 0, 32_767])]);
    expect(await wholeChannel(await openTissueImage(negative))).toEqual([
      0, 32_767, 32_768, 65_535,
    ]);
  });

  it("undo differences of 12-bit numbers", async () => {
    const path = join(folder, "twelve.tif");
    // 100, 300, 200 as differences 100, 200, −100 (3996) in 12 bits each, and a row that starts at a whole
    // byte.
    const row = [0x06, 0x40, 0xc8, 0xf9, 0xc0];
    await writeTestTiff(path, [
      {
        width: 3,
        height: 2,
        samples: 1,
        data: Uint8Array.from([...row, ...row]),
        packed: { bits: 12, predictor: 2 },
      },
    ]);
    expect(await wholeChannel(await openTissueImage(path))).toEqual([100, 300, 200, 100, 300, 200]);
  });

  it("downsample by averaging and take channel names from the pages", async () => {
    const path = join(folder, "pages.tif");
    const page = (factor: number, pageName: string) => {
      const values = Uint16Array.from({ length: 64 }, (_, i) => factor * (i % 8));
      const data = zstdCompressSync(Buffer.from(values.buffer));
      return {
        width: 8,
        height: 8,
        samples: 1,
        data,
        packed: { bits: 16 },
        compression: 50000,
        pageName,
      };
    };
    await writeTestTiff(path, [page(10, "CD8"), page(20, "Hoechst 33342")]);
    const image = await openTissueImage(path);
    expect(image).toMatchObject({ kind: "channels", channelNames: ["CD8", "Hoechst 33342"] });
    const region = { x: 0, y: 0, width: 8, height: 8, outWidth: 4, outHeight: 2 };
    const { data } = await image.getChannel(1, region);
    expect([...data]).toEqual([10, 50, 90, 130, 10, 50, 90, 130]);
  });

  it("report which file is damaged", async () => {
    const path = join(folder, "broken.tif");
    const data = zstdCompressSync(Buffer.alloc(200));
    data.fill(0, 4);
    await writeTestTiff(path, [
      { width: 10, height: 20, samples: 1, data, packed: { bits: 8 }, compression: 50000 },
    ]);
    const image = await openTissueImage(path);
    await expect(wholeChannel(image)).rejects.toThrow(/broken\.tif cannot be decoded/);
  });
});
