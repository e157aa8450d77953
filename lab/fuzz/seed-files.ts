import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import h5wasm, { File as H5File, type Group } from "h5wasm/node";
import { parquetWriteBuffer } from "hyparquet-writer";
import sharp, { type Sharp } from "sharp";
import type { Annotation } from "@stipple/contract";
import { annotationFileText } from "@stipple/contract/annotation-file";
import { keyOfCells } from "../../packages/pipeline/src/annotations/annotate-cells.ts";
import { writeTestTiff } from "@stipple/formats/tiff/testing/write-tiff";
import { writeTiledTiff } from "@stipple/formats/tiff/write-tiled-tiff";
import { ALL_FORMATS, type Format } from "./formats.ts";

export const BARCODES = Array.from(
  { length: 12 },
  (_, i) => `${"ACGT"[i & 3]}${"ACGT"[i >> 2]}ACGTACGTAC-1`,
);
/** Counts in shuffled and deflated chunks, as written by Space Ranger. */
export const SPACE_RANGER_CHUNKS = join(
  import.meta.dirname,
  "../../packages/pipeline/src/readers/testing/space-ranger-chunks.h5",
);
export const SYMBOLS = Array.from({ length: 40 }, (_, i) => `GENE${i}A`);

/** Creates small valid files of each format in `folder`. */
export async function makeSeeds(
  folder: string,
  formats: readonly Format[] = ALL_FORMATS,
): Promise<Record<Format, Buffer[]>> {
  await mkdir(folder, { recursive: true });
  const seeds = Object.fromEntries(ALL_FORMATS.map((format) => [format, []])) as unknown as Record<
    Format,
    Buffer[]
  >;
  for (const format of formats) seeds[format] = await MAKERS[format](folder);
  return seeds;
}

const MAKERS: Record<Format, (folder: string) => Promise<Buffer[]>> = {
  tiff: tiffs,
  png: () => pictures("png"),
  jpeg: () => pictures("jpeg"),
  "barcodes-gz": async () => [gzipSync(barcodes())],
  "features-gz": async () => [gzipSync(features())],
  "matrix-gz": async () => [gzipSync(matrix())],
  tsv: async () => [Buffer.from(features())],
  mtx: async () => [Buffer.from(matrix())],
  csv: async () => [Buffer.from(positions(true)), Buffer.from(positions(false))],
  parquet: async () => [parquet("SNAPPY"), parquet("UNCOMPRESSED"), parquet("GZIP")],
  json: async () => [Buffer.from(JSON.stringify(SCALEFACTORS))],
  geojson: async () => [Buffer.from(geojson())],
  h5: (folder) =>
    atNoTime(async () => [
      await h5(folder, false),
      await h5(folder, true),
      await readFile(SPACE_RANGER_CHUNKS),
    ]),
  h5ad: (folder) => atNoTime(async () => [await h5ad(folder, true), await h5ad(folder, false)]),
  "st-counts": async () => [Buffer.from(stCounts(true)), Buffer.from(stCounts(false))],
  "st-coordinates": async () => [
    Buffer.from(stCoordinates(true)),
    Buffer.from(stCoordinates(false)),
  ],
  "added-geojson": async () => [
    Buffer.from(cellsGeoJson(true)),
    Buffer.from(JSON.stringify(squares().map(([x, y]) => squareFeature(x, y)))),
  ],
  "added-npy": async () => [npy("<i4", Int32Array.from(masks())), npy("<u2", masks())],
  "added-tiff": async (folder) => {
    const path = join(folder, "masks.tif");
    await writeTestTiff(path, [{ width: 48, height: 40, samples: 1, data: masks() }]);
    return [await readFile(path)];
  },
  "added-parquet": async () => [cellCorners()],
  "added-regions": async () => [
    Buffer.from(cellsGeoJson(false)),
    Buffer.from(JSON.stringify(squareFeature(4, 4))),
  ],
  "added-alignment": async () =>
    [
      { landmarks: squares().map(([x, y]) => ({ from: [x, y], to: [x + 1, y] })) },
      {
        matrix: [
          [1, 0, 2],
          [0, 1, 3],
          [0, 0, 1],
        ],
      },
      { oligo: BARCODES.map((_, i) => loupeSpot(i % 4, Math.floor(i / 4))) },
    ].map((document) => Buffer.from(JSON.stringify(document))),
  "added-annotations": async () => [Buffer.from(annotationFileText(annotations())!)],
};

/** A result of eight cells, to which annotations belong. */
export const ANNOTATED = {
  xy: { nRows: 8, nCols: 2, data: Float32Array.from({ length: 16 }, (_, i) => i) },
  types: {
    groupOf: Int32Array.from({ length: 8 }, (_, cell) => cell % 2),
    groups: ["T cell", "B cell"].map((name) => ({ name, color: "#0072b2" })),
  },
  clusters: { groupOf: new Int32Array(8), groups: [{ name: "0", color: "#0072b2" }] },
  domains: null,
};

