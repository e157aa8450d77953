import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, expect, it } from "vitest";
import { openTissueImage } from "../../../readers/images/open-tissue-image.ts";
import { writeTissuePyramid } from "./tissue-pyramid.ts";

const folder = await mkdtemp(join(tmpdir(), "stipple-pyramid-"));
afterAll(() => rm(folder, { recursive: true }));
const { signal } = new AbortController();

it("tiles a 16-bit image through the reader", async () => {
  const path = join(folder, "deep.tif");
  const [width, height] = [700, 530];
  const pixels = Uint16Array.from({ length: width * height }, (_, i) =>
    i % width < 350 ? 0 : 65_535,
  );
  await sharp(pixels, { raw: { width, height, channels: 1 } })
    .toColourspace("grey16")
    .tiff()
    .toFile(path);
  const image = await openTissueImage(path);
  const tissue = await writeTissuePyramid(
    folder,
    image,
    { widthPx: 2 * width, heightPx: 2 * height },
    signal,
  );
  expect(tissue).toMatchObject({ widthPx: 700, heightPx: 530, scale: 2 });
  const sizes = await Promise.all(
    ["10/0_0", "10/1_1", "9/0_0", "0/0_0"].map(async (tile) => {
      const { width: w, height: h } = await sharp(
        join(folder, "tissue_files", `${tile}.jpeg`),
      ).metadata();
      return [w, h];
    }),
  );
  expect(sizes).toEqual([
    [512, 512],
    [188, 18],
    [350, 265],
    [1, 1],
  ]);
  const { data, info } = await sharp(join(folder, "tissue_files/9/0_0.jpeg"))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number): number => data[(100 * info.width + x) * info.channels];
  expect(at(100)).toBeLessThan(10);
  expect(at(250)).toBeGreaterThan(245);
});

it("uses blank tiles for a sample without an image", async () => {
  const tissue = await writeTissuePyramid(
    join(folder),
    null,
    { widthPx: 20_000, heightPx: 10_000 },
    signal,
  );
  expect(tissue.widthPx * tissue.scale).toBeCloseTo(20_000);
});
