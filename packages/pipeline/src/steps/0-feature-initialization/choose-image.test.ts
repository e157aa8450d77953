import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ImageFacts } from "../../facts.ts";
import { writeTestTiff } from "../../readers/images/tiff-for-tests.ts";
import type { SampleFiles } from "../../readers/sample-files.ts";
import { chooseImage, spotsOnImage } from "./choose-image.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-choose-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function picture(name: string, width: number, height: number): Promise<string> {
  const path = join(folder, name);
  const image = sharp({ create: { width, height, channels: 3, background: "#cc88aa" } });
  await (name.endsWith(".png") ? image.png() : image.tiff()).toFile(path);
  return path;
}

const none = { image: null, hires: null, lowres: null } as SampleFiles;

describe("chooseImage", () => {
  it("prefers the microscope image and compares its size with Space Ranger's images", async () => {
    const hires = await picture("tissue_hires_image.png", 100, 80);
    const pictures = { hires: 0.1 };
    const choose = async (
      width: number,
      height: number,
    ): Promise<Awaited<ReturnType<typeof chooseImage>>> =>
      chooseImage(
        { ...none, hires, image: await picture("image.tif", width, height) },
        pictures,
        0.4,
        "h_and_e",
      );
    const same = await choose(1000, 800);
    expect(same.facts).toMatchObject({ source: "microscope", scale: 1, micronsPerPixel: 0.4 });
    expect(same.warnings).toEqual([]);
    const half = await choose(500, 400);
    expect(half.facts).toMatchObject({ scale: 2, micronsPerPixel: 0.8 });
    expect(half.warnings[0]).toMatch(/2\.00 times smaller/);
    const other = await choose(800, 1000);
    expect(other.facts.scale).toBe(1);
    expect(other.warnings[0]).toMatch(/does not have the proportions/);
  });

  it("falls back to Space Ranger's images, then to none", async () => {
    const hires = await picture("tissue_hires_image.png", 100, 80);
    const lowres = await picture("tissue_lowres_image.png", 50, 40);
    const files = { ...none, hires, lowres };
    const pictures = { hires: 0.1, lowres: 0.05 };
    const first = await chooseImage(files, pictures, 0.5, "h_and_e");
    expect(first.facts).toMatchObject({ source: "hires", scale: 10, micronsPerPixel: 5 });
    expect(first.warnings[0]).toMatch(/too coarse to see nuclei/);
    const second = await chooseImage(files, { lowres: 0.05 }, 0.5, "h_and_e");
    expect(second.facts).toMatchObject({ source: "lowres", scale: 20 });
    const last = await chooseImage(none, pictures, 0.5, "h_and_e");
    expect(last.facts).toMatchObject({ source: "none", file: null });
    expect(last.warnings[0]).toMatch(/no tissue image/);
  });

  it("does not use an instrument image that the positions do not refer to", async () => {
    const hires = await picture("tissue_hires_image.png", 100, 80);
    const image = await picture("cytassist_image.tif", 300, 300);
    const files = { ...none, hires, image };
    const { facts } = await chooseImage(files, { hires: 0.1 }, 0.5, "h_and_e");
    expect(facts.source).toBe("hires");
  });

  it("rejects multichannel images for H&E", async () => {
    const image = join(folder, "channels.tif");
    const page = { width: 4, height: 4, samples: 1, data: new Uint16Array(16) };
    await writeTestTiff(image, [page, page]);
    await expect(chooseImage({ ...none, image }, {}, 0.5, "h_and_e")).rejects.toThrow(
      /2 separate channels/,
    );
    const { facts } = await chooseImage({ ...none, image }, {}, 0.5, "if");
    expect(facts.channels).toBe(2);
  });
});

describe("spotsOnImage", () => {
  const facts = {
    source: "microscope",
    file: "image.tif",
    widthPx: 1000,
    heightPx: 500,
    scale: 1,
  } as ImageFacts;
  const on = (x: number[], y: number[]): ReturnType<typeof spotsOnImage> =>
    spotsOnImage(Float64Array.from(x), Float64Array.from(y), facts, {
      positionsFile: "tissue_positions.csv",
      axes: "x comes before y",
    });

  it("counts spots on the image and warns about others", () => {
    expect(on([10, 900], [10, 400])).toEqual({ fraction: 1, warnings: [] });
    const half = on([10, 2000], [10, 400]);
    expect(half.fraction).toBe(0.5);
    expect(half.warnings[0]).toMatch(/1 of 2 spots \(50%\) lie off image\.tif/);
  });

  it("rejects positions from another image, and detects swapped axes", () => {
    expect(() => on([2000, 3000], [2000, 3000])).toThrow(
      /No spot .* x 2000–3000, y 2000–3000 px, image 1000 × 500 px.*don't match/,
    );
    expect(() => on([100, 200], [600, 900])).toThrow(
      /rows and columns swapped: check that x comes before y\.$/,
    );
  });
});