/** One of each kind. */
function annotations(): Annotation[] {
  const cellsKey = keyOfCells(ANNOTATED.xy);
  const color = "#0011cc";
  const cells = deflateSync(Uint8Array.of(0b101)).toString("base64");
  const labels = deflateSync(new Uint8Array(16)).toString("base64");
  const values = {
    name: { of: "type", group: "T cell", label: "Lymphocyte" },
    group: { name: "Rim", color, cells, assigned: "Glia", cellsKey },
    clusters: { name: "Own", settings: {}, groups: [{ name: "A", color }], labels, cellsKey },
    genes: { name: "Stress", genes: SYMBOLS },
    note: { text: "A vessel", x: 1, y: 2 },
  };
  return Object.entries(values).map(
    ([kind, value], at) =>
      ({
        ...{ id: `a${at}`, kind, value, revision: 1 },
        ...{ author: "ada@example.org", at: "2026-01-02T03:04:05.000Z" },
      }) as Annotation,
  );
}

/** Corners of square cells of 8 × 8 pixels. */
function squares(): [number, number][] {
  return [0, 1, 2, 3].map((i) => [4 + 20 * (i % 2), 4 + 16 * (i >> 1)]);
}

function squareFeature(x: number, y: number, more: object = {}): object {
  const ring = [0, 1, 2, 3, 0].map((k) => [x + (k === 1 || k === 2 ? 8 : 0), y + (k >= 2 ? 8 : 0)]);
  return {
    type: "Feature",
    geometry: { type: "Polygon", coordinates: [ring] },
    properties: { name: `at ${x}` },
    ...more,
  };
}

function cellsGeoJson(nuclei: boolean): string {
  const features = squares().map(([x, y]) =>
    squareFeature(
      x,
      y,
      nuclei
        ? {
            nucleusGeometry: {
              type: "Polygon",
              coordinates: [
                [
                  [x, y],
                  [x + 4, y],
                  [x, y + 4],
                ],
              ],
            },
          }
        : {},
    ),
  );
  return JSON.stringify({ type: "FeatureCollection", features });
}

/** 48 × 40 labels. */
function masks(): Uint16Array {
  const labels = new Uint16Array(48 * 40);
  for (const [i, [x, y]] of squares().entries()) {
    for (let row = y; row < y + 8; row++) labels.fill(i + 1, row * 48 + x, row * 48 + x + 8);
  }
  return labels;
}

function npy(kind: string, { buffer }: Int32Array | Uint16Array): Buffer {
  const header = `{'descr': '${kind}', 'fortran_order': False, 'shape': (40, 48), }`.padEnd(117);
  const head = Buffer.from(`\x93NUMPY\x01\x00\x76\x00${header}\n`, "latin1");
  return Buffer.concat([head, Buffer.from(buffer)]);
}

function cellCorners(): Buffer {
  const corners = squares().flatMap(([x, y], cell) =>
    [0, 1, 2, 3].map((k) => ({
      cell,
      x: x + (k === 1 || k === 2 ? 8 : 0),
      y: y + (k >= 2 ? 8 : 0),
    })),
  );
  return Buffer.from(
    parquetWriteBuffer({
      columnData: [
        { name: "cell_id", data: corners.map(({ cell }) => cell), type: "INT32" },
        { name: "vertex_x", data: corners.map(({ x }) => x / 2), type: "DOUBLE" },
        { name: "vertex_y", data: corners.map(({ y }) => y / 2), type: "DOUBLE" },
      ],
    }),
  );
}

function loupeSpot(col: number, row: number): object {
  return { x: 1, y: 2, row, col, dia: 5, imageX: 10 * col + 1, imageY: 10 * row, tissue: true };
}

