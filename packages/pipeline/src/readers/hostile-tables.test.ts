import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import h5wasm, { File as H5File } from "h5wasm/node";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InputError } from "../errors.ts";
import { requireSoundRuns } from "@stipple/formats/parquet/runs";
import { readSpaceRangerCells } from "./segmentation/read-space-ranger-cells.ts";
import { readH5Matrix } from "./space-ranger/read-h5-matrix.ts";
import { readPositions } from "./space-ranger/read-positions.ts";
import { readScalefactors } from "./space-ranger/read-scalefactors.ts";
import { readBarcodes } from "./space-ranger/read-lists.ts";
import { readTextMatrix } from "./space-ranger/read-text-matrix.ts";
import { readCoordinates } from "./st/read-coordinates.ts";
import { readCountTable } from "./st/read-count-table.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-hostile-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const MIB = 2 ** 20;
const keepAll = { keep: (barcodes: string[]) => new Uint8Array(barcodes.length).fill(1) };

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

async function refusal(reading: Promise<unknown>): Promise<string> {
  const error = await reading.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(InputError);
  return (error as InputError).message;
}

describe("hostile text", { timeout: 10_000 }, () => {
  it("that unpacks to far more than text does is rejected", async () => {
    const bomb = gzipSync(Buffer.alloc(8 * MIB, "ACGTACGTACGTACGT-1\n"));
    expect(await refusal(readBarcodes(await file("barcodes.tsv.gz", bomb)))).toBe(
      "barcodes.tsv.gz decompresses to more than 4194304 bytes, far more than its size suggests: use the original Space Ranger file.",
    );
  });

  it("with a number that is long and goes on with letters is rejected at once", async () => {
    const header = "barcode,in_tissue,array_row,array_col,pxl_row_in_fullres,pxl_col_in_fullres";
    const cell = `${"4294967296".repeat(MIB / 20)}G`;
    const path = await file("tissue_positions.csv", `${header}\nAAACGTACGTAC-1,1,0,0,${cell},0\n`);
    expect(await refusal(readPositions({ format: "csv", path }))).toMatch(
      /no number for pxl_row_in_fullres in line 2/,
    );
  });

  it("with an endless line is rejected", async () => {
    const barcodes = await file("barcodes.tsv", Buffer.alloc(2 * MIB, "A"));
    expect(await refusal(readBarcodes(barcodes))).toMatch(
      /a line of more than 1048576 bytes \(line 1\)/,
    );
    const path = await file("tissue_positions.csv", Buffer.alloc(2 * MIB, "1,"));
    expect(await refusal(readPositions({ format: "csv", path }))).toMatch(/a line of more than/);
    const matrix = await file(
      "matrix.mtx",
      `%%MatrixMarket matrix coordinate integer general\n1 1 1\n${"1 ".repeat(MIB)}`,
    );
    const files = {
      barcodes: await file("one.tsv", "AAAC-1\n"),
      features: await file("features.tsv", "ENSG1\tA\tGene Expression\n"),
      matrix,
    };
    expect(await refusal(readTextMatrix(files, keepAll))).toMatch(/a line of more than .*line 3/);
  });

  it("that announces more counts than its bytes can hold is rejected before memory is allocated", async () => {
    const names = (n: number, suffix = ""): string =>
      Array.from({ length: n }, (_, i) => `N${i}${suffix}\n`).join("");
    const files = {
      barcodes: await file("many.tsv", names(40_000)),
      features: await file("genes.tsv", names(40_000, "\tG")),
      matrix: await file(
        "matrix.mtx",
        "%%MatrixMarket matrix coordinate integer general\n40000 40000 1500000000\n1 1 1\n",
      ),
    };
    const before = process.memoryUsage().arrayBuffers;
    expect(await refusal(readTextMatrix(files, keepAll))).toMatch(/invalid size in line 2/);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * MIB);
  });

  it("in JSON is rejected above 1 MB, compressed or not", async () => {
    const plain = await file("scalefactors_json.json", `{"a":"${"x".repeat(2 * MIB)}"}`);
    expect(await refusal(readScalefactors(plain))).toMatch(/is larger than 1 MB, too large for/);
    const packed = await file("packed.json", gzipSync(Buffer.alloc(32 * MIB, " ")));
    expect(await refusal(readScalefactors(packed))).toMatch(/is larger than 1 MB, too large for/);
    const deep = await file("deep.json", "[".repeat(MIB - 1));
    expect(await refusal(readScalefactors(deep))).toMatch(/is cut off/);
  });

  it("in GeoJSON that is deeply nested, does not end, or numbers cells beyond 32 bits is rejected", async () => {
    const read = async (text: string): Promise<string> =>
      refusal(
        readSpaceRangerCells({
          cells: await file("cell_segmentations.geojson", text),
          nuclei: null,
        }),
      );
    expect(await read(`{"features":[${"[".repeat(6 * MIB)}`)).toMatch(/not valid GeoJSON/);
    expect(await read(`{"features":[{"a":"${"x".repeat(6 * MIB)}`)).toMatch(/is cut off/);
    expect(await read(`{"a":"${"x".repeat(6 * MIB)}`)).toMatch(/is not GeoJSON/);
    const ring = "[[[0,0],[1,0],[1,1],[0,0]]]";
    expect(
      await read(
        `{"features":[{"properties":{"cell_id":4294967296},"geometry":{"type":"Polygon","coordinates":${ring}}}]}`,
      ),
    ).toMatch(/without an integer cell_id/);
  });
});

