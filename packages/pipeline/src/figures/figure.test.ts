import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
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

it("places pictures in the PDF, with and without alpha, and draws the outline of text below it", async () => {
  const path = join(folder, "placed.pdf");
  const cells = { kind: "picture", x: 30, y: 40, widthPx: 1, heightPx: 2, channels: 4 } as const;
  const pixels = Uint8Array.of(9, 8, 7, 6, 5, 4, 3, 2);
  const label = { kind: "vector", svg: svgText(0, 90, "1 mm", { size: 30, halo: true }) } as const;
  await writePdf(path, { ...figure, layers: [...figure.layers, { ...cells, pixels }, label] });
  const streams = streamsOf(await readFile(path));
  const page = streams.find((stream) => stream.includes(" cm\n"))!.toString("latin1");
  expect(page).toContain("0.24 0 0 0.24 0 0 cm");
  expect(page).toContain("2 0 0 -1 10 21 cm\n/I1 Do");
  expect(page).toMatch(/\n1 0 0 -2 30 42 cm\n\/Picture\d+ Do/);
  expect(streams).toContainEqual(Buffer.of(9, 8, 7, 5, 4, 3));
  expect(streams).toContainEqual(Buffer.of(6, 2));
  expect([...page.matchAll(/^([012]) Tr$/gm)].map(([, mode]) => mode)).toEqual(["0", "2", "0"]);
});

/** The compressed parts of a PDF. */
function streamsOf(pdf: Buffer): Buffer[] {
  return [...pdf.toString("latin1").matchAll(/FlateDecode[^]*?\nstream\n([^]*?)\nendstream/g)].map(
    ([, bytes]) => inflateSync(Buffer.from(bytes, "latin1")),
  );
}

it("embeds pictures in the SVG, also for Illustrator, and escapes text", async () => {
  const svg = await svgOf(figure);
  expect(svg).toContain("A &amp; B µm");
  expect(svg).toContain(` xmlns:xlink="http://www.w3.org/1999/xlink" `);
  expect(svg).toContain(` xlink:href="data:image/jpeg;base64,`);
  // As large as the PDF and the PNG.
  expect(svg).toContain(` width="16.93mm" height="8.47mm" viewBox="0 0 200 100"`);
});