async function tiffs(folder: string): Promise<Buffer[]> {
  const path = join(folder, "seed.tif");
  const size = { width: 48, height: 40 };
  const rgb = Buffer.alloc(48 * 40 * 3);
  for (let i = 0; i < rgb.length; i++) rgb[i] = (i * 7) & 255;
  const raw = { raw: { ...size, channels: 3 as const } };
  const files: Buffer[] = [];
  for (const options of [
    { compression: "none" },
    { compression: "lzw" },
    { compression: "deflate", tile: true, tileWidth: 16, tileHeight: 16, pyramid: true },
    { compression: "jpeg" },
    { compression: "packbits" },
    { compression: "deflate", bigtiff: true, tile: true, tileWidth: 32, tileHeight: 32 },
  ] as const) {
    files.push(await sharp(rgb, raw).tiff(options).toBuffer());
  }
  const own = async (pages: Parameters<typeof writeTestTiff>[1]): Promise<void> => {
    await writeTestTiff(path, pages);
    files.push(await readFile(path));
  };
  const gray = Uint16Array.from({ length: 16 * 16 }, (_, i) => 97 * i);
  const page = { width: 16, height: 16, samples: 1 };
  await own([
    { ...page, data: gray, pageName: "DAPI" },
    { ...page, data: gray, pageName: "CD8" },
  ]);
  await own([{ ...page, data: Float32Array.from(gray, (value) => value / 65_535) }]);
  await own([{ ...page, data: Int16Array.from(gray), description: "ImageJ=1.53\nimages=1\n" }]);
  const packed = { bits: 16 };
  const zstd = zstdCompressSync(Buffer.from(gray.buffer));
  await own([{ ...page, data: zstd, packed, compression: 50_000 }]);
  await own([{ width: 8, height: 8, samples: 4, photometric: 5, data: new Uint8Array(256) }]);
  await writeTiledTiff(
    path,
    {
      widthPx: 520,
      heightPx: 16,
      bits: 8,
      channelNames: ["DAPI", "NeuN"],
      pages: [1, 2].map((step) => ({
        rows: (_, count) =>
          Promise.resolve(Uint8Array.from({ length: 520 * count }, (_, i) => i * step)),
      })),
    },
    new AbortController().signal,
  );
  files.push(await readFile(path));
  return files;
}

async function pictures(format: "png" | "jpeg"): Promise<Buffer[]> {
  const rgb = Buffer.from(Uint8Array.from({ length: 64 * 48 * 3 }, (_, i) => (i * 5) & 255));
  const picture = (): Sharp => sharp(rgb, { raw: { width: 64, height: 48, channels: 3 } });
  if (format === "jpeg") return [await picture().jpeg().toBuffer()];
  return [
    await picture().png().toBuffer(),
    await picture().png({ palette: true }).toBuffer(),
    await picture().ensureAlpha().toColourspace("rgb16").png({ progressive: true }).toBuffer(),
  ];
}

function barcodes(): string {
  return BARCODES.map((barcode) => `${barcode}\n`).join("");
}

export function features(): string {
  return SYMBOLS.map((symbol, i) => `ENSG${i}\t${symbol}\tGene Expression\n`).join("");
}

export function matrix(): string {
  const entries = BARCODES.flatMap((_, b) =>
    [1, 7, 20, 33].map((f) => `${f + (b % 5)} ${b + 1} ${1 + (b % 3)}`),
  );
  const size = `${SYMBOLS.length} ${BARCODES.length} ${entries.length}`;
  return `%%MatrixMarket matrix coordinate integer general\n%metadata\n${size}\n${entries.join("\n")}\n`;
}

export function positions(header: boolean): string {
  const first = "barcode,in_tissue,array_row,array_col,pxl_row_in_fullres,pxl_col_in_fullres\n";
  const rows = BARCODES.map(
    (barcode, i) => `${barcode},${i & 1},${i},${2 * i},${90 * i},${80 * i}\n`,
  );
  return (header ? first : "") + rows.join("");
}

const ST_SPOTS = BARCODES.map((_, i) => ({ x: 2 + (i % 4), y: 3 + Math.floor(i / 4) }));

/** Spots × genes, or genes × spots. */
export function stCounts(spotsAreRows: boolean): string {
  const spots = ST_SPOTS.map(({ x, y }) => `${x}x${y}`);
  const [rows, columns] = spotsAreRows ? [spots, SYMBOLS] : [SYMBOLS, spots];
  const lines = rows.map((row, i) => [row, ...columns.map((_, k) => (i * 3 + k) % 4)].join("\t"));
  return `\t${columns.join("\t")}\n${lines.join("\n")}\n`;
}

export function stCoordinates(header: boolean): string {
  const first = "x\ty\tnew_x\tnew_y\tpixel_x\tpixel_y\tselected\n";
  const rows = ST_SPOTS.map(({ x, y }) =>
    [x, y, x + 0.02, y - 0.03, 290.5 * x, 291 * y, 1].join("\t"),
  );
  return `${header ? first : ""}${rows.join("\n")}\n`;
}

function parquet(codec: "SNAPPY" | "UNCOMPRESSED" | "GZIP"): Buffer {
  const numbers = (step: number): number[] => BARCODES.map((_, i) => i * step);
  const compressors = { GZIP: (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes)) };
  return Buffer.from(
    parquetWriteBuffer({
      codec,
      compressors,
      columnData: [
        { name: "barcode", data: BARCODES, type: "STRING" },
        { name: "in_tissue", data: numbers(0), type: "INT32" },
        { name: "array_row", data: numbers(1), type: "INT32" },
        { name: "array_col", data: numbers(2), type: "INT32" },
        { name: "pxl_row_in_fullres", data: numbers(90.5), type: "DOUBLE" },
        { name: "pxl_col_in_fullres", data: numbers(80.5), type: "DOUBLE" },
      ],
    }),
  );
}

