import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import h5wasm, { type Dataset, File as H5File } from "h5wasm/node";
import { afterAll, beforeAll, expect, it } from "vitest";
import { packedChunks } from "@stipple/formats/hdf5/packed-chunks";
import { WholeNumbers } from "@stipple/formats/hdf5/numbers";
import { readH5Matrix } from "./space-ranger/read-h5-matrix.ts";

/**
 * Written by h5py 3.16 in the layout of Space Ranger's own writer (gzip, shuffle, int32 counts, int64 indices),
 * but with chunks of 9,000 instead of 80,000: 25,000 counts of 5 barcodes.
 */
const FIXTURE = join(import.meta.dirname, "testing/space-ranger-chunks.h5");
const [N, PER_ROW] = [25_000, 5000];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-numbers-"));
  await h5wasm.ready;
});
afterAll(() => rm(folder, { recursive: true }));

/** The content of parts of a dataset, and whether its chunks were found. */
async function pieces(
  path: string,
  name: string,
  ranges: [number, number][],
): Promise<{ found: boolean; read: number[][]; byHdf5: number[][] }> {
  const file = await open(path);
  const h5 = new H5File(path, "r");
  try {
    const dataset = h5.get(name) as Dataset;
    const numbers = new WholeNumbers(dataset, file);
    const read: number[][] = [];
    const byHdf5: number[][] = [];
    for (const [start, end] of ranges) {
      const { numbers: values, stride } = await numbers.read(start, end);
      read.push(Array.from({ length: end - start }, (_, i) => values[i * stride]));
      byHdf5.push(Array.from(dataset.slice([[start, end]]) as Int32Array, Number));
    }
    return { found: (await packedChunks(dataset, file)) !== null, read, byHdf5 };
  } finally {
    h5.close();
    await file.close();
  }
}

/** Whole chunks, consecutive parts of a chunk, and ranges across chunk boundaries. */
const RANGES: [number, number][] = [
  [0, 9000],
  [9000, N],
  [0, N],
  [100, 200],
  [200, 9100],
  [9100, 18_000],
  [17_999, N],
];

it.each(["matrix/data", "matrix/indices"])(
  "unpacks the chunks of %s as HDF5 does",
  async (name) => {
    const { found, read, byHdf5 } = await pieces(FIXTURE, name, RANGES);
    expect(found).toBe(true);
    expect(read).toEqual(byHdf5);
  },
);

/** Written by h5py 3.16 in the same layout, each dataset by its name, 20,000 numbers. */
const SHUFFLED = join(import.meta.dirname, "testing/shuffled-numbers.h5");

it.each<[string, (k: number) => number]>([
  ["one byte", (k) => k % 200],
  ["two bytes", (k) => (k % 100) * 300],
  ["three bytes", (k) => (k % 100) * 70_000],
  ["four bytes", (k) => (k % 100) * 40_000_000],
  ["below zero", (k) => (k % 100) - 50],
  ["the last of a chunk", (k) => (k % 9000 === 8999 ? 1 << 16 : 1)],
  ["wide", (k) => (k % 100) * 20_000_000],
])("puts shuffled bytes together: %s", async (name, value) => {
  const ranges: [number, number][] = [
    [0, 9000],
    [8000, 20_000],
    [8999, 9000],
  ];
  const { found, read } = await pieces(SHUFFLED, name, ranges);
  expect(found).toBe(true);
  expect(read).toEqual(
    ranges.map(([start, end]) => Array.from({ length: end - start }, (_, i) => value(start + i))),
  );
});

it("reads counts as written by Space Ranger", async () => {
  const { counts } = await readH5Matrix(FIXTURE, {
    keep: (barcodes) => Uint8Array.from(barcodes, (_, i) => (i === 3 ? 0 : 1)),
  });
  const rows = [0, 1, 2, 4];
  expect([...counts.indptr]).toEqual([0, 1, 2, 3, 4].map((row) => row * PER_ROW));
  const place = (k: number): number => rows[Math.floor(k / PER_ROW)] * PER_ROW + (k % PER_ROW);
  const expected = (value: (k: number) => number): number[] =>
    Array.from({ length: 4 * PER_ROW }, (_, k) => value(place(k)));
  expect([...counts.indices]).toEqual(expected((k) => (k % 5000) + Math.floor(k / 5000) * 100));
  expect([...counts.data]).toEqual(expected((k) => 1 + ((k * k) % 7)));
});

