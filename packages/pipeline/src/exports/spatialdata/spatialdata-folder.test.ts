import { readFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as zarr from "zarrita";
import { openTissueImage } from "../../readers/images/open-tissue-image.ts";
import { drawCellLabels, SpatialDataFolder, writeCellShapes } from "./spatialdata-folder.ts";

const { signal } = new AbortController();
const xy = { nRows: 3, nCols: 2, data: Float32Array.of(10, 20, 50, 60, 90, 30) };
const triangles = {
  offsets: Uint32Array.of(0, 3, 3, 6),
  xy: Float32Array.of(8, 18, 12, 18, 10, 24, 88, 28, 92, 28, 90, 34),
};

/** Two polygons, the first one with a hole. */
const square = (from: number, to: number): Float64Array =>
  Float64Array.of(from, from, to, from, to, to, from, to);
const nest = {
  name: "Nest",
  kind: null,
  color: "#aa0000",
  polygons: [[square(0, 10), square(4, 6)], [square(20, 25)]],
};

let temporary: string;
let path: string;
beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), "stipple-zarr-"));
  path = join(temporary, "spatialdata.zarr");
  const file = join(temporary, "tissue.tif");
  // Left half red, right half blue; 1301 × 700 px is not a multiple of the chunk size.
  const red = await sharp({
    create: { width: 650, height: 700, channels: 3, background: "#ff0000" },
  })
    .png()
    .toBuffer();
  await sharp({ create: { width: 1301, height: 700, channels: 3, background: "#0000ff" } })
    .composite([{ input: red, left: 0, top: 0 }])
    .removeAlpha()
    .tiff({ tile: true, compression: "lzw" })
    .toFile(file);

  const folder = new SpatialDataFolder(path, 0.5);
  const image = await openTissueImage(file);
  await folder.image(image, 2, signal);
  const outlines = { xy, cells: triangles, nuclei: triangles, halfSidePx: 3 };
  await writeCellShapes(folder.cells("cells"), "cells", outlines, signal);
  await writeCellShapes(folder.cells("nuclei"), "nuclei", outlines, signal);
  const scale = { spotShape: "disc", spotSizeUm: 55, micronsPerPixel: 0.5 } as const;
  await folder.spots(["AAA-1", "CCC-1", "GGG-1"], xy, scale, Int32Array.of(0, 1, 0), signal);
  const frame = { widthPx: 1301 * 2, heightPx: 700 * 2, step: 2 };
  folder.labels(frame);
  await drawCellLabels(path, outlines, frame, signal);
  await folder.regions([nest], signal);
  const rows = { region: "cells", instanceKey: "cell_id" } as const;
  const table = folder.table("table", rows);
  table.dataframe("obs", ["cell_1", "cell_2", "cell_3"], ["observed", "cell_type"]);
  table.booleans("obs/observed", Uint8Array.of(1, 0, 1));
  table.categorical("obs/cell_type", Int32Array.of(1, 0, -1), ["Müller glia", "T cell"]);
  table.group("layers");
  const counts = table.csr("layers/counts", 3, 4, "<i");
  await counts.append([1, 0], Int32Array.of(2), Int32Array.of(7));
  await counts.append([2], Int32Array.of(0, 3), Int32Array.of(1, 5));
  await counts.finish();
  table.group("uns");
  folder.annotate(table, rows);
  folder.finish();
});
afterAll(() => rm(temporary, { recursive: true, force: true }));

/** The folder as read by another program; a missing chunk is all zeros. */
const store = {
  get: (key: string): Promise<Uint8Array | undefined> =>
    readFile(join(path, key)).catch(() => undefined),
};

async function values(node: string): Promise<unknown> {
  const array = await zarr.open(zarr.root(store).resolve(node), { kind: "array" });
  const read = (await zarr.get(array)) as { data: Iterable<unknown> } | string;
  return typeof read === "string" ? read : [...read.data];
}

async function attributes(node: string): Promise<Record<string, never>> {
  const { attributes } = JSON.parse(await readFile(join(path, node, "zarr.json"), "utf8"));
  return attributes as Record<string, never>;
}

describe("the table", () => {
  it("contains AnnData's elements", async () => {
    expect(await values("tables/table/obs/_index")).toEqual(["cell_1", "cell_2", "cell_3"]);
    expect(await values("tables/table/obs/observed")).toEqual([true, false, true]);
    expect(await values("tables/table/obs/cell_type/categories")).toEqual([
      "Müller glia",
      "T cell",
    ]);
    expect(await values("tables/table/obs/cell_type/codes")).toEqual([1, 0, -1]);
    expect(await values("tables/table/layers/counts/indptr")).toEqual([0, 1, 1, 3]);
    expect(await values("tables/table/layers/counts/indices")).toEqual([2, 0, 3]);
    expect(await values("tables/table/layers/counts/data")).toEqual([7, 1, 5]);
    expect(await attributes("tables/table/layers/counts")).toMatchObject({ shape: [3, 4] });
  });

  it("names the shapes that its rows represent", async () => {
    expect(await attributes("tables/table")).toMatchObject({
      "spatialdata-encoding-type": "ngff:regions_table",
      region: "cells",
      region_key: "region",
      instance_key: "cell_id",
    });
    const root = "tables/table/uns/spatialdata_attrs";
    expect(await values(`${root}/region`)).toBe("cells");
  });
});

