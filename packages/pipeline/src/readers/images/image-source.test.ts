import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { channelFileNames, AS_STORED, openImageSource } from "./image-source.ts";
import { colorsByName } from "./merged-colors.ts";
import { orientationOf, type Orientation } from "@stipple/formats/tiff/orientation";
import { openTissueImage } from "./open-tissue-image.ts";
import { writeTestTiff } from "@stipple/formats/tiff/testing/write-tiff";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-source-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const WIDTH = 30;
const HEIGHT = 20;
/** Red tells the column, green the row. */
const pixels = Buffer.from(
  Array.from({ length: WIDTH * HEIGHT }, (_, i) => [
    8 * (i % WIDTH),
    12 * Math.floor(i / WIDTH),
    77,
  ]).flat(),
);
const raw = { raw: { width: WIDTH, height: HEIGHT, channels: 3 as const } };

describe("an image turned by its tag", () => {
  it.each([2, 3, 4, 5, 6, 7, 8] as Orientation[])(
    "with orientation %i has the pixels that another program shows",
    async (orientation) => {
      const path = join(folder, `turned-${orientation}.png`);
      await writeFile(
        path,
        await sharp(pixels, raw).withMetadata({ orientation }).png().toBuffer(),
      );
      const upright = await sharp(path).autoOrient().raw().toBuffer({ resolveWithObject: true });
      expect(await openTissueImage(path)).toMatchObject({ orientation, widthPx: WIDTH });
      const image = await openImageSource({ path, reading: { orientation, colors: null } });
      const { widthPx, heightPx } = image;
      expect([widthPx, heightPx]).toEqual([upright.info.width, upright.info.height]);
      const all = await image.getRegion({ x: 0, y: 0, width: widthPx, height: heightPx });
      expect(Buffer.from(all.data).equals(upright.data)).toBe(true);
      const part = { left: 3, top: 5, width: 7, height: 11 };
      const region = { x: 3, y: 5, width: 7, height: 11 };
      const expected = await sharp(upright.data, { raw: upright.info })
        .extract(part)
        .raw()
        .toBuffer();
      expect(Buffer.from((await image.getRegion(region)).data).equals(expected)).toBe(true);
      const green = await image.getChannel(1, region);
      expect([...green.data]).toEqual([...expected].filter((_, i) => i % 3 === 1));
      const half = await image.getRegion({
        ...{ x: 0, y: 0, width: widthPx, height: heightPx },
        ...{ outWidth: widthPx / 2, outHeight: heightPx / 2 },
      });
      expect([half.width, half.height]).toEqual([widthPx / 2, heightPx / 2]);
      const middle = (3 * half.width * half.height) / 2 + 3 * Math.floor(half.width / 2);
      const same = 3 * (heightPx / 2) * widthPx + 3 * Math.floor(widthPx / 2);
      expect(Math.abs(half.data[middle] - upright.data[same])).toBeLessThan(16);
      await expect(image.getRegion({ ...region, width: widthPx })).rejects.toThrow(RangeError);
    },
  );

  it("takes the tag of a TIFF, and no impossible one", async () => {
    const path = join(folder, "tag.tif");
    const page = { width: 2, height: 1, samples: 1, data: Uint8Array.of(1, 2) };
    await writeTestTiff(path, [{ ...page, orientation: 8 }]);
    expect((await openTissueImage(path)).orientation).toBe(8);
    expect(orientationOf(9)).toBe(1);
    expect(orientationOf(0)).toBe(1);
  });
});

