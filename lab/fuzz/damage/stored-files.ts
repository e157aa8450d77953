import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { H5File, openLibrary, type Group } from "@stipple/formats/hdf5/library";
import { Random } from "@stipple/numerics/random";
import { parquetWriteBuffer } from "hyparquet-writer";
import sharp, { type Sharp } from "sharp";
import { writeTestTiff } from "@stipple/formats/tiff/testing/write-tiff";
import type { Format } from "../formats.ts";
import {
  BARCODES,
  features,
  geojson,
  matrix,
  positions,
  SCALEFACTORS,
  SPACE_RANGER_CHUNKS,
  stCoordinates,
  stCounts,
  SYMBOLS,
} from "../seed-files.ts";
import {
  allFrom,
  gzipMembers,
  hdf5Chunks,
  jpegScan,
  parquetPages,
  tiffBlocks,
  valuesIn,
  zlibStreams,
  type Range,
} from "./ranges.ts";

/** A way in which a format stores values. */
export interface Stored {
  format: Format;
  /** Whether the format has a checksum over all of the ranges, so that no change of them may pass as data. */
  isChecked: boolean;
  make(folder: string): Promise<Buffer>;
  /** Where its values are. */
  ranges(file: Buffer): Range[];
}

const text = (content: string) => (): Promise<Buffer> => Promise.resolve(Buffer.from(content));
const zipped = (content: string) => (): Promise<Buffer> => Promise.resolve(gzipSync(content));
const plain = (format: Format, content: string): Stored => ({
  format,
  isChecked: false,
  make: text(content),
  ranges: allFrom(0),
});
const gz = (format: Format, content: string): Stored => ({
  format,
  isChecked: true,
  make: zipped(content),
  ranges: allFrom(10),
});

export const STORED = {
  "h5, gzip": h5Stored({ compression: 4 }, true, zlibStreams),
  "h5, shuffled gzip": {
    format: "h5",
    isChecked: true,
    make: () => readFile(SPACE_RANGER_CHUNKS),
    ranges: zlibStreams,
  },
  "h5, gzip, newest layout": h5Stored({ compression: 4 }, true, zlibStreams, "latest"),
  "h5, Fletcher32": h5Stored({ compression: 3, compression_opts: [] }, true, hdf5Chunks),
  "h5, as they are": h5Stored(null, false, (file) => valuesIn(file, COUNTS, GENES)),
  "h5ad, gzip": h5adStored({ compression: 4 }),
  "h5ad, as they are": h5adStored(null),
  "matrix.mtx.gz": gz("matrix-gz", matrix()),
  "matrix.mtx.gz, two members": {
    format: "matrix-gz",
    isChecked: true,
    make: () => Promise.resolve(twoMembers(matrix())),
    ranges: allFrom(10),
  },
  "barcodes.tsv.gz": gz("barcodes-gz", BARCODES.map((barcode) => `${barcode}\n`).join("")),
  "features.tsv.gz": gz("features-gz", features()),
  mtx: plain("mtx", matrix()),
  tsv: plain("tsv", features()),
  csv: plain("csv", positions(true)),
  json: plain("json", JSON.stringify(SCALEFACTORS)),
  geojson: plain("geojson", geojson()),
  "st-counts": plain("st-counts", stCounts(true)),
  "st-coordinates": plain("st-coordinates", stCoordinates(true)),
  "parquet, gzip": parquetStored("GZIP", true, gzipMembers),
  "parquet, snappy": parquetStored("SNAPPY", false, parquetPages),
  "parquet, as they are": parquetStored("UNCOMPRESSED", false, parquetPages),
  png: pictureStored("png", true, allFrom(8), (picture) => picture.png()),
  "png, palette": pictureStored("png", true, allFrom(8), (picture) =>
    picture.png({ palette: true }),
  ),
  jpeg: pictureStored("jpeg", false, jpegScan, (picture) => picture.jpeg()),
  "tiff, deflate": tiffStored(true, zlibStreams, { compression: "deflate" }),
  "tiff, zstd": {
    format: "tiff",
    isChecked: false,
    make: zstdTiff,
    ranges: tiffBlocks,
  },
  "tiff, lzw": tiffStored(false, tiffBlocks, { compression: "lzw" }),
  "tiff, packbits": tiffStored(false, tiffBlocks, { compression: "packbits" }),
  "tiff, jpeg": tiffStored(false, tiffBlocks, {
    compression: "jpeg",
    tile: true,
    tileWidth: 32,
    tileHeight: 32,
  }),
  "tiff, as they are": tiffStored(false, tiffBlocks, { compression: "none" }),
} satisfies Record<string, Stored>;

