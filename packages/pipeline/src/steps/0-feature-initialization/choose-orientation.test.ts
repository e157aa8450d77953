import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { openTissueImage } from "../../readers/images/open-tissue-image.ts";
import { chooseOrientation, type FrameEvidence } from "./choose-orientation.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-orientation-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Stained spots on glass, at random. */
function slide(width: number, height: number): Sharp {
  const random = new Random(4);
  const data = Buffer.alloc(3 * width * height, 240);
  for (let spot = 0; spot < 300; spot++) {
    const [x, y] = [random.below(width - 8), random.below(height - 8)];
    for (let v = y; v < y + 8; v++)
      data.fill(90 + (spot % 60), 3 * (v * width + x), 3 * (v * width + x + 8));
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/** The image of this upright size, stored as a camera would with the tag, and Space Ranger's picture of it. */
async function tagged(name: string, width: number, height: number, orientation: number) {
  const undo = { 3: 180, 6: 270, 8: 90 }[orientation]!;
  const path = join(folder, `${name}.jpg`);
  const stored = await slide(width, height).rotate(undo).png().toBuffer();
  await writeFile(
    path,
    await sharp(stored).withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer(),
  );
  const picture = join(folder, `${name}-hires.png`);
  await slide(width, height)
    .resize(width / 2)
    .toFile(picture);
  return { image: await openTissueImage(path), picture };
}

function evidence(more: Partial<FrameEvidence>): FrameEvidence {
  return {
    ...{ expected: null, picture: null, fluorescent: false },
    ...{ x: new Float64Array(0), y: new Float64Array(0) },
    signal: new AbortController().signal,
    ...more,
  };
}

describe("an orientation tag", () => {
  it("is applied if only the turned image has the expected shape", async () => {
    const { image } = await tagged("wide", 400, 300, 6);
    const upright = evidence({ expected: { widthPx: 800, heightPx: 600 } });
    const chosen = await chooseOrientation(image, upright);
    expect(chosen).toMatchObject({ orientation: 6, warning: null });
    expect(chosen.note).toMatch(
      /^wide\.jpg has orientation tag 6 \(to be rotated 90° clockwise\), which was applied/,
    );
    const stored = evidence({ expected: { widthPx: 300, heightPx: 400 } });
    expect(await chooseOrientation(image, stored)).toMatchObject({
      orientation: 1,
      note: expect.stringMatching(/not applied: as stored, it has the shape/) as string,
      warning: null,
    });
  });

  it("is applied if only the turned image contains the spots", async () => {
    const { image } = await tagged("spots", 400, 300, 8);
    const x = Float64Array.of(10, 200, 390);
    const y = Float64Array.of(10, 150, 290);
    expect(await chooseOrientation(image, evidence({ x, y }))).toMatchObject({ orientation: 8 });
    expect(await chooseOrientation(image, evidence({ x: y, y: x }))).toMatchObject({
      orientation: 1,
      warning: null,
    });
  });

  it("of an image that fits either way follows Space Ranger's picture", async () => {
    const { image, picture } = await tagged("square", 300, 300, 3);
    const expected = { widthPx: 300, heightPx: 300 };
    expect(await chooseOrientation(image, evidence({ expected, picture }))).toMatchObject({
      orientation: 3,
      note: expect.stringMatching(/only so it looks like Space Ranger's picture/) as string,
    });
    const turned = join(folder, "turned-hires.png");
    await sharp(picture).rotate(180).toFile(turned);
    expect(await chooseOrientation(image, evidence({ expected, picture: turned }))).toMatchObject({
      orientation: 1,
      note: expect.stringMatching(/as stored, it looks like/) as string,
    });
  });

  it("is named in a warning if nothing tells", async () => {
    const { image } = await tagged("unknown", 300, 300, 6);
    const x = Float64Array.of(10, 200);
    const chosen = await chooseOrientation(image, evidence({ x, y: x }));
    expect(chosen).toMatchObject({ orientation: 1, note: null });
    expect(chosen.warning).toMatch(
      /^unknown\.jpg has orientation tag 6 .* was not applied, .* save the image upright, without the tag\.$/,
    );
  });
});