export const SCALEFACTORS = {
  spot_diameter_fullres: 89.4,
  tissue_hires_scalef: 0.17,
  fiducial_diameter_fullres: 144.5,
  tissue_lowres_scalef: 0.05,
};

export function geojson(): string {
  const features = Array.from({ length: 5 }, (_, i) => {
    const x = 20 * i;
    const ring = [
      [x, 10],
      [x + 10, 10],
      [x + 10, 20.5],
      [x, 10],
    ];
    return {
      type: "Feature",
      geometry:
        i === 2
          ? { type: "MultiPolygon", coordinates: [[ring]] }
          : { type: "Polygon", coordinates: [ring] },
      properties: { cell_id: i === 1 ? "cellid_000000001-1" : i, note: 'a "}" brace' },
    };
  });
  return JSON.stringify({ type: "FeatureCollection", features });
}

/** The layout of Space Ranger's and anndata's files, without checksums that would mask later errors. */
const OLD_LAYOUT = { libver: ["earliest", "latest"] as ["earliest", "latest"] };

/** HDF5 writes timestamps into its files; fixes the time so that seeds are reproducible. */
async function atNoTime<T>(make: () => Promise<T>): Promise<T> {
  const { now } = Date;
  Date.now = () => 0;
  try {
    return await make();
  } finally {
    Date.now = now;
  }
}

async function h5(folder: string, packed: boolean): Promise<Buffer> {
  await h5wasm.ready;
  const path = join(folder, "seed.h5");
  const file = new H5File(path, "w", OLD_LAYOUT);
  const group = file.create_group("matrix");
  const how = packed ? { chunks: [8], compression: "gzip" as const } : {};
  const n = BARCODES.length;
  group.create_dataset({ name: "barcodes", data: BARCODES });
  group.create_dataset({ name: "data", data: new Int32Array(2 * n).fill(3), ...how });
  group.create_dataset({
    name: "indices",
    data: BigInt64Array.from({ length: 2 * n }, (_, i) => BigInt(i % 2 ? 9 : 4)),
    ...how,
  });
  const starts = BigInt64Array.from({ length: n + 1 }, (_, i) => BigInt(2 * i));
  group.create_dataset({ name: "indptr", data: starts, ...how });
  group.create_dataset({ name: "shape", data: Int32Array.of(SYMBOLS.length, n) });
  const features = group.create_group("features");
  features.create_dataset({ name: "id", data: SYMBOLS.map((_, i) => `ENSG${i}`) });
  features.create_dataset({ name: "name", data: SYMBOLS });
  features.create_dataset({ name: "feature_type", data: SYMBOLS.map(() => "Gene Expression") });
  file.close();
  return readFile(path);
}

async function h5ad(folder: string, sparse: boolean): Promise<Buffer> {
  await h5wasm.ready;
  const path = join(folder, "seed.h5ad");
  const file = new H5File(path, "w", OLD_LAYOUT);
  const n = BARCODES.length;
  const width = SYMBOLS.length;
  const table = (name: string, index: string[]): void => {
    const group = file.create_group(name);
    group.create_attribute("_index", "index");
    group.create_dataset({ name: "index", data: index });
  };
  table("obs", BARCODES);
  table("var", SYMBOLS);
  if (sparse) {
    const x = file.create_group("X");
    x.create_attribute("encoding-type", "csr_matrix");
    x.create_attribute("shape", Int32Array.of(n, width));
    x.create_dataset({ name: "data", data: new Float32Array(n * 4).fill(2) });
    const indices = Int32Array.from({ length: n * 4 }, (_, i) => (i * 7) % width);
    x.create_dataset({ name: "indices", data: indices, chunks: [16], compression: "gzip" });
    const indptr = Int32Array.from({ length: n + 1 }, (_, i) => 4 * i);
    x.create_dataset({ name: "indptr", data: indptr });
    const label = file.create_group("obs/cell_type");
    label.create_dataset({ name: "categories", data: ["Alpha", "Beta"] });
    label.create_dataset({ name: "codes", data: Int8Array.from({ length: n }, (_, i) => i & 1) });
  } else {
    const values = Float32Array.from({ length: n * width }, (_, i) => i % 4);
    file.create_dataset({ name: "X", data: values, shape: [n, width] });
    const labels = BARCODES.map((_, i) => (i & 1 ? "Alpha" : "Beta"));
    (file.get("obs") as Group).create_dataset({ name: "cell_type", data: labels });
  }
  file.close();
  return readFile(path);
}
