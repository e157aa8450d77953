import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ImageFacts } from "../facts.ts";
import { findSampleFiles } from "../readers/find-sample-files.ts";
import { openTissueImage } from "../readers/images/open-tissue-image.ts";
import type { SampleFiles } from "../readers/sample-files.ts";
import type { SampleWords } from "../readers/sample.ts";
import { PLATFORM_FIXTURES } from "../readers/testing/platform-fixtures.ts";
import { analysisSettings } from "../settings.ts";
import { judgeRegistration } from "./judge-registration.ts";
import { lookAtRegistration } from "./look-at-registration.ts";

const folder = mkdtempSync(join(tmpdir(), "registration-"));
afterAll(() => rmSync(folder, { recursive: true }));
let sample: SampleFiles;
beforeAll(async () => {
  // 19 spots in tissue at x 60–285, y 70–200.
  await PLATFORM_FIXTURES.visium(folder);
  const path = join(folder, "tissue.tif");
  const tissue = { width: 270, height: 180, channels: 3, background: "#a050a0" } as const;
  const slide = { width: 400, height: 400, channels: 3, background: "#f4f2f4" } as const;
  await sharp({ create: slide })
    .composite([{ input: await sharp({ create: tissue }).png().toBuffer(), left: 40, top: 45 }])
    .toFile(path);
  await sharp(path).flip().toFile(join(folder, "flipped.tif"));
  sample = await findSampleFiles(folder, { platform: "visium", image: path });
});
const look = async (changed: Partial<SampleFiles> = {}, staining = "h_and_e") =>
  (await lookAtRegistration(
    { ...sample, ...changed },
    analysisSettings.parse({ staining }),
    new AbortController().signal,
  ))!;

it("shows the spots on a reduced image, all of them on tissue", async () => {
  const { picture, ...seen } = await look();
  expect(seen.tone).toBe("ok");
  // Without a correlation with Space Ranger's picture, which cannot be compared.
  expect(seen.sentence).toMatch(/^100% of the spots lie on tissue\. If/);
  expect(seen).toMatchObject({
    width_px: 400,
    height_px: 400,
    n_spots: 19,
    map: null,
    landmarks: null,
  });
  expect([...seen.spots.slice(0, 2)]).toEqual([60, 70]);
  expect(await sharp(Buffer.from(picture, "base64")).metadata()).toMatchObject({
    format: "webp",
    width: 400,
  });
});

it("says first that an image has not the chosen staining, or may not have it", async () => {
  expect(await look({}, "if")).toMatchObject({
    tone: "bad",
    sentence:
      "tissue.tif shows stained tissue on a bright background, like an H&E image, not fluorescence: set the staining to H&E, or use the fluorescence image.",
  });
  const gray = join(folder, "gray.tif");
  await sharp(join(folder, "tissue.tif")).grayscale().toFile(gray);
  const { tone, sentence } = await look({ image: gray });
  expect(tone).toBe("warn");
  expect(sentence).toMatch(/^gray\.tif is grayscale/);
});

it("says of Space Ranger's picture only that it shows the other staining, not that it is dark", async () => {
  const dark = join(folder, "dark.png");
  const light = sharp(join(folder, "tissue.tif"));
  await light.clone().negate().linear(0.04, 0).toFile(dark);
  const bright = join(folder, "bright.png");
  await light.toFile(bright);
  const judged = async (path: string) => {
    const image = await openTissueImage(path);
    const settings = analysisSettings.parse({ staining: "if" });
    const facts = {
      source: "microscope",
      scale: 1,
      micronsPerPixel: 2,
      widthPx: 400,
      heightPx: 400,
    };
    const [x, y] = [Float64Array.of(100, 200, 250), Float64Array.of(80, 120, 200)];
    const seen = { image, isOwn: false, facts: facts as ImageFacts, files: sample, settings };
    return judgeRegistration(
      { ...seen, size: { width: 400, height: 400 }, signal: new AbortController().signal },
      { x, y, words: { noun: "spot" } as SampleWords },
    );
  };
  expect(await judged(dark)).toMatchObject({ tone: "ok" });
  expect((await judged(bright)).sentence).toMatch(/^bright\.png shows stained tissue on a bright/);
});

it("names the way in which an image was turned", async () => {
  const { tone, sentence } = await look({ image: join(folder, "flipped.tif") });
  expect(tone).toBe("warn");
  expect(sentence).toMatch(
    /^[1-4]\d% of the spots lie on tissue, but 100% would if the image were mirrored top to bottom: check/,
  );
});

it("judges the spots where the project's landmarks put them, and gives these back", async () => {
  const alignment = join(folder, "landmarks.json");
  const landmarks = [
    { from: [0, 0], to: [0, 120] },
    { from: [100, 0], to: [100, 120] },
    { from: [0, 100], to: [0, 220] },
  ];
  writeFileSync(alignment, JSON.stringify({ landmarks }));
  const found = await look({ alignment });
  expect(found.map).toEqual([1, 0, 0, 0, 1, 120]);
  expect(found.landmarks).toEqual(landmarks);
  expect(found.sentence).toMatch(/^(Only )?[1-4]?\d% of the spots lie on tissue/);
  // Drawn as the files have them; the page applies the map.
  expect([...found.spots.slice(0, 2)]).toEqual([60, 70]);
});
