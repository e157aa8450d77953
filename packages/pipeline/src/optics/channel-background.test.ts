import { expect, it } from "vitest";
import type { ImageRegion, TissueImage } from "../readers/images/tissue-image.ts";
import { channelBackgrounds, withoutBackground } from "./channel-background.ts";

const WIDTH = 900;
const HEIGHT = 700;
const slope = (x: number, y: number): number => 500 + 4 * x + 2 * y;
/** Discs with a radius of 6 px every 20 px, 800 above the background. */
const inDisc = (x: number, y: number): boolean => Math.hypot((x % 20) - 10, (y % 20) - 10) < 6;

const image = {
  widthPx: WIDTH,
  heightPx: HEIGHT,
  channels: 1,
  getChannel: (_: number, region: ImageRegion) => {
    const { x, y, width, height, outWidth = width, outHeight = height } = region;
    const data = Uint16Array.from({ length: outWidth * outHeight }, (_, i) => {
      const u = Math.floor(x + (((i % outWidth) + 0.5) * width) / outWidth);
      const v = Math.floor(y + ((Math.floor(i / outWidth) + 0.5) * height) / outHeight);
      return slope(u, v) + (inDisc(u, v) ? 800 : 0);
    });
    return Promise.resolve({ data, width: outWidth, height: outHeight, channels: 1 });
  },
} as Partial<TissueImage> as TissueImage;

const options = { umPerPixel: 0.8, signal: new AbortController().signal };

async function tile(x: number, y: number, side: number): Promise<Float32Array> {
  const [background] = await channelBackgrounds(image, options);
  const { data } = await image.getChannel(0, { x, y, width: side, height: side });
  return withoutBackground(data, background, { x, y, width: side, height: side, step: 1 }, image);
}

it("removes a steep slope and keeps the nuclei", async () => {
  const side = 300;
  for (const [x, y] of [
    [0, 0],
    [300, 200],
    [WIDTH - side, HEIGHT - side],
  ]) {
    const values = await tile(x, y, side);
    const means = [0, 0];
    const counts = [0, 0];
    values.forEach((value, i) => {
      const nucleus = Number(inDisc(x + (i % side), y + Math.floor(i / side)));
      means[nucleus] += value;
      counts[nucleus]++;
    });
    // The slope alone spans 4,000; a tenth of a square's pixels lie below the value taken as its background.
    expect(means[0] / counts[0]).toBeLessThan(300);
    expect(means[1] / counts[1] - means[0] / counts[0]).toBeGreaterThan(700);
  }
});

it("subtracts the same background wherever a tile begins", async () => {
  const large = await tile(100, 100, 300);
  const small = await tile(217, 163, 50);
  for (let y = 0; y < 50; y++) {
    for (let x = 0; x < 50; x++) {
      expect(small[y * 50 + x]).toBe(large[(y + 63) * 300 + x + 117]);
    }
  }
});

it("takes no background from outside the scan", async () => {
  const cut = 600;
  const padded = {
    ...image,
    getChannel: async (channel: number, region: ImageRegion) => {
      const read = await image.getChannel(channel, region);
      const perPixel = region.width / read.width;
      read.data.forEach((_, i) => {
        const x = region.x + ((i % read.width) + 0.5) * perPixel;
        if (x >= cut) read.data[i] = 0;
      });
      return read;
    },
  } as TissueImage;
  const mask = Uint8Array.from({ length: 90 * 70 }, (_, i) => Number(i % 90 >= cut / 10));
  const outside = { mask, width: 90, height: 70 };
  const [background] = await channelBackgrounds(padded, { ...options, outside });
  // 80 px squares: the background near the edge is that of the scan, not 0.
  const near = { x: cut - 60, y: 300, width: 60, height: 60, step: 1 };
  const ground = withoutBackground(new Float32Array(3600).fill(65_535), background, near, image);
  const subtracted = 65_535 - ground[30 * 60 + 30];
  expect(Math.abs(subtracted - slope(cut - 30, 330))).toBeLessThan(400);
});
