import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { html } from "./html.ts";
import { embedFigure } from "../../steps/7-finalization/report/figures.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-figure-"));
});
afterAll(() => rm(folder, { recursive: true }));

it.each([
  ["as wide as a page", [2800, 700], [1400, 350]],
  ["as it is, where it is small", [300, 200], [300, 200]],
  ["no taller than the format allows", [40, 20_000], [33, 16_383]],
])("embeds a figure %s", async (_, [width, height], [shownWidth, shownHeight]) => {
  const path = join(folder, "figure.png");
  await sharp({ create: { width, height, channels: 3, background: "#123456" } })
    .png()
    .toFile(path);
  const { markup } = await embedFigure(path, "a figure", html`Its caption`);
  expect(markup).toContain(`width="${shownWidth}" height="${shownHeight}"`);
  const data = /base64,([^"]+)"/.exec(markup)![1];
  expect(await sharp(Buffer.from(data, "base64")).metadata()).toMatchObject({
    format: "webp",
    width: shownWidth,
    height: shownHeight,
  });
});
