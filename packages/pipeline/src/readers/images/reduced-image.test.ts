import { Readable } from "node:stream";
import sharp from "sharp";
import { expect, it } from "vitest";
import { reducedImage } from "./reduced-image.ts";

async function figure(width: number, height: number): Promise<Readable> {
  const picture = sharp({ create: { width, height, channels: 3, background: "#0072b2" } });
  return Readable.from([await picture.png().toBuffer()]);
}

it("downsizes a figure and keeps its colors, but never enlarges one", async () => {
  const small = sharp(await reducedImage(await figure(900, 600), 300));
  expect(await small.metadata()).toMatchObject({ format: "webp", width: 300, height: 200 });
  const { channels } = await small.stats();
  [0, 0x72, 0xb2].forEach((value, at) =>
    expect(Math.abs(channels[at]!.mean - value)).toBeLessThan(3),
  );
  const same = sharp(await reducedImage(await figure(90, 60), 300));
  expect(await same.metadata()).toMatchObject({ width: 90, height: 60 });
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
