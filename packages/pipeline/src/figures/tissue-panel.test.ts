import { expect, it } from "vitest";
import type { TissueImage } from "../readers/images/tissue-image.ts";
import { tissuePanel } from "./tissue-panel.ts";

const options = { longSidePx: 300, micronsPerPixel: 0.5, signal: new AbortController().signal };
const spots = { nRows: 2, nCols: 2, data: Float64Array.of(500, 900, 4100, 3200) };
const facts = { source: "microscope", widthPx: 6000, heightPx: 3400, scale: 1 } as const;

/** A picture whose red channel is the column, in 1/100 of the width. */
function ramp(widthPx: number, heightPx: number): TissueImage {
  return {
    widthPx,
    heightPx,
    getRegion: ({ x, width, outWidth = width, outHeight = 1 }) => {
      const data = new Uint8Array(3 * outWidth * outHeight);
      for (let i = 0; i < outWidth * outHeight; i++) {
        const column = x + (((i % outWidth) + 0.5) * width) / outWidth;
        data[3 * i] = Math.round((100 * column) / widthPx);
      }
      return Promise.resolve({ data, width: outWidth, height: outHeight, channels: 3 });
    },
  } as Partial<TissueImage> as TissueImage;
}

it("shows the same frame on any background image", async () => {
  const fine = await tissuePanel({ image: ramp(6000, 3400), scale: 1 }, facts, spots, options);
  const coarse = await tissuePanel({ image: ramp(600, 340), scale: 10 }, facts, spots, options);
  // 150 µm around the spots, cut off at the lower edge of the image.
  expect([fine.x, fine.y, fine.width, fine.height]).toEqual([200, 600, 4200, 2800]);
  expect({ ...coarse, background: null }).toEqual({ ...fine, background: null });
  const most = fine.background.reduce(
    (worst, value, i) => Math.max(worst, Math.abs(value - coarse.background[i])),
    0,
  );
  expect(most).toBeLessThanOrEqual(1);
});

it("shows one millimeter of a sample with a single spot", async () => {
  const one = { nRows: 1, nCols: 2, data: Float64Array.of(2500, 1700) };
  const panel = await tissuePanel(null, facts, one, options);
  expect([panel.x, panel.y, panel.width, panel.height]).toEqual([1500, 700, 2000, 2000]);
});