describe("hostile HDF5", { timeout: 60_000 }, () => {
  const path = (): string => join(folder, "filtered_feature_bc_matrix.h5");

  async function matrix(change: (h5: H5File) => void): Promise<void> {
    await h5wasm.ready;
    const h5 = new H5File(path(), "w");
    const group = h5.create_group("matrix");
    group.create_dataset({ name: "data", data: new Int32Array([1]) });
    group.create_dataset({ name: "indices", data: new Int32Array([0]) });
    group.create_dataset({ name: "indptr", data: new Int32Array([0, 1]) });
    group.create_dataset({ name: "shape", data: new Int32Array([1, 1]) });
    group.create_dataset({ name: "genes", data: ["ENSG1"] });
    change(h5);
    h5.close();
  }

  it("with datasets far larger than the file is rejected", async () => {
    await matrix((h5) =>
      (h5.get("matrix") as H5File).create_dataset({
        name: "barcodes",
        data: new Int8Array(1),
        shape: [1],
        maxshape: [null],
        chunks: [1024],
      }),
    );
    const h5 = new H5File(path(), "a");
    // Chunks that were never written take no space.
    (h5.get("matrix/barcodes") as unknown as { resize(shape: number[]): void }).resize([1e12]);
    h5.close();
    expect(await refusal(readH5Matrix(path(), keepAll))).toMatch(
      /^filtered_feature_bc_matrix\.h5 cannot be read: its barcodes would decompress to 1000000000000 bytes/,
    );
  });

  it("does not read other files on the machine", async () => {
    const secret = join(folder, "other-person.h5");
    await h5wasm.ready;
    const other = new H5File(secret, "w");
    other.create_dataset({ name: "barcodes", data: ["SECRET-1"] });
    other.close();
    await matrix((h5) => h5.create_external_link(secret, "/barcodes", "matrix/barcodes"));
    const read: string[] = [];
    const keep = (barcodes: string[]): Uint8Array => {
      read.push(...barcodes);
      return new Uint8Array(barcodes.length).fill(1);
    };
    expect(await refusal(readH5Matrix(path(), { keep }))).toMatch(/lacks its barcodes/);
    expect(read).toEqual([]);
  });

  it("does not affect files that are read after it", async () => {
    const barcodes = { name: "barcodes", data: ["AAAC-1"] };
    await matrix((h5) => void (h5.get("matrix") as H5File).create_dataset(barcodes));
    const good = await readFile(path());
    const broken = join(folder, "broken.h5");
    // With these, HDF5 aborts, reads outside its memory, and runs forever.
    for (const at of [2080, 2096, 2112]) {
      const bytes = Buffer.from(good);
      bytes.fill(255, at, at + 16);
      await writeFile(broken, bytes);
      expect(await refusal(readH5Matrix(broken, keepAll))).toMatch(/is damaged/);
    }
    expect((await readH5Matrix(path(), keepAll)).barcode).toEqual(["AAAC-1"]);
  });

  it("with numbers instead of names is rejected", async () => {
    await matrix((h5) =>
      (h5.get("matrix") as H5File).create_dataset({ name: "barcodes", data: new Int32Array([7]) }),
    );
    expect(await refusal(readH5Matrix(path(), keepAll))).toMatch(/lacks its barcodes/);
  });
});

