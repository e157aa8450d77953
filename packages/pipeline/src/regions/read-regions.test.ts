import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { writeTestTiff, type TestPage } from "@stipple/formats/tiff/testing/write-tiff";
import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { measureRegions } from "./measure-regions.ts";
import { readRegions } from "./read-regions.ts";

const folder = mkdtempSync(join(tmpdir(), "regions-"));
afterAll(() => rmSync(folder, { recursive: true }));
const IMAGE = { width: 1000, height: 800 };

function square(x: number, y: number, side: number): number[][] {
  return [
    [x, y],
    [x + side, y],
    [x + side, y + side],
    [x, y + side],
    [x, y],
  ];
}
function polygon(rings: number[][][], properties: object = {}): object {
  return { type: "Feature", geometry: { type: "Polygon", coordinates: rings }, properties };
}
function read(document: unknown, name = "regions.geojson") {
  const path = join(folder, name);
  writeFileSync(path, typeof document === "string" ? document : JSON.stringify(document));
  return readRegions(path, IMAGE);
}
const collection = (...features: object[]) => ({ type: "FeatureCollection", features });

describe("regions from GeoJSON", () => {
  it("are read as QuPath writes them: names, classes, colors, holes, several polygons, any nesting", async () => {
    const annotation = (more: object) => ({ objectType: "annotation", ...more });
    const features = [
      polygon([square(0, 0, 100), square(40, 40, 20)], annotation({ name: "Gland" })),
      polygon(
        [square(200, 0, 50)],
        annotation({ classification: { name: "Tumor", color: [200, 0, 0] } }),
      ),
      {
        type: "Feature",
        geometry: {
          type: "MultiPolygon",
          coordinates: [[square(300, 0, 10)], [square(320, 0, 10)]],
        },
        properties: annotation({ classification: { name: "Tumor", colorRGB: -3670016 } }),
      },
      { type: "Feature", geometry: { type: "Point", coordinates: [1, 2] }, properties: {} },
      polygon([square(500, 500, 5)]),
    ];
    const found = await read(collection(...features));
    expect(found.map(({ name, color, polygons }) => [name, color, polygons.length])).toEqual([
      ["Gland", null, 1],
      ["Tumor", "#c80000", 3],
      ["Region 5", null, 1],
    ]);
    expect(found[0].polygons[0].map((ring) => ring.length / 2)).toEqual([4, 4]);
    expect(await read(features)).toEqual(found);
    expect((await read(features[1])).map(({ name, polygons }) => [name, polygons])).toEqual([
      ["Tumor", [found[1].polygons[0]]],
    ]);
  });

  it("without a name get one that no other has", async () => {
    const found = await read(
      collection(
        polygon([square(0, 0, 10)], { name: "Region 2" }),
        polygon([square(50, 0, 10)]),
        polygon([square(100, 0, 10)]),
      ),
    );
    expect(found.map(({ name, polygons }) => [name, polygons[0][0][0]])).toEqual([
      ["Region 2", 0],
      ["Region 3", 50],
      ["Region 4", 100],
    ]);
  });

  it("say how far each cell is from a border, and in which region it lies", async () => {
    const regions = await read(
      collection(
        polygon([square(0, 0, 100), square(40, 40, 20)], { name: "Gland" }),
        polygon([square(0, 0, 10)], { name: "Lumen" }),
      ),
    );
    const xy = Float32Array.of(50, 50, 20, 50, 130, 140, 5, 5);
    const measured = measureRegions(regions, { nRows: 4, nCols: 2, data: xy }, 0.5);
    expect([...measured.distanceUm.data].filter((_, i) => i % 2 === 0)).toEqual([5, -10, 25, -2.5]);
    expect([...measured.regionOf]).toEqual([-1, 0, -1, 1]);
    expect(measured.regions[0].areaMm2).toBeCloseTo((9600 * 0.25) / 1e6, 12);
  });

  it("of overlapping objects of one name are measured by what the objects cover together", async () => {
    const regions = await read(
      collection(
        polygon([square(0, 0, 100)], { name: "Tumor" }),
        polygon([square(60, 0, 100)], { name: "Tumor" }),
        polygon([square(160, 0, 100)], { name: "Tumor" }),
      ),
    );
    const xy = Float32Array.of(80, 50, 60, 50, 160, 40);
    const measured = measureRegions(regions, { nRows: 3, nCols: 2, data: xy }, 1);
    expect(measured.regions[0].areaMm2).toBeCloseTo(26_000 / 1e6, 12);
    expect([...measured.distanceUm.data]).toEqual([-50, -50, -40]);
    expect([...measured.regionOf]).toEqual([0, 0, 0]);
    expect(regions[0].polygons).toHaveLength(3);
  });

  it("are read from label images of the image's shape, every label a region", async () => {
    // A quarter of the image's size: a frame around a square of another label, and a speck.
    const [width, height] = [250, 200];
    const labels = new Uint16Array(width * height);
    const paint = (label: number, x0: number, y0: number, side: number): void => {
      for (let y = y0; y < y0 + side; y++)
        labels.fill(label, y * width + x0, y * width + x0 + side);
    };
    paint(700, 20, 20, 100);
    paint(3, 50, 50, 40);
    paint(700, 200, 150, 1);
    const labelFile = async (name: string, size: { width: number; height: number }) => {
      const path = join(folder, name);
      await sharp(labels.subarray(0, size.width * size.height), { raw: { ...size, channels: 1 } })
        .toColourspace("grey16")
        .tiff({ compression: "deflate" })
        .toFile(path);
      return path;
    };
    const found = await readRegions(await labelFile("labels.tif", { width, height }), IMAGE);
    expect(found.map(({ name, polygons }) => [name, polygons.map(({ length }) => length)])).toEqual(
      [
        ["Label 3", [1]],
        ["Label 700", [2, 1]],
      ],
    );
    const at = { nRows: 3, nCols: 2, data: Float32Array.of(90, 90, 280, 280, 802, 602) };
    expect([...measureRegions(found, at, 1).regionOf]).toEqual([1, 0, 1]);
    await expect(
      readRegions(await labelFile("square.tif", { width: 200, height: 200 }), IMAGE),
    ).rejects.toThrow(
      "square.tif is 200 × 200 pixels, but the image is 1,000 × 800: use labels of the whole image.",
    );
    labels.forEach((_, at) => (labels[at] = at % 300));
    await expect(
      readRegions(await labelFile("cells.tif", { width, height }), IMAGE),
    ).rejects.toThrow("cells.tif has 299 labels, but at most 100 regions can be compared");
    labels.fill(0);
    await expect(
      readRegions(await labelFile("empty.tif", { width, height }), IMAGE),
    ).rejects.toThrow("empty.tif contains no regions: all its pixels are 0.");
  });

  it("are read from label images as ImageJ and NumPy store them: floats, signed numbers, and 64 bits", async () => {
    const [width, height] = [100, 80];
    const labels = Array.from({ length: width * height }, (_, p) => (p % width < 50 ? 70_000 : 0));
    const names = async (name: string, data: TestPage["data"], how: Partial<TestPage> = {}) => {
      const path = join(folder, name);
      await writeTestTiff(path, [{ width, height, samples: 1, data, ...how }]);
      return (await readRegions(path, IMAGE)).map((region) => region.name);
    };
    expect(await names("floats.tif", Float32Array.from(labels))).toEqual(["Label 70000"]);
    const signed = Int16Array.from(labels, (label) => label / 10);
    expect(await names("signed.tif", signed)).toEqual(["Label 7000"]);
    const wide = new Uint8Array(BigUint64Array.from(labels, BigInt).buffer);
    expect(await names("wide.tif", wide, { packed: { bits: 64 } })).toEqual(["Label 70000"]);
    const packed = zstdCompressSync(Uint32Array.from(labels));
    const zstd = { packed: { bits: 32 }, compression: 50_000 };
    expect(await names("zstd.tif", packed, zstd)).toEqual(["Label 70000"]);
    const shares = Float32Array.from(labels, (label) => label / 1e5);
    await expect(names("shares.tif", shares)).rejects.toThrow(
      "shares.tif holds fractions (such as 0.700), not labels",
    );
  });

  it("are refused from a label image that is cut off behind its directory", async () => {
    const whole = join(folder, "whole.tif");
    const data = new Uint16Array(100 * 80).fill(7);
    await writeTestTiff(whole, [{ width: 100, height: 80, samples: 1, data }]);
    const bytes = readFileSync(whole);
    // Pixels come last, as tifffile writes them.
    const at = bytes.readUInt32LE(4);
    const directory = Buffer.from(bytes.subarray(at));
    const entry = Array.from({ length: directory.readUInt16LE(0) }, (_, i) => 2 + 12 * i).find(
      (start) => directory.readUInt16LE(start) === 273,
    )!;
    directory.writeUInt32LE(8 + directory.length, entry + 8);
    const head = Buffer.from(bytes.subarray(0, 8));
    head.writeUInt32LE(8, 4);
    const path = join(folder, "cut.tif");
    writeFileSync(path, Buffer.concat([head, directory, bytes.subarray(8, 3000)]));
    await expect(readRegions(path, IMAGE)).rejects.toThrow(
      /^cut\.tif cannot be decoded and is probably damaged/,
    );
  });

  it.each([
    ["text", "{", "regions.geojson is not valid GeoJSON"],
    ["another document", { a: 1 }, "regions.geojson is not GeoJSON"],
    [
      "cells",
      collection(polygon([square(0, 0, 9)], { objectType: "cell" })),
      "regions.geojson holds 1 detected objects and no drawn ones: export the annotations, not the cells.",
    ],
    [
      "points",
      collection({ type: "Feature", geometry: { type: "Point", coordinates: [1, 2] } }),
      "regions.geojson has no polygons, only points or lines",
    ],
    [
      "two corners",
      collection(
        polygon([
          [
            [0, 0],
            [9, 9],
            [0, 0],
          ],
        ]),
      ),
      "regions.geojson has a polygon with fewer than three points",
    ],
    [
      "a corner without a place",
      collection(
        polygon([
          [
            [0, 0],
            [9, 0],
            [9, null as unknown as number],
          ],
        ]),
      ),
      "regions.geojson has a polygon with a corner that lacks x or y: export it again.",
    ],
    [
      "a border that crosses itself",
      collection(
        polygon(
          [
            [
              [0, 0],
              [100, 100],
              [100, 0],
              [0, 100],
            ],
          ],
          { name: "Bow" },
        ),
      ),
      "regions.geojson has a region, Bow, whose border crosses itself at x 50, y 50: draw it again",
    ],
    [
      "another image",
      collection(polygon([square(20_000, 0, 100)], { name: "Far" })),
      "regions.geojson was drawn on another image: the region Far reaches x 20,000, y 0, but the image is 1,000 × 800 pixels.",
    ],
    [
      "too many names",
      collection(...Array.from({ length: 101 }, (_, i) => polygon([square(i, i, 3)]))),
      "regions.geojson has 101 regions with different names, but at most 100 can be compared",
    ],
  ])("are refused in one sentence: %s", async (_, document, message) => {
    await expect(read(document)).rejects.toThrow(message);
  });
});
