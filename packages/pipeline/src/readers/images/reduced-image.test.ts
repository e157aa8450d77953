import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import sharp from "sharp";
import { expect, it } from "vitest";
import { writePng } from "../../figures/figure.ts";
import { reducedImage } from "./reduced-image.ts";

async function figure(width: number, height: number): Promise<Readable> {
  const picture = sharp({ create: { width, height, channels: 3, background: "#0072b2" } });
  return Readable.from([await picture.png().toBuffer()]);
}

it("downsizes a figure and keeps its colors, but never enlarges one", async () => {
  const small = sharp((await reducedImage(await figure(900, 600), 300)).bytes);
  expect(await small.metadata()).toMatchObject({ format: "webp", width: 300, height: 200 });
  const { channels } = await small.stats();
  [0, 0x72, 0xb2].forEach((value, at) =>
    expect(Math.abs(channels[at].mean - value)).toBeLessThan(3),
  );
  const same = sharp((await reducedImage(await figure(90, 60), 300)).bytes);
  expect(await same.metadata()).toMatchObject({ width: 90, height: 60 });
});

it("finds the parts that a figure names", async () => {
  const folder = await mkdtemp(join(tmpdir(), "stipple-reduced-"));
  try {
    const tissue = { left: 0.05, top: 0.1, width: 0.9, height: 0.5 };
    const key = { left: 0.05, top: 0.7, width: 0.9, height: 0.25 };
    const path = join(folder, "tissue.png");
    await writePng(
      path,
      { widthPx: 200, heightPx: 300, layers: [], parts: { tissue, key } },
      "dark",
    );
    const { parts } = await reducedImage(createReadStream(path), 100);
    expect(parts).toEqual({ tissue, key });
  } finally {
    await rm(folder, { recursive: true });
  }
  expect((await reducedImage(await figure(90, 60), 300)).parts).toBeNull();
});

it("rejects anything that is not an image, and a source that breaks off", async () => {
  await expect(reducedImage(Readable.from(["not an image"]), 300)).rejects.toThrow();
  const broken = new Readable({
    read() {
      this.destroy(new Error("gone"));
    },
  });
  await expect(reducedImage(broken, 300)).rejects.toThrow("gone");
});
