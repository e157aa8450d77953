import sharp from "sharp";
import { expect, it } from "vitest";
import { withResolution } from "./png.ts";

it("states its resolution, and stays the same picture", async () => {
  const background = { r: 200, g: 100, b: 50 };
  const plain = await sharp({ create: { width: 7, height: 5, channels: 3, background } })
    .png()
    .toBuffer();
  const without = (await sharp(plain).metadata()).density;
  const png = withResolution(new Uint8Array(plain), 300);
  const { width, height, density } = await sharp(png).metadata();
  expect([width, height, density]).toEqual([7, 5, 300]);
  expect(without).not.toBe(300);
  expect(await sharp(png).raw().toBuffer()).toEqual(await sharp(plain).raw().toBuffer());
});
