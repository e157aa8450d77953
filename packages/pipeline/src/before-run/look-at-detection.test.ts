import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ImageFacts } from "../facts.ts";
import type { SampleFiles } from "../readers/sample-files.ts";
import { analysisSettings } from "../settings.ts";
import {
  PURPLE_AND_PINK,
  scatteredDiscs,
  writeDiscImage,
} from "../steps/2-morphological-analysis/testing/disc-image.ts";
import { densest } from "../steps/2-morphological-analysis/preview-detection.ts";
import { writeField } from "../store/field-store.ts";
import { lookAtDetection } from "./look-at-detection.ts";

const [WIDTH, HEIGHT] = [1600, 900];
/** Nuclei only in the right third of the image. */
const discs = scatteredDiscs(500, 500, 40).map((disc) => ({
  ...disc,
  x: disc.x + 1050,
  y: disc.y + 200,
}));
const folder = await mkdtemp(join(tmpdir(), "stipple-detection-"));
afterAll(() => rm(folder, { recursive: true }));

beforeAll(async () => {
  await writeDiscImage(join(folder, "discs.png"), WIDTH, HEIGHT, discs);
  for (const step of ["step0_output", "step1_output"]) await mkdir(join(folder, step));
  const facts: ImageFacts = {
    ...{ file: "discs.png", source: "microscope", widthPx: WIDTH, heightPx: HEIGHT, scale: 1 },
    ...{ micronsPerPixel: 0.5, channels: 3, bitsPerSample: 8, tiled: false, expectedPx: null },
  };
  await writeField(join(folder, "step0_output"), "sample/image", facts);
  await writeField(join(folder, "step1_output"), "image/stain", PURPLE_AND_PINK);
  const mask = { nRows: 90, nCols: 160, data: new Uint8Array(90 * 160).fill(1) };
  await writeField(join(folder, "step1_output"), "image/tissue_mask", mask);
});

const look = (place: [number, number] | null, minScore?: number) =>
  lookAtDetection(
    folder,
    {
      files: { image: join(folder, "discs.png"), channelFiles: null } as unknown as SampleFiles,
      settings: analysisSettings.parse({}),
      parameters:
        minScore === undefined
          ? {}
          : { "morphological-analysis": { nuclei: { network: { minScore } } } },
    },
    place,
    new AbortController().signal,
  );

it("finds the nuclei of the densest tile at every threshold, fewer at higher ones", async () => {
  const seen = await look(null);
  const { x, y, width_px: widthPx, height_px: heightPx, thresholds, outlines } = seen;
  expect([widthPx, heightPx]).toEqual([512, 512]);
  const inside = discs.filter(
    (disc) => disc.x >= x && disc.y >= y && disc.x < x + widthPx && disc.y < y + heightPx,
  );
  expect(inside.length).toBeGreaterThan(0.8 * discs.length);
  const countAt = (threshold: number): number => {
    const at = thresholds.indexOf(threshold);
    return outlines.filter(({ from, to }) => from <= at && at <= to).length;
  };
  expect(Math.abs(countAt(0.35) - inside.length)).toBeLessThanOrEqual(1);
  const counts = thresholds.map(countAt);
  expect(counts.at(-1)).toBeLessThan(counts[0]);
  // Most outlines are the same at neighboring thresholds.
  expect(outlines.length).toBeLessThan(3 * inside.length);
  const first = outlines.find(({ from, to }) => from <= 6 && to >= 6)!;
  const near = inside.some(
    (disc) => Math.hypot(disc.x - x - first.xy[0], disc.y - y - first.xy[1]) < 2 * disc.radius,
  );
  expect(near).toBe(true);
  expect(await sharp(Buffer.from(seen.picture, "base64")).metadata()).toMatchObject({
    format: "webp",
    width: 512,
  });
});

it("shows the tile that was asked for, as far as the image reaches, and the chosen threshold", async () => {
  const seen = await look([0, 0], 0.42);
  expect([seen.x, seen.y, seen.outlines]).toEqual([0, 0, []]);
  expect(seen.thresholds).toHaveLength(20);
  expect(seen.thresholds).toContain(0.42);
});

it("finds the square with the greatest sum", () => {
  const data = new Uint8Array(12 * 8);
  for (const [column, row] of [
    [8, 4],
    [9, 5],
    [1, 1],
  ])
    data[row * 12 + column] = 1;
  expect(densest({ data, nRows: 8, nCols: 12 }, 2)).toEqual([9 / 12, 5 / 8]);
});