export type StoredName = keyof typeof STORED;
export const ALL_STORED = Object.keys(STORED) as StoredName[];

const [N_SPOTS, N_GENES, EACH] = [40, 60, 15];
const COUNTS = Int32Array.from({ length: N_SPOTS * EACH }, (_, k) => 1 + ((k * k) % 11));
const GENES = BigInt64Array.from({ length: COUNTS.length }, (_, k) =>
  BigInt(4 * (k % EACH) + (k % 3)),
);

function h5Stored(
  how: Record<string, unknown> | null,
  isChecked: boolean,
  ranges: Stored["ranges"],
  layout: "earliest" | "latest" = "earliest",
): Stored {
  return { format: "h5", isChecked, ranges, make: (folder) => writeH5(folder, how, layout) };
}

async function writeH5(
  folder: string,
  how: Record<string, unknown> | null,
  layout: "earliest" | "latest",
): Promise<Buffer> {
  await openLibrary();
  const path = join(folder, "stored.h5");
  const file = new H5File(path, "w", { libver: [layout, "latest"] });
  const group = file.create_group("matrix");
  const list = (n: number, of: (i: number) => string): string[] =>
    Array.from({ length: n }, (_, i) => of(i));
  const put = (
    to: Group,
    name: string,
    data: string[] | Int32Array | BigInt64Array,
    dtype: string,
  ): void =>
    void to.create_dataset({
      name,
      data,
      dtype,
      shape: [data.length],
      ...(how && { chunks: [Math.min(data.length, 64)], ...how }),
    });
  put(
    group,
    "barcodes",
    list(N_SPOTS, (i) => `${"ACGT"[i & 3]}${"ACGT"[(i >> 2) & 3]}${"ACGT"[i >> 4]}TTG-1`),
    "S8",
  );
  put(group, "data", COUNTS, "<i");
  put(group, "indices", GENES, "<q");
  put(
    group,
    "indptr",
    BigInt64Array.from({ length: N_SPOTS + 1 }, (_, i) => BigInt(i * EACH)),
    "<q",
  );
  put(group, "shape", Int32Array.of(N_GENES, N_SPOTS), "<i");
  const described = file.create_group("matrix/features");
  put(
    described,
    "id",
    list(N_GENES, (i) => `ENSG${i}`),
    "S8",
  );
  put(
    described,
    "name",
    list(N_GENES, (i) => `GENE${i}A`),
    "S8",
  );
  put(
    described,
    "feature_type",
    list(N_GENES, () => "Gene Expression"),
    "S15",
  );
  file.close();
  return readFile(path);
}

const EXPRESSION = Float32Array.from({ length: 60 * 12 }, (_, i) => 1 + ((i * i) % 9));

