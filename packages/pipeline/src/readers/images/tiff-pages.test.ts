import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTissueImage } from "./open-tissue-image.ts";
import { writeTestTiff, type TestPage } from "@stipple/formats/tiff/testing/write-tiff";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-pages-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A page of one color; gray with one sample. */
function page(
  width: number,
  height: number,
  value: number,
  more: Partial<TestPage> = {},
): TestPage {
  const samples = more.samples ?? 3;
  const data = new Uint8Array(width * height * samples).fill(value);
  return { width, height, samples, data, photometric: samples === 3 ? 2 : 1, ...more };
}

async function written(name: string, pages: TestPage[]) {
  const path = join(folder, name);
  await writeTestTiff(path, pages);
  return openTissueImage(path);
}

const omeImage = (id: number, width: number, height: number, inside: string): string =>
  `<Image ID="Image:${id}"><Pixels SizeX="${width}" SizeY="${height}" ${inside}</Pixels></Image>`;

describe("the image of a TIFF", () => {
  it("is its largest page; smaller ones of its shape are levels, and others are named", async () => {
    const image = await written("thumbnail.tif", [
      page(40, 30, 20, { subfile: 1 }),
      page(33, 30, 70),
      page(400, 300, 100),
      page(200, 150, 110, { subfile: 1 }),
    ]);
    expect(image).toMatchObject({ widthPx: 400, heightPx: 300, overviewPx: 40 * 30 });
    expect(image.place).toEqual({ page: 2, subifd: -1 });
    expect(image.unusedPages).toEqual(["page 2 (33 × 30 px)"]);
    const all = { x: 0, y: 0, width: 400, height: 300 };
    expect((await image.getRegion(all)).data[0]).toBe(100);
    const half = await image.getRegion({ ...all, outWidth: 200, outHeight: 150 });
    expect(half.data[0]).toBe(110);
  });

  it("is not a larger picture of the slide, its label, or a mask", async () => {
    const image = await written("macro.tif", [
      page(90, 60, 1, { description: "Aperio Image Library\r\nlabel 90x60" }),
      page(80, 60, 100, { description: "Aperio Image Library\r\n80x60 [0,0]" }),
      page(160, 120, 2, { description: "macro 160x120" }),
      page(200, 150, 3, { subfile: 4, samples: 1 }),
    ]);
    expect(image).toMatchObject({ widthPx: 80, heightPx: 60, overviewPx: 80 * 60 });
    expect(image.unusedPages).toEqual([
      "page 1 (label, 90 × 60 px)",
      "page 3 (macro, 160 × 120 px)",
      "page 4 (mask, 200 × 150 px)",
    ]);
  });

  it("has no smaller versions that must be read in another way", async () => {
    const jpeg2000 = { subfile: 1, compression: 34712 };
    const image = await written("mixed.tif", [page(400, 300, 100), page(200, 150, 110, jpeg2000)]);
    expect(image).toMatchObject({ overviewPx: 400 * 300, unusedPages: ["page 2 (200 × 150 px)"] });
    const half = { x: 0, y: 0, width: 400, height: 300, outWidth: 200, outHeight: 150 };
    expect((await image.getRegion(half)).data[0]).toBe(100);
  });

  it("has the channels, names, and pixel size of its own series", async () => {
    const channels = (...names: string[]): string =>
      names.map((name) => `<Channel Name="${name}"/>`).join("");
    const description = [
      '<OME xmlns="x">',
      omeImage(0, 12, 10, `SizeC="1" SizeZ="1" SizeT="1" PhysicalSizeX="9">${channels("Label")}`),
      omeImage(
        1,
        60,
        40,
        `SizeC="2" SizeZ="1" SizeT="1" PhysicalSizeX="500" PhysicalSizeXUnit="n&#x6d;">${channels("DAPI", "CD3 &amp; &#945;SMA")}<TiffData IFD="1" PlaneCount="2"/>`,
      ),
      "</OME>",
    ].join("");
    const image = await written("series.ome.tif", [
      page(12, 10, 1, { samples: 1, description }),
      page(60, 40, 2, { samples: 1 }),
      page(60, 40, 3, { samples: 1 }),
      // A series of the same size that the metadata do not count to this one.
      page(60, 40, 4, { samples: 1 }),
    ]);
    expect(image).toMatchObject({
      kind: "channels",
      channels: 2,
      channelNames: ["DAPI", "CD3 & αSMA"],
      metadataMicronsPerPixel: 0.5,
      unusedPages: ["page 1 (12 × 10 px)", "page 4 (60 × 40 px)"],
    });
    const region = { x: 0, y: 0, width: 2, height: 1 };
    expect([...(await image.getChannel(1, region)).data]).toEqual([3, 3]);
  });

  it("has channels whose smaller versions follow each of them", async () => {
    const gray = (size: number, value: number): TestPage =>
      page(4 * size, 3 * size, value, { samples: 1 });
    const image = await written("interleaved.tif", [
      gray(40, 10),
      gray(20, 11),
      gray(40, 20),
      gray(20, 21),
    ]);
    expect(image).toMatchObject({ channels: 2, overviewPx: 80 * 60, unusedPages: [] });
    const small = { x: 0, y: 0, width: 160, height: 120, outWidth: 80, outHeight: 60 };
    expect((await image.getChannel(1, small)).data[0]).toBe(21);
    expect((await image.getChannel(1, { ...small, outWidth: 160, outHeight: 120 })).data[0]).toBe(
      20,
    );
  });

  it.each([
    [8, Uint8Array.from({ length: 12 }, (_, i) => 20 * i)],
    [16, Uint16Array.from({ length: 12 }, (_, i) => 5461 * i)],
  ])("keeps colors of %i bits stored plane by plane, or beside alpha", async (bits, data) => {
    // Planes: all red, then all green, then all blue.
    const planes = await written(`planes-${bits}.tif`, [
      { width: 2, height: 2, samples: 3, data, photometric: 2, planar: true },
    ]);
    expect(planes).toMatchObject({ kind: "rgb", channels: 3 });
    const all = { x: 0, y: 0, width: 2, height: 2 };
    expect([...(await planes.getChannel(1, all)).data]).toEqual([...data.slice(4, 8)]);
    const alpha = await written(`alpha-${bits}.tif`, [
      { width: 3, height: 1, samples: 4, data, photometric: 2, extraSamples: [2] },
    ]);
    expect(alpha).toMatchObject({ kind: "rgb", channels: 3 });
    expect((await alpha.getRegion({ x: 0, y: 0, width: 3, height: 1 })).channels).toBe(3);
  });
});
