import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestPage, writeTestTiff } from "@stipple/formats/tiff/testing/write-tiff";
import { parquetWriteFile } from "hyparquet-writer";
import { afterAll, describe, expect, it } from "vitest";
import { readOutlines } from "./read-outlines.ts";

const folder = mkdtempSync(join(tmpdir(), "stipple-labels-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Objects of 8 × 8 pixels, numbered from 1, in rows of ten. */
const [SIDE, OBJECTS] = [120, 100];
const LABELS = Array.from({ length: SIDE * SIDE }, (_, p) => {
  const [x, y] = [p % SIDE, Math.floor(p / SIDE)];
  return x % 12 < 8 && y % 12 < 8 ? 1 + Math.floor(x / 12) + 10 * Math.floor(y / 12) : 0;
});
const relabeled = (change: (label: number) => number): number[] =>
  LABELS.map((label) => (label === 0 ? 0 : change(label)));

async function npy(kind: string, data: ArrayBufferView, { fortran = false } = {}): Promise<string> {
  const order = fortran ? "True" : "False";
  const header = `{'descr': '${kind}', 'fortran_order': ${order}, 'shape': (${SIDE}, ${SIDE}), }`;
  const head = Buffer.from(`\x93NUMPY\x01\x00\x76\x00${header.padEnd(117)}\n`, "latin1");
  const path = join(folder, "masks.npy");
  await writeFile(path, Buffer.concat([head, Buffer.from(data.buffer)]));
  return path;
}

async function tiff(
  data: Uint8Array | Float32Array,
  more: Pick<TestPage, "packed" | "photometric" | "colorMap"> = {},
): Promise<string> {
  const path = join(folder, "masks.tif");
  await writeTestTiff(path, [{ width: SIDE, height: SIDE, samples: 1, data, ...more }]);
  return path;
}

async function read(path: string): Promise<number> {
  const image = { width: SIDE, height: SIDE, micronsPerPixel: 0.5 };
  return (await readOutlines(path, image)).cells.offsets.length - 1;
}

it.each([
  ["|u1", Uint8Array.from(LABELS)],
  ["|i1", Int8Array.from(LABELS)],
  ["<u2", Uint16Array.from(LABELS)],
  ["<i4", Int32Array.from(LABELS, (label) => label || -1)],
  ["<u4", Uint32Array.from(LABELS)],
  ["<i8", BigInt64Array.from(LABELS, BigInt)],
  ["<f4", Float32Array.from(LABELS)],
  ["<f8", Float64Array.from(LABELS)],
])("reads labels that NumPy saved as %s", async (kind, data) => {
  expect(await read(await npy(kind, data))).toBe(OBJECTS);
});

it.each([
  ["shown inverted", { photometric: 0 }],
  ["in colors", { photometric: 3, colorMap: Array.from({ length: 768 }, (_, i) => 80 * i) }],
])("reads labels in a TIFF %s as they are stored", async (_, look) => {
  expect(await read(await tiff(Uint8Array.from(LABELS), look))).toBe(OBJECTS);
});

it("reads labels in a TIFF of 16-bit floats", async () => {
  const halves = new Float32Array(Float16Array.from(LABELS).buffer);
  expect(await read(await tiff(halves, { packed: { bits: 16 } }))).toBe(OBJECTS);
});

const SAME = "gives objects that lie apart the same number";
it.each([
  ["a mask", () => npy("|u1", Uint8Array.from(relabeled(() => 255))), SAME],
  ["a map of classes", () => npy("|u1", Uint8Array.from(relabeled((n) => 1 + (n % 3)))), SAME],
  ["a mask in TIFF", () => tiff(Uint8Array.from(relabeled(() => 1))), SAME],
  [
    "numbers of hashes",
    () =>
      npy(
        "<u8",
        BigUint64Array.from(
          relabeled((n) => n * 2 ** 32),
          BigInt,
        ),
      ),
    "has labels above 2,147,483,647: number the objects from 1.",
  ],
  [
    "numbers of hashes of 32 bits",
    () => npy("<u4", Uint32Array.from(relabeled((n) => 2 ** 31 + n))),
    "has labels above 2,147,483,647: number the objects from 1.",
  ],
  [
    "numbers of hashes in TIFF",
    () => {
      const hashes = Uint32Array.from(relabeled((n) => 2 ** 31 + n));
      return tiff(new Uint8Array(hashes.buffer), { packed: { bits: 32 } });
    },
    "has labels above 2,147,483,647: number the objects from 1.",
  ],
  [
    "yes and no",
    () => npy("|b1", Uint8Array.from(relabeled(() => 1))),
    'tells only where objects are, not which is which: save the masks themselves, with numpy.save("masks.npy", skimage.measure.label(masks)).',
  ],
  [
    "a transposed array",
    () => npy("<i4", Int32Array.from(LABELS), { fortran: true }),
    'is stored column by column: save the masks themselves, with numpy.save("masks.npy", numpy.ascontiguousarray(masks)).',
  ],
  [
    "numbers of another machine",
    () => npy(">i4", Int32Array.from(LABELS)),
    'holds values of the kind >i4: save the masks themselves, with numpy.save("masks.npy", masks.astype("int32")).',
  ],
])("refuses %s in one sentence", async (_, write, sentence) => {
  await expect(read(await write())).rejects.toThrow(sentence);
});

describe("outlines in GeoJSON", () => {
  const square = (x: number, more: object = {}, far = 20): object => ({
    type: "Feature",
    geometry: {
      type: "Polygon",
      coordinates: [
        [
          [x, 10],
          [x + far, 10],
          [x + far, 10 + far],
          [x, 10 + far],
        ],
      ],
    },
    ...more,
  });
  const readFeatures = async (...features: object[]): Promise<number> => {
    const path = join(folder, "cells.geojson");
    await writeFile(path, JSON.stringify({ type: "FeatureCollection", features }));
    return read(path);
  };

  it("are without the area drawn around them, which QuPath up to 0.3 marked by its id", async () => {
    const area = square(0, { id: "PathAnnotationObject" }, 100);
    const cells = [10, 40, 70].map((x) => square(x, { id: "PathCellObject" }));
    expect(await readFeatures(area, ...cells)).toBe(3);
  });

  it("are those in an area or the core of a tissue microarray, where QuPath writes its hierarchy", async () => {
    const of = (objectType: string, ...childObjects: object[]) => ({
      properties: { objectType, childObjects },
    });
    // Parts of cells are no cells.
    const cells = [10, 40, 70].map((x) => square(x, of("cell", square(x, of("detection"), 5))));
    const area = square(0, of("annotation", ...cells), 100);
    expect(await readFeatures(square(0, of("tma_core", area), 120))).toBe(3);
  });

  it.each([[null], ["100"], [1e300]])("are refused if a corner is %j", async (odd) => {
    const corners = [[40, 10], [60, 10], [odd, 30]]; // prettier-ignore
    const bad = square(0, { geometry: { type: "Polygon", coordinates: [corners] } });
    await expect(readFeatures(square(10), bad)).rejects.toThrow(
      "cells.geojson has an outline with a corner that lacks x or y",
    );
  });

  it("are the largest of any number of polygons", async () => {
    const speck = [[[0, 0], [1, 0], [0, 1]]]; // prettier-ignore
    const coordinates = [...Array.from({ length: 150_000 }, () => speck), [[[10, 10], [30, 10], [30, 30]]]]; // prettier-ignore
    expect(await readFeatures({ geometry: { type: "MultiPolygon", coordinates } })).toBe(1);
  });
});

describe("outlines in Parquet", () => {
  const readTable = (columns: Record<string, { data: unknown[]; type: "INT32" | "DOUBLE" }>) => {
    const filename = join(folder, "nucleus_boundaries.parquet");
    const columnData = Object.entries(columns).map(([name, column]) => ({ name, ...column }));
    parquetWriteFile({ filename, columnData });
    return read(filename);
  };
  const corners = [10, 40].flatMap((x) => [[x, 10], [x + 10, 10], [x + 10, 20], [x, 20], [x, 10]]); // prettier-ignore
  const axis = (at: 0 | 1) =>
    ({ data: corners.map((corner) => corner[at]), type: "DOUBLE" }) as const;
  const ofCell = { data: corners.map(() => 7), type: "INT32" } as const;

  it("are one for each of a cell's nuclei", async () => {
    const label = { data: corners.map((_, i) => Math.floor(i / 5)), type: "INT32" } as const;
    const table = { cell_id: ofCell, vertex_x: axis(0), vertex_y: axis(1), label_id: label };
    expect(await readTable(table)).toBe(2);
  });

  it("are refused if a corner has no place", async () => {
    const data = axis(0).data.map((value, i) => (i === 2 ? null : value));
    const x = { data, type: "DOUBLE" } as const;
    await expect(readTable({ cell_id: ofCell, vertex_x: x, vertex_y: axis(1) })).rejects.toThrow(
      "has corners that are not numbers",
    );
  });
});
