import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTissueImage } from "../readers/images/open-tissue-image.ts";
import { writeTestTiff } from "@stipple/formats/tiff/testing/write-tiff";
import { inspectImage } from "./inspect-image.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-staining-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const SIDE = 240;

type Color = (x: number, y: number) => [number, number, number];

async function judge(
  name: string,
  color: Color,
  staining: "h_and_e" | "if",
  gray = false,
): Promise<string[]> {
  const path = join(folder, name);
  const data = Buffer.from(
    Array.from({ length: SIDE * SIDE }, (_, i) => color(i % SIDE, Math.floor(i / SIDE))).flat(),
  );
  const image = sharp(data, { raw: { width: SIDE, height: SIDE, channels: 3 } });
  await (gray ? image.toColourspace("b-w") : image).tiff().toFile(path);
  return look(path, staining);
}

async function look(path: string, staining: "h_and_e" | "if"): Promise<string[]> {
  const image = await openTissueImage(path);
  const facts = { file: path.split("/").at(-1)!, scale: 1 };
  const signal = new AbortController().signal;
  // A lattice of spots over the upper left of the image, where the tissue is painted.
  const data = Float64Array.from({ length: 128 }, (_, i) => {
    const side = i % 2 === 0 ? image.widthPx : image.heightPx;
    const place = i % 2 === 0 ? (i >> 1) % 8 : i >> 4;
    return (side * 0.72 * (place + 0.5)) / 8;
  });
  const spots = { nRows: 64, nCols: 2, data };
  return await inspectImage(image, spots, facts, { staining, signal });
}

const isTissue = (x: number, y: number): boolean => x < 180 && y < 180;
const isNucleus = (x: number, y: number): boolean =>
  isTissue(x, y) && (x % 20) ** 2 + (y % 20) ** 2 < 60;
const stained: Color = (x, y) =>
  isNucleus(x, y) ? [110, 70, 150] : isTissue(x, y) ? [225, 160, 200] : [244, 243, 245];
const glowing: Color = (x, y) =>
  isNucleus(x, y) ? [40, 70, 230] : isTissue(x, y) ? [8, 20, 40] : [2, 2, 5];

describe("an image checked against the chosen staining", () => {
  it("passes with the right staining", async () => {
    expect(await judge("he.tif", stained, "h_and_e")).toEqual([]);
    expect(await judge("if.tif", glowing, "if")).toEqual([]);
    expect(await judge("dapi.tif", glowing, "if", true)).toEqual([]);
  });

  it("rejects the other kind and names the right choice", async () => {
    await expect(judge("he.tif", stained, "if")).rejects.toThrow(
      /he\.tif .*set the staining to H&E/,
    );
    await expect(judge("if.tif", glowing, "h_and_e")).rejects.toThrow(
      /if\.tif .*set the staining to IF/,
    );
    await expect(judge("dapi.tif", glowing, "h_and_e", true)).rejects.toThrow(
      /set the staining to IF/,
    );
  });

  it("warns that stains of a gray image cannot be separated, even if it was saved as RGB", async () => {
    const asGray: Color = (x, y) => {
      const [r, g, b] = stained(x, y);
      const value = Math.round(0.3 * r + 0.59 * g + 0.11 * b);
      return [value, value, value];
    };
    for (const isGray of [true, false]) {
      expect(await judge("grays.tif", asGray, "h_and_e", isGray)).toEqual([
        expect.stringMatching(/^grays\.tif is grayscale, so hematoxylin and eosin cannot/),
      ]);
    }
  });

  it("does not take stained tissue for gray where most spots lie on bare glass", async () => {
    const small: Color = (x, y) =>
      x < 0.25 * SIDE && y < 0.3 * SIDE ? stained(x, y) : [240, 240, 240];
    expect(await judge("small.tif", small, "h_and_e")).toEqual([]);
  });

  it("only warns about a gray image on white", async () => {
    const [warning] = await judge("gray.tif", stained, "if", true);
    expect(warning).toMatch(/gray\.tif has a bright background.* H&E/);
  });

  it("rejects colors saved as separate pages", async () => {
    const path = join(folder, "pages.tif");
    const page = (c: number) => ({
      width: SIDE,
      height: SIDE,
      samples: 1,
      data: Uint8Array.from(
        { length: SIDE * SIDE },
        (_, i) => stained(i % SIDE, Math.floor(i / SIDE))[c],
      ),
    });
    await writeTestTiff(path, [page(0), page(1), page(2)]);
    await expect(look(path, "if")).rejects.toThrow(
      /saved as separate pages: set the staining to H&E\.$/,
    );
  });

  it("rejects images without tissue", async () => {
    const noise = (level: number): Color => {
      return (x, y) => {
        const value = level + (((x * 7919 + y * 104_729) % 13) - 6) / 2;
        return [value, value, value + 1];
      };
    };
    for (const staining of ["h_and_e", "if"] as const) {
      await expect(judge("blank.tif", noise(240), staining)).rejects.toThrow();
      await expect(judge("black.tif", () => [0, 0, 0], staining)).rejects.toThrow(
        /is completely black/,
      );
    }
    await expect(judge("blank.tif", noise(240), "h_and_e")).rejects.toThrow(/shows no tissue/);
    await expect(judge("dim.tif", noise(60), "if")).rejects.toThrow(/shows no tissue/);
  });

  const crop = resolve(
    import.meta.dirname,
    "../../../../../../shared/data/visium-mouse-brain-crop/image.tif",
  );
  it.runIf(existsSync(crop))("recognizes a real H&E image that is all tissue", async () => {
    expect(await look(crop, "h_and_e")).toEqual([]);
    await expect(look(crop, "if")).rejects.toThrow(/set the staining to H&E/);
  });
});