it("quoted text from a file can neither control a terminal nor flood a log", async () => {
  const line = `\u001b[2J${"A".repeat(5_000)},1,0,0,x,0\n`;
  const path = await file("tissue_positions.csv", line);
  const said = await refusal(readPositions({ format: "csv", path }));
  expect(said).not.toMatch(/\p{Cc}/u);
  expect(said.length).toBeLessThanOrEqual(600);
  expect(said).toMatch(/in line 1 .*: correct this row, or copy the table from .*\.$/);
});

it("a count table with a hundred thousand or more names is read or rejected", async () => {
  const spots = "x\ty\tpixel_x\tpixel_y\n1\t2\t10\t20\n2\t2\t30\t20\n";
  const coordinates = await readCoordinates(await file("spot_coordinates.tsv", spots));
  const names = Array.from({ length: 200_000 }, (_, i) => `G${i}`).join("\t");
  const options = { coordinates, positionsFile: "spot_coordinates.tsv", warn: () => undefined };
  const reading = readCountTable(await file("counts.tsv", `${names}\n1x2\t1\n`), options);
  expect(await refusal(reading)).toMatch(/^counts\.tsv has 1 counts in line 2, but 200000 names/);
});

describe("hostile Parquet", { timeout: 10_000 }, () => {
  const rows = 50;
  const numbers = (from: number): number[] => Array.from({ length: rows }, (_, i) => from + i);
  function positions(codec: "SNAPPY" | "UNCOMPRESSED" = "SNAPPY"): Buffer {
    return Buffer.from(
      parquetWriteBuffer({
        codec,
        columnData: [
          { name: "barcode", data: numbers(0).map((i) => `s_${i}-1`), type: "STRING" },
          ...["in_tissue", "array_row", "array_col"].map((name, i) => ({
            name,
            data: i === 0 ? numbers(0).map(() => 1) : numbers(1),
            type: "INT32" as const,
          })),
          ...["pxl_row_in_fullres", "pxl_col_in_fullres"].map((name) => ({
            name,
            data: numbers(0.5),
            type: "DOUBLE" as const,
          })),
        ],
      }),
    );
  }
  const read = async (bytes: Uint8Array): Promise<string> =>
    refusal(
      readPositions({ format: "parquet", path: await file("tissue_positions.parquet", bytes) }),
    );

  it("that announces more rows than it has is rejected", async () => {
    const bytes = positions();
    const path = await file("tissue_positions.parquet", bytes);
    expect((await readPositions({ format: "parquet", path })).barcode).toHaveLength(rows);
    // The footer's own number of rows: 50 as a zigzag number, after the schema.
    const length = bytes.readUInt32LE(bytes.length - 8);
    const footer = bytes.subarray(bytes.length - 8 - length);
    for (let at = footer.indexOf(100); at >= 0; at = footer.indexOf(100, at + 1)) {
      const lie = Buffer.from(bytes);
      lie[bytes.length - 8 - length + at] = 98;
      const path = await file("tissue_positions.parquet", lie);
      const outcome = await readPositions({ format: "parquet", path }).catch((e: unknown) => e);
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(InputError);
      else expect((outcome as { barcode: string[] }).barcode.length).toBeLessThanOrEqual(rows);
    }
  });

  it("with values outside of their declared bounds, or another checksum, is rejected", async () => {
    const bytes = positions("UNCOMPRESSED");
    // The only value of 20.5 in the second column of pixels: the last of its kind in the file.
    const value = Buffer.from(Float64Array.of(20.5).buffer);
    const at = bytes.lastIndexOf(value);
    bytes.writeDoubleLE(20_500, at);
    expect(await read(bytes)).toMatch(/probably damaged/);
    // Written by pyarrow 26 with checksums of pages, without bounds.
    const checked = await readFile(join(import.meta.dirname, "testing/checked-pages.parquet"));
    const path = await file("tissue_positions.parquet", checked);
    expect((await readPositions({ format: "parquet", path })).x[1]).toBe(229.5);
    const place = checked.lastIndexOf(Buffer.from(Float64Array.of(229.5).buffer));
    checked.writeDoubleLE(230.5, place);
    expect(await read(checked)).toMatch(/probably damaged/);
  });

  it("with an endless list or number in its footer is rejected", async () => {
    const bomb = (footer: Buffer): Buffer => {
      const end = Buffer.alloc(8);
      end.writeUInt32LE(footer.length, 0);
      end.write("PAR1", 4, "latin1");
      return Buffer.concat([Buffer.from("PAR1"), footer, end]);
    };
    // Lists of 30 million nested lists, 7 bytes each.
    const lists = Buffer.from("19f980e1eb0e".padEnd(12, "0"), "hex");
    expect(await read(bomb(Buffer.concat(new Array<Buffer>(50).fill(lists))))).toMatch(
      /probably damaged/,
    );
    expect(await read(bomb(Buffer.concat([Buffer.of(0x16), Buffer.alloc(4 * MIB, 0x80)])))).toMatch(
      /probably damaged/,
    );
  });

  it("with pages that lack a length is rejected at once", async () => {
    const bytes = positions();
    let refused = 0;
    // 0x15 starts a number in a page header; 0x05 turns it into another field.
    for (let at = bytes.indexOf(0x15); at >= 0; at = bytes.indexOf(0x15, at + 1)) {
      const lie = Buffer.from(bytes);
      lie[at] = 0x05;
      const path = await file("tissue_positions.parquet", lie);
      const outcome = await readPositions({ format: "parquet", path }).catch((e: unknown) => e);
      if (!(outcome instanceof Error)) continue;
      expect(outcome).toBeInstanceOf(InputError);
      refused++;
    }
    expect(refused).toBeGreaterThan(10);
  });

  it("with a run of more values than its page has is rejected", () => {
    const runs = (...bytes: number[]): (() => void) => {
      const end = bytes.length;
      return () => requireSoundRuns(Uint8Array.from(bytes), { at: 0, end, bits: 1, values: 50 });
    };
    // 50 ones; 56 packed bits; a billion ones.
    expect(runs(100, 1)).not.toThrow();
    expect(runs(15, 1, 2, 3, 4, 5, 6, 7)).not.toThrow();
    expect(runs(0x80, 0xa8, 0xd6, 0xb9, 0x07, 1)).toThrow(/a run of/);
    expect(runs(0xff)).toThrow(/without a length/);
  });

  it("truncated to its beginning is rejected", async () => {
    const path = await file("tissue_positions.parquet", positions());
    await truncate(path, 8);
    expect(await refusal(readPositions({ format: "parquet", path }))).toMatch(/probably damaged/);
  });
});
