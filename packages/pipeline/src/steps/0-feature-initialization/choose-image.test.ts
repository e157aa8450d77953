import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ImageFacts } from "../../facts.ts";
import { writeTestTiff } from "@stipple/formats/tiff/testing/write-tiff";
import type { SampleFiles } from "../../readers/sample-files.ts";
import { chooseImage, type ImageOptions } from "./choose-image.ts";
import { spotsOnImage } from "./spots-on-image.ts";

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

/** Without spots, only sizes and pictures decide. */
function as(staining: ImageOptions["staining"], more: Partial<ImageOptions> = {}): ImageOptions {
  const spots = { x: new Float64Array(0), y: new Float64Array(0) };
  return { staining, spots, signal: new AbortController().signal, ...more };
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
        as("h_and_e"),
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

  it("takes an image of which both sides differ a little by one factor as resampled, others for trimmed", async () => {
    const hires = await picture("tissue_hires_image.png", 1000, 801);
    const choose = async (width: number, height: number) =>
      chooseImage(
        { ...none, hires, image: await picture("image.tif", width, height) },
        { hires: 0.5 },
        0.4,
        as("h_and_e"),
      );
    // Left as it is, a nucleus at the right edge would be 20 px off.
    const resampled = await choose(1980, 1585);
    expect(resampled.facts.scale).toBeCloseTo(1 / 0.99, 3);
    expect(resampled.warnings[0]).toMatch(/is 1\.010 times smaller than .*positions were scaled/);
    for (const [width, height] of [
      [2000, 1601],
      [2000, 1603],
      [1994, 1597],
      [1980, 1601],
      [2024, 1640],
    ] as const) {
      const same = await choose(width, height);
      expect([width, height, same.facts.scale, same.warnings]).toEqual([width, height, 1, []]);
    }
  });

  it("does not move spots for a picture that was saved again at another size", async () => {
    const files = {
      ...none,
      hires: await picture("tissue_hires_image.png", 990, 792),
      lowres: await picture("tissue_lowres_image.png", 200, 160),
      image: await picture("image.tif", 2000, 1600),
    };
    const of = (pictures: { hires: number; lowres?: number }) =>
      chooseImage(files, pictures, 0.4, as("h_and_e"));
    expect(await of({ hires: 0.5, lowres: 0.1 })).toMatchObject({
      facts: { scale: 1, expectedPx: { widthPx: 2000, heightPx: 1600 } },
      warnings: [],
    });
    expect((await of({ hires: 0.5 })).facts.scale).toBeCloseTo(0.99, 3);
  });

  it("falls back to Space Ranger's images, then to none", async () => {
    const hires = await picture("tissue_hires_image.png", 100, 80);
    const lowres = await picture("tissue_lowres_image.png", 50, 40);
    const files = { ...none, hires, lowres };
    const pictures = { hires: 0.1, lowres: 0.05 };
    const first = await chooseImage(files, pictures, 0.5, as("h_and_e"));
    expect(first.facts).toMatchObject({ source: "hires", scale: 10, micronsPerPixel: 5 });
    expect(first.warnings[0]).toMatch(/too coarse to see nuclei/);
    const second = await chooseImage(files, { lowres: 0.05 }, 0.5, as("h_and_e"));
    expect(second.facts).toMatchObject({ source: "lowres", scale: 20 });
    const last = await chooseImage(none, pictures, 0.5, as("h_and_e"));
    expect(last.facts).toMatchObject({ source: "none", file: null });
    expect(last.warnings[0]).toMatch(/no tissue image/);
  });

  it("refuses pictures of images of two sizes where one of them would be the image", async () => {
    const files = {
      ...none,
      hires: await picture("tissue_hires_image.png", 200, 160),
      lowres: await picture("tissue_lowres_image.png", 50, 41),
    };
    const choose = (hires: number, image: string | null = null) =>
      chooseImage({ ...files, image }, { hires, lowres: 0.05 }, 0.5, as("h_and_e"));
    expect((await choose(0.2)).facts.source).toBe("hires");
    await expect(choose(0.1)).rejects.toThrow(
      "the image of Space Ranger's high-resolution picture had 2000 × 1600 px, and that of its low-resolution picture 1000 × 820 px: take both",
    );
    const image = await picture("image.tif", 1000, 820);
    expect((await choose(0.1, image)).facts).toMatchObject({ source: "microscope", scale: 1 });
  });

  it("does not use an instrument image that the positions do not refer to", async () => {
    const hires = await picture("tissue_hires_image.png", 100, 80);
    const image = await picture("cytassist_image.tif", 300, 300);
    const files = { ...none, hires, image };
    const { facts } = await chooseImage(files, { hires: 0.1 }, 0.5, as("h_and_e"));
    expect(facts.source).toBe("hires");
    // As 10x calls the microscope images of CytAssist samples, here saved at half the size.
    const half = await picture("CytAssist_FFPE_tissue_image.tif", 500, 400);
    const microscope = { ...files, image: half };
    expect(await chooseImage(microscope, { hires: 0.1 }, 0.5, as("h_and_e"))).toMatchObject({
      facts: { source: "microscope", scale: 2, micronsPerPixel: 1 },
      warnings: [expect.stringMatching(/2\.00 times smaller/)],
    });
    expect((await chooseImage(microscope, { hires: 0.1 }, 2, as("h_and_e"))).facts.source).toBe(
      "hires",
    );
  });

  it("rejects multichannel images for H&E", async () => {
    const image = join(folder, "channels.tif");
    const page = { width: 4, height: 4, samples: 1, data: new Uint16Array(16) };
    await writeTestTiff(image, [page, page]);
    await expect(chooseImage({ ...none, image }, {}, 0.5, as("h_and_e"))).rejects.toThrow(
      /2 separate channels/,
    );
    const { facts } = await chooseImage({ ...none, image }, {}, 0.5, as("if"));
    expect(facts.channels).toBe(2);
  });
});

