import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, open, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InputError } from "../../errors.ts";
import { openInStrips, openTissueImage, requireSoundImage } from "./open-tissue-image.ts";
import { writeTestTiff } from "@stipple/formats/tiff/testing/write-tiff";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-images-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** RGB8 with red = x, green = y, and blue = 7 everywhere. */
function ramp(width: number, height: number): Buffer {
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data.set([x, y, 7], 3 * (y * width + x));
  }
  return data;
}

const raw = { raw: { width: 200, height: 120, channels: 3 as const } };

async function refusal(path: string): Promise<string> {
  const error = await openTissueImage(path).then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(InputError);
  return (error as InputError).message;
}

async function readAll(path: string): Promise<void> {
  const image = await openTissueImage(path);
  await image.getRegion({ x: 0, y: 0, width: image.widthPx, height: image.heightPx });
}

describe("openTissueImage", () => {
  it.each([
    ["strips.tif", { compression: "lzw" as const }, false],
    [
      "tiles.tif",
      { tile: true, tileWidth: 64, tileHeight: 64, compression: "deflate" as const },
      true,
    ],
    ["big.btf", { bigtiff: true, tile: true, tileWidth: 32, tileHeight: 32 }, true],
  ])("reads exact pixels of a region of %s", async (name, options, tiled) => {
    const path = join(folder, name);
    await sharp(ramp(200, 120), raw)
      .tiff({ compression: "none", ...options })
      .toFile(path);
    const image = await openTissueImage(path);
    expect(image).toMatchObject({ widthPx: 200, heightPx: 120, kind: "rgb", channels: 3, tiled });
    const { data, width, height, channels } = await image.getRegion({
      x: 150,
      y: 90,
      width: 50,
      height: 30,
    });
    expect([width, height, channels]).toEqual([50, 30, 3]);
    expect([...data.subarray(0, 6)]).toEqual([150, 90, 7, 151, 90, 7]);
    expect([...data.subarray(-3)]).toEqual([199, 119, 7]);
    const green = await image.getChannel(1, { x: 0, y: 5, width: 2, height: 2 });
    expect([...green.data]).toEqual([5, 5, 6, 6]);
  });

  it("rejects a region outside the image", async () => {
    const image = await openTissueImage(join(folder, "tiles.tif"));
    await expect(image.getRegion({ x: 190, y: 0, width: 20, height: 1 })).rejects.toThrow(
      RangeError,
    );
  });

  it("downsamples through a pyramid without shifting", async () => {
    const path = join(folder, "pyramid.tif");
    const size = 1024;
    const white = { x: 256, y: 512 };
    const data = Buffer.alloc(size * size * 3);
    for (let y = 0; y < 128; y++) {
      data.fill(
        255,
        3 * ((white.y + y) * size + white.x),
        3 * ((white.y + y) * size + white.x + 128),
      );
    }
    await sharp(data, { raw: { width: size, height: size, channels: 3 } })
      .tiff({ tile: true, tileWidth: 128, tileHeight: 128, pyramid: true, compression: "deflate" })
      .toFile(path);
    const image = await openTissueImage(path);
    const small = await image.getRegion({
      x: 0,
      y: 0,
      width: size,
      height: size,
      outWidth: 64,
      outHeight: 64,
    });
    const at = (x: number, y: number): number => small.data[3 * (y * 64 + x)];
    // A shift would make opposite edges differ.
    expect(at(20, 36)).toBe(255);
    expect(Math.abs(at(16, 36) - at(23, 36))).toBeLessThanOrEqual(2);
    expect(Math.abs(at(20, 32) - at(20, 39))).toBeLessThanOrEqual(2);
    expect(at(14, 36)).toBeLessThan(5);
    expect(at(25, 36)).toBeLessThan(5);
  });

  it.each([
    ["png", openTissueImage],
    ["tiff", openTissueImage],
    ["tiff", openInStrips],
  ])("composites transparency on white: %s", async (format, open) => {
    const path = join(folder, `alpha.${format}`);
    const data = Buffer.from([10, 20, 30, 0, 10, 20, 30, 255]);
    await sharp(data, { raw: { width: 2, height: 1, channels: 4 } })
      .tiff({ compression: "lzw" })
      .toFormat(format as "png" | "tiff")
      .toFile(path);
    const pixels = await (await open(path)).getRegion({ x: 0, y: 0, width: 2, height: 1 });
    expect([...pixels.data]).toEqual([255, 255, 255, 10, 20, 30]);
  });

  it("scales 12-bit values stored in 16 bits to the full range", async () => {
    const path = join(folder, "sixteen.tif");
    const data = Uint16Array.from([0, 0, 0, 2048, 2048, 2048, 4095, 4095, 4095, 1024, 2048, 4095]);
    await writeTestTiff(path, [{ width: 2, height: 2, samples: 3, data, photometric: 2 }]);
    const image = await openTissueImage(path);
    expect(image.bitsPerSample).toBe(16);
    const pixels = await image.getRegion({ x: 0, y: 0, width: 2, height: 2 });
    expect([...pixels.data]).toEqual([0, 0, 0, 128, 128, 128, 255, 255, 255, 64, 128, 255]);
    const red = await image.getChannel(0, { x: 0, y: 0, width: 2, height: 2 });
    expect([...red.data]).toEqual([0, 2048, 4095, 1024]);
  });

  it("shows 8-bit colors stored in 16 bits as they are", async () => {
    const path = join(folder, "eight-in-sixteen.tif");
    const data = Uint16Array.from([240, 235, 238, 90, 60, 130]);
    await writeTestTiff(path, [{ width: 2, height: 1, samples: 3, data, photometric: 2 }]);
    const image = await openTissueImage(path);
    const pixels = await image.getRegion({ x: 0, y: 0, width: 2, height: 1 });
    expect([...pixels.data]).toEqual([...data]);
  });

  it("treats equal pages as channels and keeps their 16-bit values", async () => {
    const path = join(folder, "pages.tif");
    const page = (value: number, description?: string) => ({
      width: 3,
      height: 2,
      samples: 1,
      data: new Uint16Array(6).fill(value),
      ...(description === undefined ? {} : { description }),
    });
    const ome =
      '<?xml version="1.0"?><OME><Image><Pixels SizeC="3" SizeZ="1" SizeT="1" PhysicalSizeX="0.325" PhysicalSizeXUnit="um"><Channel ID="0" Name="DAPI"/><Channel ID="1" Name="CD3"/><Channel ID="2" Name="CD8"/></Pixels></Image></OME>';
    await writeTestTiff(path, [page(100, ome), page(20_000), page(65_535)]);
    const image = await openTissueImage(path);
    expect(image).toMatchObject({
      kind: "channels",
      channels: 3,
      channelNames: ["DAPI", "CD3", "CD8"],
      metadataMicronsPerPixel: 0.325,
    });
    for (const [channel, value] of [100, 20_000, 65_535].entries()) {
      const { data } = await image.getChannel(channel, { x: 1, y: 0, width: 2, height: 2 });
      expect([...data]).toEqual([value, value, value, value]);
    }
  });

  it("reads channels interleaved in each pixel", async () => {
    const path = join(folder, "contiguous.tif");
    const data = Uint8Array.from([1, 2, 3, 4, 5, 11, 12, 13, 14, 15]);
    await writeTestTiff(path, [
      { width: 2, height: 1, samples: 5, data, extraSamples: [0, 0, 0, 0] },
    ]);
    const image = await openTissueImage(path);
    expect(image).toMatchObject({ kind: "channels", channels: 5 });
    for (let channel = 0; channel < 5; channel++) {
      const pixels = await image.getChannel(channel, { x: 0, y: 0, width: 2, height: 1 });
      expect([...pixels.data]).toEqual([channel + 1, channel + 11]);
      const mean = await image.getChannel(channel, {
        x: 0,
        y: 0,
        width: 2,
        height: 1,
        outWidth: 1,
        outHeight: 1,
      });
      expect(Math.abs(mean.data[0] - (channel + 6))).toBeLessThanOrEqual(1);
    }
  });

  it.each([
    [3, true],
    [4, true],
    [7, true],
    [7, false],
  ])("reads %i channels of one page (plane by plane: %s)", async (samples, planar) => {
    const path = join(folder, `page-${samples}-${planar}.tif`);
    const [width, height] = [5, 4];
    const n = width * height;
    const data = Uint8Array.from({ length: samples * n }, (_, i) => i);
    const extraSamples = new Array<number>(samples - 1).fill(0);
    await writeTestTiff(path, [{ width, height, samples, data, planar, extraSamples }]);
    const image = await openTissueImage(path);
    expect(image).toMatchObject({ kind: "channels", channels: samples });
    for (let channel = 0; channel < samples; channel++) {
      const pixels = await image.getChannel(channel, { x: 0, y: 0, width, height });
      expect([...pixels.data]).toEqual(
        Array.from({ length: n }, (_, i) => (planar ? channel * n + i : i * samples + channel)),
      );
    }
  });

  it("leaves out two samples that are no color", async () => {
    const path = join(folder, "extra-two.tif");
    const data = Uint8Array.from([100, 50, 20, 1, 2, 90, 40, 10, 3, 4]);
    await writeTestTiff(path, [
      { width: 2, height: 1, samples: 5, data, photometric: 2, extraSamples: [0, 0] },
    ]);
    const image = await openTissueImage(path);
    const { data: rgb } = await image.getRegion({ x: 0, y: 0, width: 2, height: 1 });
    expect([...rgb]).toEqual([100, 50, 20, 90, 40, 10]);
  });

  it("ignores a fourth sample that is not transparency, including when resizing", async () => {
    const path = join(folder, "extra.tif");
    const data = Uint8Array.from([100, 50, 20, 0, 100, 50, 20, 0]);
    await writeTestTiff(path, [
      { width: 2, height: 1, samples: 4, data, photometric: 2, extraSamples: [0] },
    ]);
    const image = await openTissueImage(path);
    const region = { x: 0, y: 0, width: 2, height: 1 };
    expect([...(await image.getRegion(region)).data]).toEqual([100, 50, 20, 100, 50, 20]);
    const small = await image.getRegion({ ...region, outWidth: 1, outHeight: 1 });
    expect([...small.data]).toEqual([100, 50, 20]);
  });

  it("rejects what it cannot read in one sentence", async () => {
    const text = join(folder, "text.tif");
    await writeFile(text, "barcode,in_tissue\nAAAC-1,1\n");
    expect(await refusal(text)).toMatch(/text\.tif is a text file/);
    const sparse = join(folder, "sparse.tif");
    const nothing = { width: 8, height: 8, samples: 1, data: new Uint8Array(0) };
    await writeTestTiff(sparse, [{ ...nothing, packed: { bits: 8 }, compression: 7 }]);
    expect(await refusal(sparse)).toMatch(/sparse\.tif leaves out empty tiles, which/);
    const empty = join(folder, "empty.tif");
    await writeFile(empty, "");
    expect(await refusal(empty)).toMatch(/empty\.tif is empty/);
    expect(await refusal(join(folder, "absent.tif"))).toMatch(/does not exist/);
    expect(await refusal(folder)).toMatch(/choose a file/);
    const jpeg2000 = join(folder, "jp2.tif");
    const gray = { width: 2, height: 2, samples: 1, data: new Uint8Array(4) };
    await writeTestTiff(jpeg2000, [{ ...gray, compression: 33003 }]);
    expect(await refusal(jpeg2000)).toMatch(/JPEG 2000/);
    const lab = join(folder, "lab.tif");
    await writeTestTiff(lab, [{ ...gray, samples: 3, data: new Uint8Array(12), photometric: 8 }]);
    expect(await refusal(lab)).toMatch(/Lab/);
    const ycbcr = join(folder, "ycbcr.tif");
    await writeTestTiff(ycbcr, [{ ...gray, samples: 3, data: new Uint8Array(12), photometric: 6 }]);
    expect(await refusal(ycbcr)).toMatch(
      /stores its colors as YCbCr in a way that is not supported/,
    );
    const stack = join(folder, "stack.tif");
    const description = "ImageJ=1.53k\nimages=2\nslices=2\n";
    await writeTestTiff(stack, [{ ...gray, description }, gray]);
    expect(await refusal(stack)).toMatch(/stack of 2 planes/);
  });

  it("detects damaged pixels where the format shows them", async () => {
    const picture = sharp(ramp(200, 120), raw);
    for (const [name, bytes] of [
      ["torn.jpg", await picture.clone().jpeg().toBuffer()],
      ["torn.png", await picture.clone().png().toBuffer()],
      ["torn.tif", await picture.clone().tiff({ compression: "deflate" }).toBuffer()],
    ] as const) {
      const path = join(folder, name);
      await writeFile(path, bytes);
      await readAll(path);
      bytes.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 40);
      await writeFile(path, bytes);
      await expect(readAll(path)).rejects.toThrow(/^torn\.\w+ .*damaged/);
    }
  });

  it("detects truncated files", async () => {
    const tiff = join(folder, "cut.tif");
    await writeTestTiff(tiff, [{ width: 64, height: 64, samples: 1, data: new Uint8Array(4096) }]);
    const whole = await readFile(tiff);
    // The directory first and the pixels after it, as most writers of large files do.
    const moved = Buffer.concat([
      whole.subarray(0, 8),
      whole.subarray(8 + 4096),
      whole.subarray(8, 8 + 4096),
    ]);
    moved.writeUInt32LE(whole.readUInt32LE(4) - 4096, 4);
    const directory = moved.readUInt32LE(4);
    for (let i = 0; i < moved.readUInt16LE(directory); i++) {
      const entry = directory + 2 + 12 * i;
      if (moved.readUInt16LE(entry) === 273) moved.writeUInt32LE(whole.length - 4096, entry + 8);
    }
    await writeFile(tiff, moved);
    await openTissueImage(tiff);
    await truncate(tiff, moved.length - 100);
    expect(await refusal(tiff)).toMatch(/incomplete/);
    await truncate(tiff, 40);
    expect(await refusal(tiff)).toMatch(/incomplete|damaged/);
    const png = join(folder, "cut.png");
    await sharp(ramp(200, 120), raw).png().toFile(png);
    const handle = await open(png, "r+");
    await handle.truncate(200);
    await handle.close();
    expect(await refusal(png)).toMatch(/incomplete/);
  });
});

