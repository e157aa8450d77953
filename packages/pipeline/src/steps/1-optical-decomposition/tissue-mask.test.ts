import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { CancelledError } from "../../errors.ts";
import { AS_STORED } from "../../readers/images/image-source.ts";
import { openTissueImage } from "../../readers/images/open-tissue-image.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";
import { writeTestTiff } from "@stipple/formats/tiff/testing/write-tiff";
import { findNuclearChannel } from "./nuclear-channel.ts";
import { findTissue, otsuThreshold, tissueMask } from "./find-tissue.ts";
import { makeWorkingCopy } from "./working-copy.ts";

const [width, height] = [120, 100];
const options = { umPerPixel: 8, floor: 0.08, ceiling: 0.2 };

/** A disk of density 0.5 with a 30 px radius on noisy glass. */
function disc(): { signal: Float32Array; inside: (i: number) => number } {
  const random = new Random(1);
  const distance = (i: number): number => Math.hypot((i % width) - 60, Math.floor(i / width) - 50);
  const signal = Float32Array.from(
    { length: width * height },
    (_, i) => (distance(i) < 30 ? 0.5 : 0.02) + 0.02 * random.uniform(),
  );
  return { signal, inside: distance };
}

describe("tissueMask", () => {
  const maskOf = async (...channels: Uint16Array[]): Promise<Uint8Array> => {
    const image = {
      ...{ widthPx: width, heightPx: height, channels: channels.length, bitsPerSample: 16 },
      getChannel: (index: number) =>
        Promise.resolve({ data: channels[index], width, height, channels: 1 }),
    };
    const signal = new AbortController().signal;
    const how = { umPerPixel: 8, staining: "if", signal } as const;
    return (await findTissue(image as unknown as TissueImage, how)).tissue.mask;
  };

  it("of fluorescence is the same beside a saturated channel", async () => {
    const { inside } = disc();
    // Dim tissue with a bright middle.
    const seen = Uint16Array.from({ length: width * height }, (_, i) =>
      inside(i) < 10 ? 20_000 : inside(i) < 30 ? 1_500 : 100 + (i % 7),
    );
    const alone = await maskOf(seen);
    expect(alone[50 * width + 80]).toBe(1);
    // Reducing an image rounds 65535 so.
    const saturated = seen.map((_, i) => [65_471, 65_455, 65_439, 65_487][i % 4]);
    expect(await maskOf(seen, saturated)).toEqual(alone);
  });

  it("of fluorescence has the tissue where only nuclei show beside a bright marker", async () => {
    const { inside } = disc();
    const channel = (value: (i: number) => number): Uint16Array =>
      Uint16Array.from({ length: width * height }, (_, i) =>
        inside(i) < 30 ? value(i) : 100 + (i % 7),
      );
    const nuclei = channel((i) => 600 + (i % 11));
    const marker = channel((i) => (i % width < 60 ? 30_000 : 130));
    const empty = Uint16Array.from({ length: width * height }, (_, i) => 100 + (i % 13));
    const alone = await maskOf(nuclei);
    expect(alone[50 * width + 80]).toBe(1);
    const together = await maskOf(marker, empty, nuclei);
    const added = together.reduce((sum, value, i) => sum + Number(value && !alone[i]), 0);
    expect(together.filter((_, i) => alone[i]).every((value) => value === 1)).toBe(true);
    // The marker's glare blurs its own border outward.
    expect(added).toBeLessThan(0.1 * alone.reduce((sum, value) => sum + value, 0));
  });

  it("finds a disk, without dust outside or pinholes inside", () => {
    const { signal, inside } = disc();
    signal[5 * width + 5] = 3;
    signal[50 * width + 60] = 0;
    const mask = tissueMask(signal, width, height, options);
    mask.forEach((value, i) => {
      if (inside(i) < 27) expect(value).toBe(1);
      if (inside(i) > 33) expect(value).toBe(0);
    });
  });

  it("does not split tissue that fills the image, and finds none on glass", () => {
    const random = new Random(4);
    const noisy = (level: number): Float32Array =>
      Float32Array.from({ length: width * height }, () => level + 0.02 * random.uniform());
    expect(tissueMask(noisy(0.6), width, height, options).every((value) => value === 1)).toBe(true);
    expect(tissueMask(noisy(0.01), width, height, options).every((value) => value === 0)).toBe(
      true,
    );
  });
});

it.each([
  ["H&E image", 0, options],
  // Log fluorescence: 0 is so far below the background that this would be taken for tissue.
  ["fluorescence image", 4.6, { ...options, floor: -Infinity, ceiling: Infinity }],
])("is not misled by areas of an %s that were not scanned", (_, ground, limits) => {
  const { signal, inside } = disc();
  const outside = Uint8Array.from(signal, (__, i) => Number(i % width >= 100));
  const values = signal.map((value, i) => (outside[i] ? 0 : ground + value));
  tissueMask(values, width, height, { ...limits, outside }).forEach((value, i) => {
    if (inside(i) < 27) expect(value).toBe(1);
    if (inside(i) > 33) expect(value).toBe(0);
  });
});

