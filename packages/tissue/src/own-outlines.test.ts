import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { analysis, analysisSettings } from "@stipple/pipeline";
import { readResult } from "@stipple/pipeline/results";
import { parquetWriteFile } from "hyparquet-writer";
import { writeTestTiff } from "@stipple/formats/tiff/testing/write-tiff";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { simulateTissue } from "./simulate-tissue.ts";

const folder = mkdtempSync(join(tmpdir(), "stipple-outlines-"));
const tissue = join(folder, "tissue");
const results = join(folder, "results");
const UM_PER_PX = 0.8;
/** Cells of 12 × 12 pixels, 20 apart; the image is 500 × 500 pixels. */
const [CELL, PITCH, SIDE] = [12, 20, 500];
const CORNERS = Array.from({ length: 400 }, (_, i) => [
  100 + PITCH * (i % 15),
  100 + PITCH * (Math.floor(i / 15) % 15),
]).slice(0, 225) as [number, number][];

function ring(x: number, y: number, side = CELL): [number, number][] {
  return [
    [x, y],
    [x + side, y],
    [x + side, y + side],
    [x, y + side],
    [x, y],
  ];
}
function run(outlines: string, outlinesAre: "cells" | "nuclei" = "cells") {
  return analysis
    .runStep(2, {
      input: tissue,
      results,
      outlines,
      settings: analysisSettings.parse({ platform: "visium", staining: "h_and_e" }),
      parameters: { "morphological-analysis": { outlinesAre } },
      threads: 1,
      signal: new AbortController().signal,
    })
    .then(async () => ({
      xy: (await readResult(results, "cells/xy")).data,
      area: await readResult(results, "cells/area_um2"),
      nucleusArea: await readResult(results, "cells/nucleus_area_um2"),
      report: await readResult(results, "sample/segmentation"),
    }));
}
async function geojson(name: string, features: object[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify({ type: "FeatureCollection", features }));
  return path;
}
const square = ([x, y]: [number, number], side = CELL): object => ({
  type: "Feature",
  geometry: { type: "Polygon", coordinates: [ring(x, y, side)] },
  properties: { objectType: "cell" },
});
function labels(): Int32Array {
  const plane = new Int32Array(SIDE * SIDE);
  for (const [i, [x, y]] of CORNERS.entries()) {
    for (let row = y; row < y + CELL; row++) {
      plane.fill(i + 1, row * SIDE + x, row * SIDE + x + CELL);
    }
  }
  return plane;
}
async function npy(name: string, data: Uint8Array, kind: string, shape: string): Promise<string> {
  const header = `{'descr': '${kind}', 'fortran_order': False, 'shape': (${shape}), }`.padEnd(117);
  const head = Buffer.from(`\x93NUMPY\x01\x00\x00\x00${header}\n`, "latin1");
  head.writeUInt16LE(header.length + 1, 8);
  const path = join(folder, name);
  await writeFile(path, Buffer.concat([head, data]));
  return path;
}
function medianOf(area: Float32Array): number {
  return area.toSorted()[area.length >> 1];
}

describe("cells outlined by another program", () => {
  beforeAll(async () => {
    await simulateTissue({ out: tissue, seed: 5, sizeUm: 400, umPerPx: UM_PER_PX, nGenes: 200 });
    const request = {
      ...{ input: tissue, results, threads: 1, signal: new AbortController().signal },
      settings: analysisSettings.parse({ platform: "visium", staining: "h_and_e" }),
    };
    await analysis.runStep(0, request);
    await analysis.runStep(1, request);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("are used as they are, from GeoJSON, label images, and Parquet alike", async () => {
    const plane = labels();
    const tiff = join(folder, "labels.tif");
    const data = Uint16Array.from(plane, (label) => (label > 0 ? label + 1000 : 0));
    await writeTestTiff(tiff, [{ width: SIDE, height: SIDE, samples: 1, data }]);
    const parquet = join(folder, "cell_boundaries.parquet");
    const corners = CORNERS.flatMap(([x, y], cell) =>
      ring(x, y).map(([u, v]) => ({ cell, x: u * UM_PER_PX, y: v * UM_PER_PX })),
    );
    parquetWriteFile({
      filename: parquet,
      columnData: [
        { name: "cell_id", data: corners.map(({ cell }) => cell), type: "INT32" },
        { name: "vertex_x", data: corners.map(({ x }) => x), type: "DOUBLE" },
        { name: "vertex_y", data: corners.map(({ y }) => y), type: "DOUBLE" },
      ],
    });
    const files = [
      await geojson(
        "cells.geojson",
        CORNERS.map((corner) => square(corner)),
      ),
      tiff,
      await npy("masks.npy", new Uint8Array(plane.buffer), "<i4", `${SIDE}, ${SIDE}`),
      parquet,
    ];
    for (const file of files) {
      const { xy, area, report } = await run(file);
      expect(report.method).toBe("given");
      expect(xy.length / 2, file).toBe(CORNERS.length);
      expect(medianOf(area), file).toBeCloseTo((CELL * UM_PER_PX) ** 2, -1.2);
      const found = new Set(
        Array.from({ length: xy.length / 2 }, (_, c) =>
          [xy[2 * c], xy[2 * c + 1]].map((v) => Math.round((v - 106) / PITCH)).join(),
        ),
      );
      expect(found.size, file).toBe(CORNERS.length);
    }
  });

  it("can be nuclei around which cells are grown", async () => {
    const file = await geojson(
      "nuclei.geojson",
      CORNERS.map((corner) => square(corner, 8)),
    );
    const { area, nucleusArea } = await run(file, "nuclei");
    expect(medianOf(nucleusArea)).toBeLessThan(60);
    expect(medianOf(area)).toBeGreaterThan(1.5 * medianOf(nucleusArea));
  });

  it.each([
    [
      "too small",
      () => geojson("a.geojson", [square([100, 100], 0.5)]),
      "which is not the size of a cell",
    ],
    [
      "beyond the image",
      () => geojson("b.geojson", [square([9000, 100])]),
      "b.geojson was made from another image: its outlines reach x 9,012, y 112, but the image is 500 × 500 pixels.",
    ],
    ["without outlines", () => geojson("c.geojson", []), "c.geojson contains no outlines of cells"],
    [
      "of Cellpose's own file",
      () => npy("x_seg.npy", new Uint8Array(8), "|O", ""),
      "x_seg.npy holds Python objects, as Cellpose's _seg.npy does",
    ],
    [
      "as labels of another shape",
      () => npy("wide.npy", new Uint8Array(200), "|u1", "10, 20"),
      "wide.npy is 20 × 10 pixels, but the image is 500 × 500: use labels of the whole image.",
    ],
    [
      "in a text",
      () => Promise.resolve(join(tissue, "spatial/tissue_positions.csv")),
      "is not a known kind",
    ],
  ])("are refused in one sentence: %s", async (_, file, message) => {
    await expect(run(await file())).rejects.toThrow(message);
  });
});