const data = resolve(import.meta.dirname, "../../../../../../shared/data");

describe.runIf(existsSync(join(data, "tiff-variants")))("collected TIFF files", () => {
  const list = (name: string): string[] =>
    existsSync(join(data, name))
      ? readdirSync(join(data, name), { recursive: true, encoding: "utf8" })
          .filter((file) => /\.tiff?$/.test(file))
          .map((file) => join(data, name, file))
      : [];
  const files = [...list("tiff-variants"), ...list("ome-multichannel")];

  it("are each read, or rejected in one sentence", async () => {
    let [read, refused] = [0, 0];
    for (const path of files) {
      try {
        const image = await openTissueImage(path);
        const whole = { x: 0, y: 0, width: image.widthPx, height: image.heightPx };
        const { data, channels } = await image.getRegion(whole);
        expect(channels, path).toBe(3);
        expect(data.length, path).toBe(3 * image.widthPx * image.heightPx);
        read++;
      } catch (error) {
        expect(error, path).toBeInstanceOf(InputError);
        expect((error as InputError).message).toContain(basename(path));
        refused++;
      }
    }
    // LogLuv and a stack of nine planes.
    expect(refused).toBe(2);
    expect(read).toBe(files.length - 2);
  });

  it("decode pixel i as i for unusual depths, byte orders, and predictors", async () => {
    const odd = files.filter((path) =>
      /seq-1c-(8b|10b|12b|14b|16b)-(?!multipage|palette)/.test(path),
    );
    expect(odd.length).toBeGreaterThan(20);
    for (const path of odd) {
      const image = await openTissueImage(path);
      const { data } = await image.getChannel(0, { x: 0, y: 0, width: 16, height: 16 });
      expect([...data], path).toEqual(Array.from({ length: 256 }, (_, i) => i));
    }
  });

  it("in CMYK look like their RGB version", async () => {
    const read = async (name: string): Promise<Uint8Array> => {
      const image = await openTissueImage(files.find((path) => path.endsWith(`/${name}`))!);
      const whole = { x: 0, y: 0, width: image.widthPx, height: image.heightPx };
      return (await image.getRegion(whole)).data;
    };
    expect(Buffer.compare(await read("cmyk-3c-8b.tiff"), await read("rgb-3c-8b.tiff"))).toBe(0);
  });
});

it("a deflated tile whose checksum is another is refused, though libtiff reads it", async () => {
  // Noise is stored as it is, so a changed byte is a changed pixel.
  const noise = createHash("shake256", { outputLength: 3 * 200 * 120 }).digest();
  const path = join(folder, "noise.tif");
  const tiles = { tile: true, tileWidth: 64, tileHeight: 64 };
  await sharp(noise, raw)
    .tiff({ compression: "deflate", predictor: "none", ...tiles })
    .toFile(path);
  await requireSoundImage(path);
  const bytes = await readFile(path);
  bytes[bytes.length >> 1]! ^= 1;
  await writeFile(path, bytes);
  const image = await openTissueImage(path);
  const { data } = await image.getRegion({ x: 0, y: 0, width: 200, height: 120 });
  expect(Buffer.compare(data, noise)).not.toBe(0);
  await expect(requireSoundImage(path)).rejects.toThrow(/^noise\.tif cannot be decoded .*damaged/);
});