describe("otsuThreshold", () => {
  it("lies between two levels", () => {
    const values = Float32Array.from({ length: 300 }, (_, i) => (i % 3 === 0 ? 5 : 1));
    expect(otsuThreshold(values)).toBeGreaterThan(1);
    expect(otsuThreshold(values)).toBeLessThan(5);
  });
});

describe("with image files", () => {
  it("finds the channel with nucleus-sized structures, or the one named as nuclear", async () => {
    const folder = await mkdtemp(join(tmpdir(), "stipple-nuclear-"));
    try {
      const side = 200;
      const random = new Random(9);
      const smooth = Uint16Array.from({ length: side * side }, (_, i) => 500 + 20 * (i % side));
      const fine = Uint16Array.from({ length: side * side }, () => 500 + random.below(4000));
      const nuclei = new Uint16Array(side * side).fill(300);
      for (let n = 0; n < 60; n++) {
        const [cx, cy] = [random.below(side), random.below(side)];
        for (let i = 0; i < nuclei.length; i++) {
          if (Math.hypot((i % side) - cx, Math.floor(i / side) - cy) < 6) nuclei[i] = 4000;
        }
      }
      const page = (data: Uint16Array, description?: string) => ({
        width: side,
        height: side,
        samples: 1,
        data,
        ...(description === undefined ? {} : { description }),
      });
      const windows = [{ x: 0, y: 0, width: side, height: side }];
      const search = { umPerPixel: 0.5, signal: new AbortController().signal };
      const path = join(folder, "if.tif");
      await writeTestTiff(path, [page(smooth), page(fine), page(nuclei)]);
      const found = await findNuclearChannel(await openTissueImage(path), windows, windows, search);
      expect(found).toMatchObject({ nuclearChannel: 2, reason: "nuclei" });
      // Too coarse for the network.
      const coarse = await findNuclearChannel(await openTissueImage(path), windows, windows, {
        ...search,
        umPerPixel: 1.2,
      });
      expect(coarse).toMatchObject({ nuclearChannel: 2, reason: "energy" });
      expect(found.ranges[2][0]).toBeLessThan(320);
      expect(found.ranges[2][1]).toBeGreaterThan(3900);
      const ome =
        '<OME><Pixels SizeC="3" SizeZ="1" SizeT="1"><Channel Name="CD3"/><Channel Name="DAPI"/><Channel Name="CD8"/></Pixels></OME>';
      await writeTestTiff(path.replace("if", "named"), [
        page(smooth, ome),
        page(fine),
        page(nuclei),
      ]);
      const named = await openTissueImage(path.replace("if", "named"));
      expect(await findNuclearChannel(named, windows, windows, search)).toMatchObject({
        nuclearChannel: 1,
        reason: "name",
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("copies an image into tiles without changing its size or shifting it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "stipple-copy-"));
    try {
      const path = join(folder, "strips.tif");
      const [w, h] = [700, 600];
      const data = Buffer.alloc(w * h * 3, 230);
      for (let y = 200; y < 300; y++) data.fill(60, 3 * (y * w + 400), 3 * (y * w + 500));
      await sharp(data, { raw: { width: w, height: h, channels: 3 } })
        .tiff()
        .toFile(path);
      const copy = join(folder, "copy.tif");
      const source = { path, reading: AS_STORED };
      const original = await openTissueImage(path);
      await makeWorkingCopy(original, source, copy, "h_and_e", new AbortController().signal);
      const image = await openTissueImage(copy);
      expect(image).toMatchObject({ widthPx: w, heightPx: h, tiled: true, kind: "rgb" });
      const region = await image.getRegion({ x: 390, y: 190, width: 20, height: 20 });
      const at = (x: number, y: number): number => region.data[3 * (y * 20 + x)];
      expect(Math.abs(at(5, 5) - 230)).toBeLessThan(12);
      expect(Math.abs(at(15, 15) - 60)).toBeLessThan(12);
      expect(at(8, 15) - at(11, 15)).toBeGreaterThan(120);
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 5);
      await expect(
        makeWorkingCopy(original, source, join(folder, "never.tif"), "h_and_e", controller.signal),
      ).rejects.toThrow(CancelledError);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("copies colors that libvips cannot unpack", async () => {
    const folder = await mkdtemp(join(tmpdir(), "stipple-copy-"));
    try {
      const path = join(folder, "zstd.tif");
      const [width, height] = [300, 260];
      const pixels = Uint8Array.from({ length: 3 * width * height }, (_, i) => (7 * i) % 251);
      const data = new Uint8Array(zstdCompressSync(pixels));
      const packed = { bits: 8 };
      const page = { width, height, samples: 3, data, packed, compression: 50000, photometric: 2 };
      await writeTestTiff(path, [page]);
      const source = { path, reading: AS_STORED };
      const original = await openTissueImage(path);
      const copy = join(folder, "copy.tif");
      await makeWorkingCopy(original, source, copy, "h_and_e", new AbortController().signal);
      const image = await openTissueImage(copy);
      expect(image).toMatchObject({ widthPx: width, heightPx: height, tiled: true, kind: "rgb" });
      const all = { x: 0, y: 0, width, height };
      expect(Buffer.from((await image.getRegion(all)).data).equals(pixels)).toBe(true);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