it.each(["<i", "<I", "<q", "<Q"])("unpacks unshuffled chunks of %s", async (dtype) => {
  const path = join(folder, "unshuffled.h5");
  const values = Array.from({ length: N }, (_, k) => (k * 7919) % 30_011);
  const wide = dtype.toLowerCase() === "<q";
  const file = new H5File(path, "w", { libver: ["earliest", "latest"] });
  file.create_dataset({
    name: "numbers",
    data: wide ? BigInt64Array.from(values, BigInt) : Int32Array.from(values),
    dtype,
    shape: [N],
    chunks: [9000],
    compression: 4,
  });
  file.close();
  const { found, read } = await pieces(path, "numbers", RANGES);
  expect(found).toBe(true);
  expect(read).toEqual(RANGES.map(([start, end]) => values.slice(start, end)));
});

it.each([{}, { chunks: [9000], compression: 4 }])(
  "reads 64-bit integers between 2³¹ and 2³² as they are: %j",
  async (storage) => {
    const path = join(folder, "large.h5");
    const values = Array.from({ length: N }, (_, k) => 2 ** 31 + k);
    const file = new H5File(path, "w", { libver: ["earliest", "latest"] });
    const data = BigInt64Array.from(values, BigInt);
    file.create_dataset({ name: "numbers", data, shape: [N], ...storage });
    file.close();
    const { read } = await pieces(path, "numbers", [[8990, 9010]]);
    expect(read).toEqual([values.slice(8990, 9010)]);
  },
);

it("leaves unknown formats to HDF5", async () => {
  const path = join(folder, "others.h5");
  const numbers = Int32Array.from({ length: N }, (_, k) => k);
  const file = new H5File(path, "w", { libver: ["earliest", "latest"] });
  const put = (name: string, options: Record<string, unknown>): void =>
    void file.create_dataset({ name, data: numbers, shape: [N], ...options });
  put("contiguous", {});
  put("plain", { chunks: [9000] });
  put("small", { chunks: [100], compression: 4 });
  put("shuffled", { chunks: [9000], compression: 2, compression_opts: [4] });
  put("checked", { chunks: [9000], compression: 3, compression_opts: [] });
  file.create_dataset({
    name: "floats",
    data: Float32Array.from(numbers),
    shape: [N],
    chunks: [9000],
    compression: 4,
  });
  file.close();
  const latest = join(folder, "latest.h5");
  const other = new H5File(latest, "w");
  other.create_dataset({
    name: "newer",
    data: numbers,
    shape: [N],
    chunks: [9000],
    compression: 4,
  });
  other.close();
  for (const [where, name] of [
    ...["contiguous", "plain", "small", "shuffled", "checked", "floats"].map((each) => [
      path,
      each,
    ]),
    [latest, "newer"],
  ] as [string, string][]) {
    const { found, read } = await pieces(where, name, [[8990, 9010]]);
    expect(found, name).toBe(false);
    expect(read[0], name).toEqual([...numbers.subarray(8990, 9010)]);
  }
});

it("leaves a damaged index to HDF5, and rejects damaged chunks", async () => {
  const whole = await readFile(FIXTURE);
  const path = join(folder, "damaged.h5");
  const all = { keep: (barcodes: string[]) => new Uint8Array(barcodes.length).fill(1) };
  const file = await open(FIXTURE);
  const h5 = new H5File(FIXTURE, "r");
  const packed = await packedChunks(h5.get("matrix/indices") as Dataset, file);
  h5.close();
  await file.close();
  // The middle of a chunk of the indices that is not unpacked when checking the first and last elements.
  const { at, bytes } = packed!.places[1];
  const torn = Buffer.from(whole);
  torn.fill(0x55, at + (bytes >> 1), at + (bytes >> 1) + 8);
  await writeFile(path, torn);
  await expect(readH5Matrix(path, all)).rejects.toThrow(/is damaged/);
  let refused = 0;
  const left: boolean[] = [];
  for (let node = whole.indexOf("TREE"); node >= 0; node = whole.indexOf("TREE", node + 4)) {
    if (whole[node + 4] !== 1) continue;
    // A node that is its own child.
    const loop = Buffer.from(whole);
    loop[node + 5] = 3;
    loop.writeBigUInt64LE(BigInt(node), node + 48);
    await writeFile(path, loop);
    refused += await readH5Matrix(path, all).then(
      () => 0,
      () => 1,
    );
    for (const name of ["data", "indices"]) {
      const { found } = await pieces(path, `matrix/${name}`, []);
      left.push(found);
    }
  }
  expect(refused).toBeGreaterThan(0);
  expect(left.filter((found) => !found)).toHaveLength(2);
});