function h5adStored(how: Record<string, unknown> | null): Stored {
  return {
    format: "h5ad",
    isChecked: how !== null,
    ranges: how ? zlibStreams : (file) => valuesIn(file, EXPRESSION),
    async make(folder) {
      await openLibrary();
      const path = join(folder, "stored.h5ad");
      const file = new H5File(path, "w", { libver: ["earliest", "latest"] });
      const chunked = (n: number): Record<string, unknown> =>
        how ? { chunks: [Math.min(n, 64)], ...how } : {};
      const texts = (to: Group, name: string, data: string[]): void =>
        void to.create_dataset({
          name,
          data,
          dtype: "S12",
          shape: [data.length],
          ...chunked(data.length),
        });
      const table = (name: string, index: string[]): Group => {
        const group = file.create_group(name);
        group.create_attribute("_index", "index");
        texts(group, "index", index);
        return group;
      };
      const obs = table(
        "obs",
        Array.from({ length: 60 }, (_, i) => `cell${i}`),
      );
      texts(
        obs,
        "cell_type",
        Array.from({ length: 60 }, (_, i) => (i & 1 ? "Alpha" : "Beta")),
      );
      table("var", SYMBOLS);
      const x = file.create_group("X");
      x.create_attribute("encoding-type", "csr_matrix");
      x.create_attribute("shape", Int32Array.of(60, SYMBOLS.length));
      const put = (name: string, data: Float32Array | Int32Array, dtype: string): void =>
        void x.create_dataset({ name, data, dtype, shape: [data.length], ...chunked(data.length) });
      put("data", EXPRESSION, "<f");
      put(
        "indices",
        Int32Array.from(EXPRESSION, (_, i) => 3 * (i % 12)),
        "<i",
      );
      put(
        "indptr",
        Int32Array.from({ length: 61 }, (_, i) => 12 * i),
        "<i",
      );
      file.close();
      return readFile(path);
    },
  };
}

function twoMembers(content: string): Buffer {
  const half = content.indexOf("\n", content.length / 2) + 1;
  return Buffer.concat([gzipSync(content.slice(0, half)), gzipSync(content.slice(half))]);
}

function parquetStored(
  codec: "SNAPPY" | "UNCOMPRESSED" | "GZIP",
  isChecked: boolean,
  ranges: Stored["ranges"],
): Stored {
  const numbers = (step: number): number[] => BARCODES.map((_, i) => i * step);
  const compressors = { GZIP: (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes)) };
  return {
    format: "parquet",
    isChecked,
    ranges,
    make: () =>
      Promise.resolve(
        Buffer.from(
          parquetWriteBuffer({
            codec,
            compressors,
            columnData: [
              { name: "barcode", data: BARCODES, type: "STRING" },
              { name: "in_tissue", data: BARCODES.map((_, i) => i & 1), type: "INT32" },
              { name: "array_row", data: numbers(1), type: "INT32" },
              { name: "array_col", data: numbers(2), type: "INT32" },
              { name: "pxl_row_in_fullres", data: numbers(90.5), type: "DOUBLE" },
              { name: "pxl_col_in_fullres", data: numbers(80.5), type: "DOUBLE" },
            ],
          }),
        ),
      ),
  };
}

const SIZE = { width: 96, height: 64 };

/** A soft pattern with some noise, as of tissue. */
function picture(): Sharp {
  const random = new Random(5);
  const rgb = Buffer.from(
    Array.from({ length: SIZE.width * SIZE.height * 3 }, (_, i) =>
      Math.round(150 + 60 * Math.sin(i / 97) + 10 * random.uniform()),
    ),
  );
  return sharp(rgb, { raw: { ...SIZE, channels: 3 } });
}

function pictureStored(
  format: "png" | "jpeg",
  isChecked: boolean,
  ranges: Stored["ranges"],
  encode: (image: Sharp) => Sharp,
): Stored {
  return { format, isChecked, ranges, make: () => encode(picture()).toBuffer() };
}

function tiffStored(
  isChecked: boolean,
  ranges: Stored["ranges"],
  options: Parameters<Sharp["tiff"]>[0],
): Stored {
  return { format: "tiff", isChecked, ranges, make: () => picture().tiff(options).toBuffer() };
}

async function zstdTiff(folder: string): Promise<Buffer> {
  const path = join(folder, "stored.tif");
  const gray = Uint16Array.from({ length: 32 * 32 }, (_, i) => (97 * i) % 5000);
  await writeTestTiff(path, [
    {
      width: 32,
      height: 32,
      samples: 1,
      data: zstdCompressSync(Buffer.from(gray.buffer)),
      packed: { bits: 16 },
      compression: 50_000,
    },
  ]);
  return readFile(path);
}