describe("colors in separate pages", () => {
  it("are recognized by their names, in any order", () => {
    expect(colorsByName(["Red", "Green", "Blue"])).toEqual([0, 1, 2]);
    expect(colorsByName(["B", "G", "R"])).toEqual([2, 1, 0]);
    expect(colorsByName(["blue", "alpha", "red", "green"])).toEqual([2, 3, 0]);
    expect(colorsByName(["Red", "Green", "Far red"])).toBeNull();
    expect(colorsByName(["Red", "Green", "Blue", "DAPI"])).toBeNull();
    expect(colorsByName([])).toBeNull();
  });

  it.each([8, 16])("of %i bits are read as one color image", async (bits) => {
    const path = join(folder, `colors-${bits}.tif`);
    const plane = (values: number[]): Uint8Array | Uint16Array =>
      bits === 8 ? Uint8Array.from(values) : Uint16Array.from(values, (value) => 257 * value);
    const page = (values: number[]) => ({ width: 2, height: 1, samples: 1, data: plane(values) });
    await writeTestTiff(path, [page([10, 20]), page([30, 40]), page([50, 255])]);
    const image = await openImageSource({ path, reading: { orientation: 1, colors: [2, 0, 1] } });
    expect(image).toMatchObject({ kind: "rgb", channels: 3 });
    const { data } = await image.getRegion({ x: 0, y: 0, width: 2, height: 1 });
    expect([...data]).toEqual([50, 10, 30, 255, 20, 40]);
  });

  it("of floating point keep their balance where one of them was overshot by resizing", async () => {
    const path = join(folder, "float-colors.tif");
    const page = (white: number) => ({
      ...{ width: 2, height: 1, samples: 1 },
      data: Float32Array.of(0.5, white),
    });
    await writeTestTiff(path, [page(1.02), page(1), page(1)]);
    const image = await openImageSource({ path, reading: { ...AS_STORED, colors: [0, 1, 2] } });
    const { data } = await image.getRegion({ x: 0, y: 0, width: 2, height: 1 });
    expect([...data]).toEqual([128, 128, 128, 255, 255, 255]);
  });
});

describe("channels in separate files", () => {
  it("are named by the words in which the files differ", () => {
    expect(channelFileNames(["/x/S1_DAPI.ome.tif", "/x/S1_CD3.ome.tif"])).toEqual(["DAPI", "CD3"]);
    expect(channelFileNames(["Hoechst.tif", "PanCK.tif"])).toEqual(["Hoechst", "PanCK"]);
    expect(channelFileNames(["C1-slide A.tif", "C2-slide A.tif"])).toEqual(["C1", "C2"]);
    expect(channelFileNames(["a.tif", "b_2.tif"])).toEqual(["a", "b_2"]);
  });

  it("are read as one image, and refused if one is not a channel of it", async () => {
    const file = async (name: string, width: number, samples: number, value: number) => {
      const path = join(folder, name);
      const data = new Uint16Array(width * 10 * samples).fill(value);
      const photometric = samples === 3 ? 2 : 1;
      await writeTestTiff(path, [{ width, height: 10, samples, data, photometric }]);
      return path;
    };
    const first = await file("s_DAPI.tif", 12, 1, 700);
    const second = await file("s_CD3.tif", 12, 1, 900);
    const open = (...paths: string[]) =>
      openImageSource({ path: first, channelFiles: [first, ...paths], reading: AS_STORED });
    const image = await open(second);
    expect(image).toMatchObject({
      ...{ kind: "channels", channels: 2, channelNames: ["DAPI", "CD3"] },
      ...{ widthPx: 12, heightPx: 10, bitsPerSample: 16 },
    });
    const region = { x: 2, y: 3, width: 2, height: 1 };
    expect([...(await image.getChannel(1, region)).data]).toEqual([900, 900]);
    expect((await image.getRegion(region)).channels).toBe(3);
    await expect(open(await file("s_CD8.tif", 13, 1, 5))).rejects.toThrow(
      /s_CD8\.tif \(13 × 10 px\) and s_DAPI\.tif \(12 × 10 px\) differ in size/,
    );
    await expect(open(await file("s_CD4.tif", 12, 3, 5))).rejects.toThrow(
      /s_CD4\.tif is a color image, not a single channel/,
    );
  });
});
