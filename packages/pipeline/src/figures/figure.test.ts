import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, expect, it } from "vitest";
import { svgOf, writePng, type Figure } from "./figure.ts";
import { writePdf } from "./cells/write-figure.ts";
import { svgText } from "./svg.ts";

const folder = await mkdtemp(join(tmpdir(), "stipple-figure-"));
afterAll(() => rm(folder, { recursive: true }));

const figure: Figure = {
  widthPx: 200,
  heightPx: 100,
  layers: [
    {
      kind: "picture",
      x: 10,
      y: 20,
      widthPx: 2,
      heightPx: 1,
      channels: 3,
      pixels: Uint8Array.of(255, 0, 0, 0, 0, 255),
    },
    { kind: "vector", svg: svgText(40, 60, "A & B µm", { size: 30 }) },
  ],
};

it("places pictures and draws text", async () => {
  const path = join(folder, "figure.png");
  await writePng(path, figure);
  const { data, info } = await sharp(path).raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([200, 100]);
  const at = (20 * 200 + 10) * info.channels;
  expect([...data.subarray(at, at + 3)]).toEqual([255, 0, 0]);
  let dark = 0;
  for (let i = 0; i < data.length; i += info.channels)
    if (data[i] < 100 && data[i + 2] < 100) dark++;
  expect(dark).toBeGreaterThan(200);
});

it("draws light text on dark for dark pages, and pictures unchanged", async () => {
  const path = join(folder, "dark", "figure.png");
  await writePng(path, figure, "dark");
  const { data, info } = await sharp(path).raw().toBuffer({ resolveWithObject: true });
  const at = (20 * 200 + 10) * info.channels;
  expect([...data.subarray(at, at + 3)]).toEqual([255, 0, 0]);
  expect([...data.subarray(0, 3)]).toEqual([0x12, 0x1a, 0x24]);
  let light = 0;
  for (let i = 0; i < data.length; i += info.channels)
    if (data[i] > 200 && data[i + 2] > 200) light++;
  expect(light).toBeGreaterThan(200);
});

it("prints a PDF at 300 dots per inch, the same file each time", async () => {
  const paths = ["one.pdf", "two.pdf"].map((name) => join(folder, name));
  for (const path of paths) await writePdf(path, figure);
  const [one, two] = await Promise.all(paths.map((path) => readFile(path)));
  expect(one.equals(two)).toBe(true);
  const text = one.toString("latin1");
  expect(text).toMatch(/^%PDF-/);
  expect(text).toContain("/MediaBox [0 0 48 24]");
  expect(text).toMatch(/\/FontName \/\w+\+Inter/);
});

it("embeds pictures in the SVG and escapes text", async () => {
  const svg = await svgOf(figure);
  expect(svg).toContain("A &amp; B µm");
  expect(svg).toContain("data:image/jpeg;base64,");
});