describe("the image", () => {
  it("is a pyramid in full-resolution pixels", async () => {
    const { ome } = (await attributes("images/tissue")) as unknown as {
      ome: {
        multiscales: [
          { datasets: { path: string }[]; coordinateTransformations: [{ scale: number[] }] },
        ];
      };
    };
    const [{ datasets, coordinateTransformations }] = ome.multiscales;
    expect(datasets.map((dataset) => dataset.path)).toEqual(["s0", "s1", "s2"]);
    expect(coordinateTransformations[0].scale).toEqual([1, 2, 2]);
    const root = zarr.root(store);
    const shapes: number[][] = [];
    for (const { path: level } of datasets) {
      const array = await zarr.open(root.resolve(`images/tissue/${level}`), { kind: "array" });
      shapes.push(array.shape);
      const corner = await zarr.get(array, [null, array.shape[1] - 1, array.shape[2] - 1]);
      expect([...(corner.data as Uint8Array)]).toEqual([0, 0, 255]);
      const left = await zarr.get(array, [null, 0, 0]);
      expect([...(left.data as Uint8Array)]).toEqual([255, 0, 0]);
    }
    expect(shapes).toEqual([
      [3, 700, 1301],
      [3, 350, 651],
      [3, 175, 326],
    ]);
  });
});

it("labels every pixel whose center lies in a cell with the cell's number", async () => {
  const root = zarr.root(store);
  const labels = await zarr.open(root.resolve("labels/cell_labels/s0"), { kind: "array" });
  expect(labels.shape).toEqual([700, 1301]);
  const { data } = await zarr.get(labels, [zarr.slice(8, 20), zarr.slice(3, 8)]);
  const rows = Array.from({ length: 12 }, (_, row) =>
    Array.from((data as Int32Array).subarray(5 * row, 5 * row + 5)).join(""),
  );
  // The triangle (8, 18), (12, 18), (10, 24) in steps of two pixels; the second cell is the square far right.
  expect(rows).toEqual(["00000", "01100", "01000", ...new Array<string>(9).fill("00000")]);
  const at = async (y: number, x: number): Promise<unknown> => await zarr.get(labels, [y, x]);
  expect([await at(29, 24), await at(14, 44), await at(600, 1200)]).toEqual([2, 3, 0]);
  expect(await attributes("labels")).toEqual({ ome: { labels: ["cell_labels"] } });
  const { ome } = (await attributes("labels/cell_labels")) as unknown as {
    ome: { multiscales: [{ coordinateTransformations: { scale: number[] }[] }] };
  };
  const [{ coordinateTransformations }] = ome.multiscales;
  expect(coordinateTransformations.map(({ scale }) => scale)).toEqual([
    [2, 2],
    [1, 1],
  ]);
});

describe("the shapes", () => {
  const rows = async (name: string): Promise<Record<string, unknown>[]> => {
    const file = await asyncBufferFromFile(join(path, "shapes", name, "shapes.parquet"));
    return parquetReadObjects({ file });
  };

  it("are GeoParquet with GeoPandas's index", async () => {
    const file = await asyncBufferFromFile(join(path, "shapes/cells/shapes.parquet"));
    const metadata = await parquetMetadataAsync(file);
    const entry = (key: string): { columns: unknown } & Record<string, unknown> =>
      JSON.parse(metadata.key_value_metadata!.find((pair) => pair.key === key)!.value!);
    expect(entry("geo").columns).toEqual({
      geometry: {
        encoding: "WKB",
        crs: null,
        geometry_types: ["Polygon"],
        bbox: [8, 18, 92, 63],
      },
    });
    expect(entry("pandas")["index_columns"]).toEqual(["cell_id"]);
  });

  it("give every cell a closed ring, or a square if it has no outline", async () => {
    const cells = await rows("cells");
    expect(cells.map((row) => row["cell_id"])).toEqual([1, 2, 3]);
    expect(cells[1]["geometry"]).toMatchObject({
      type: "Polygon",
      coordinates: [
        [
          [47, 57],
          [53, 57],
          [53, 63],
          [47, 63],
          [47, 57],
        ],
      ],
    });
    expect((await rows("nuclei")).map((row) => row["cell_id"])).toEqual([1, 3]);
  });

  it("give every spot a circle", async () => {
    expect(await rows("spots")).toMatchObject([
      { geometry: { coordinates: [10, 20] }, radius: 55, cluster: 0, barcode: "AAA-1" },
      { barcode: "CCC-1", cluster: 1 },
      { barcode: "GGG-1" },
    ]);
  });
});

it("repeats all metadata at the root", async () => {
  const root = JSON.parse(await readFile(join(path, "zarr.json"), "utf8")) as {
    consolidated_metadata: { metadata: Record<string, unknown> };
  };
  const { metadata } = root.consolidated_metadata;
  for (const [node, stored] of Object.entries(metadata)) {
    expect(JSON.parse(await readFile(join(path, node, "zarr.json"), "utf8"))).toEqual(stored);
  }
  expect(metadata).toHaveProperty(["tables/table/layers/counts/data"]);
});

it("has the regions with their holes, colors, and classes", async () => {
  const file = await asyncBufferFromFile(join(path, "shapes/regions/shapes.parquet"));
  const ring = (from: number, to: number): number[][] =>
    [from, to]
      .flatMap((y, at) =>
        at === 0
          ? [
              [from, y],
              [to, y],
            ]
          : [
              [to, y],
              [from, y],
            ],
      )
      .concat([[from, from]]);
  expect(await parquetReadObjects({ file })).toEqual([
    {
      geometry: {
        type: "MultiPolygon",
        coordinates: [[ring(0, 10), ring(4, 6)], [ring(20, 25)]],
      },
      name: "Nest",
      color: "#aa0000",
      class: "",
    },
  ]);
  expect(await attributes("shapes/regions")).toMatchObject({ "encoding-type": "ngff:shapes" });
});