describe("how the image is read", () => {
  const gray = (value: number, name?: string) => ({
    ...{ width: 40, height: 30, samples: 1 },
    data: Uint8Array.from({ length: 1200 }, (_, i) => (i % 7 === 0 ? value - 90 : value)),
    ...(name ? { pageName: name } : {}),
  });

  it("takes three gray pages for the colors of H&E, by their names or their bright background", async () => {
    const image = join(folder, "colors.tif");
    await writeTestTiff(image, [gray(240, "Blue"), gray(230, "Green"), gray(235, "Red")]);
    const named = await chooseImage({ ...none, image }, {}, 0.5, as("h_and_e"));
    expect(named.facts).toMatchObject({ channels: 3, reading: { colors: [2, 1, 0] } });
    expect(named.notes).toEqual([
      "colors.tif: its separate channels Red, Green, Blue are read as the colors of an H&E image.",
    ]);
    await writeTestTiff(image, [gray(240), gray(230), gray(235)]);
    const bright = await chooseImage({ ...none, image }, {}, 0.5, as("h_and_e"));
    expect(bright.facts.reading?.colors).toEqual([0, 1, 2]);
    expect(bright.notes[0]).toMatch(/three separate channels have a bright background/);
    // Mostly dark, with a few bright structures: fluorescence.
    const dark = {
      ...gray(240),
      data: Uint8Array.from({ length: 1200 }, (_, i) => 10 + (i % 200)),
    };
    dark.data.fill(8, 0, 900);
    await writeTestTiff(image, [dark, dark, dark]);
    await expect(chooseImage({ ...none, image }, {}, 0.5, as("h_and_e"))).rejects.toThrow(
      /3 separate channels, so it is not an H&E image/,
    );
    const fluorescent = await chooseImage({ ...none, image }, {}, 0.5, as("if"));
    expect(fluorescent.facts.reading).toBeUndefined();
  });

  it("names channels as the file does, or as the user does", async () => {
    const image = join(folder, "named.tif");
    await writeTestTiff(image, [gray(200, "DAPI"), gray(210, "CD3")]);
    const files = { ...none, image };
    const own = await chooseImage(files, {}, 0.5, as("if"));
    expect(own.facts.channelNames).toEqual(["DAPI", "CD3"]);
    const given = await chooseImage(files, {}, 0.5, as("if", { channelNames: "Hoechst , CD8" }));
    expect(given.facts.channelNames).toEqual(["Hoechst", "CD8"]);
    await expect(chooseImage(files, {}, 0.5, as("if", { channelNames: "DAPI" }))).rejects.toThrow(
      "Names of 1 channel were given (DAPI), but named.tif has 2 channels: give one name for each channel, separated by commas, or none.",
    );
  });

  it("combines channel files, and says so", async () => {
    const files = ["s_DAPI.tif", "s_CD3.tif"].map((name) => join(folder, name));
    for (const path of files) await writeTestTiff(path, [gray(220)]);
    const { facts, notes } = await chooseImage(
      { ...none, image: files[0], channelFiles: files },
      {},
      0.5,
      as("if"),
    );
    expect(facts).toMatchObject({ channels: 2, channelNames: ["DAPI", "CD3"] });
    expect(notes).toEqual([
      "2 images of one size are read as the channels of one: s_DAPI.tif, s_CD3.tif.",
    ]);
  });

  it("names the pages that are not used", async () => {
    const image = join(folder, "pages.tif");
    const label = { width: 20, height: 20, samples: 1, data: new Uint8Array(400) };
    await writeTestTiff(image, [label, gray(200)]);
    const { facts, notes } = await chooseImage({ ...none, image }, {}, 0.5, as("if"));
    expect(facts.widthPx).toBe(40);
    expect(notes).toEqual([
      "pages.tif also contains page 1 (20 × 20 px): not part of the image, so not used.",
    ]);
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
      noun: "spot",
      positionsFile: "tissue_positions.csv",
      axes: "x comes before y",
    });

  it("counts spots on the image and warns about others", () => {
    expect(on([10, 900], [10, 400])).toEqual({ fraction: 1, warnings: [] });
    const half = on([10, 2000], [10, 400]);
    expect(half.fraction).toBe(0.5);
    expect(half.warnings[0]).toMatch(/1 of 2 spots \(50%\) lies off image\.tif/);
  });

  it("names an orientation tag that was not applied", () => {
    const tag = "its orientation tag 6 (to be rotated 90° clockwise) was not applied";
    const far = Float64Array.of(2000, 3000);
    const words = {
      noun: "bin",
      positionsFile: "positions.csv",
      axes: "x comes before y",
    } as const;
    expect(() => spotsOnImage(far, far, facts, words, tag)).toThrow(
      /^No bin .*\(bins at .* image 1000 × 500 px; its orientation tag 6 \(to be rotated 90° clockwise\) was not applied\)/,
    );
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
