import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { streamFineBins } from "./hd-visium/read-fine-bins.ts";
import {
  type Dataset,
  type Group,
  H5File,
  HDF5Error,
  openLibrary,
} from "@stipple/formats/hdf5/library";
import { openH5 } from "@stipple/formats/hdf5/open-h5";
import { readH5Matrix, readH5Outline } from "./space-ranger/read-h5-matrix.ts";
import { damageChunk, forgeFilter, storedChunks } from "@stipple/formats/hdf5/testing/forge-hdf5";

const N_SPOTS = 30;
const N_GENES = 50;
const EACH = 20;
const NAME = "filtered_feature_bc_matrix.h5";
const keepAll = { keep: (barcodes: string[]) => new Uint8Array(barcodes.length).fill(1) };
const GZIP = { compression: 4 };
const FLETCHER = { compression: 3, compression_opts: [] as number[] };
const PLAIN = {};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-failures-"));
  await openLibrary();
});
afterAll(() => rm(folder, { recursive: true }));

/** Counts in small chunks, as h5py and R write small matrices, in the earliest format. */
function write(
  how: Record<string, unknown>,
  change: { indices?: (k: number) => number; data?: (k: number) => bigint; bins?: boolean } = {},
): string {
  const path = join(folder, NAME);
  const h5 = new H5File(path, "w", { libver: ["earliest", "latest"] });
  const group = h5.create_group("matrix");
  const put = (
    to: Group,
    name: string,
    data: unknown[] | ArrayLike<unknown>,
    dtype: string,
  ): void =>
    void to.create_dataset({
      name,
      data: data as number[],
      dtype,
      shape: [data.length],
      ...(how === PLAIN ? {} : { chunks: [Math.min(data.length, 100)], ...how }),
    });
  const list = <T>(n: number, of: (k: number) => T): T[] =>
    Array.from({ length: n }, (_, k) => of(k));
  const total = N_SPOTS * EACH;
  const barcode = (i: number): string =>
    change.bins ? `s_002um_00000_000${String(i).padStart(2, "0")}-1` : `ACGT${i}-1`;
  put(group, "barcodes", list(N_SPOTS, barcode), "S24");
  const data = list(total, change.data ?? ((k) => BigInt(1 + (k % 7))));
  put(group, "data", BigInt64Array.from(data), "<q");
  const indices = list(total, change.indices ?? ((k) => 2 * (k % EACH)));
  put(group, "indices", BigInt64Array.from(indices, BigInt), "<q");
  put(group, "indptr", BigInt64Array.from(list(N_SPOTS + 1, (i) => BigInt(i * EACH))), "<q");
  put(group, "shape", Int32Array.of(N_GENES, N_SPOTS), "<i");
  const features = h5.create_group("matrix/features");
  put(
    features,
    "id",
    list(N_GENES, (g) => `ENSG${g}`),
    "S12",
  );
  put(
    features,
    "name",
    list(N_GENES, (g) => `GENE${g}`),
    "S12",
  );
  put(
    features,
    "feature_type",
    list(N_GENES, () => "Gene Expression"),
    "S16",
  );
  h5.close();
  return path;
}

const sum = async (path: string): Promise<number> => {
  const { counts } = await readH5Matrix(path, keepAll);
  return counts.data.reduce((total, count) => total + count, 0);
};

describe("a failed read of counts", () => {
  it.each([
    ["gzip", GZIP],
    ["Fletcher32", FLETCHER],
  ])("in any chunk with a checksum (%s) is an error, never a count", async (_, how) => {
    const whole = join(folder, "whole.h5");
    await copyFile(write(how), whole);
    expect(await sum(whole)).toBe(
      Array.from({ length: N_SPOTS * EACH }, (_, k) => 1 + (k % 7)).reduce((a, b) => a + b),
    );
    const chunks = storedChunks(await readFile(whole));
    expect(chunks.length).toBeGreaterThan(15);
    // At least one of each dataset that has several; opening takes a while.
    for (const chunk of chunks.filter((_, i) => i % 3 === 1)) {
      const path = join(folder, NAME);
      await copyFile(whole, path);
      await damageChunk(path, chunk);
      await expect(readH5Matrix(path, keepAll)).rejects.toThrow(
        `${NAME} is damaged: copy or upload it again.`,
      );
    }
  });

  it("of a chunk that is missing from its index is no list of zeros", async () => {
    const file = await readFile(write(GZIP));
    const long: number[] = [];
    for (let at = file.indexOf("TREE"); at >= 0; at = file.indexOf("TREE", at + 4)) {
      const [isOfChunks, level, n] = [file[at + 4] === 1, file[at + 5], file.readUInt16LE(at + 6)];
      if (isOfChunks && level === 0 && n > 2) long.push(at);
    }
    expect(long.length).toBeGreaterThan(1);
    for (const at of long) {
      const path = join(folder, NAME);
      const shorter = Buffer.from(file);
      shorter.writeUInt16LE(file.readUInt16LE(at + 6) - 1, at + 6);
      await writeFile(path, shorter);
      await expect(readH5Matrix(path, keepAll)).rejects.toThrow(`${NAME} is damaged`);
    }
  });

  it("is one of h5wasm's own reads as well", async () => {
    const path = write(GZIP);
    for (const chunk of storedChunks(await readFile(path))) await damageChunk(path, chunk);
    const h5 = new H5File(path, "r");
    const read = (name: string): Dataset => h5.get(name) as Dataset;
    expect(() => read("matrix/data").value).toThrow(HDF5Error);
    expect(() => read("matrix/barcodes").slice([[3, 4]])).toThrow(HDF5Error);
    h5.close();
  });

  it("stops the fine bins of Visium HD", async () => {
    const path = write(GZIP, { bins: true });
    const bins = { begin: () => undefined, take: () => undefined };
    await streamFineBins(path, bins);
    await damageChunk(path, storedChunks(await readFile(path)).at(-1)!);
    await expect(streamFineBins(path, bins)).rejects.toThrow(`${NAME} is damaged`);
  });
});

it.each([
  [32_000, "LZF"],
  [32_001, "Blosc"],
  [32_004, "LZ4"],
  [32_008, "bitshuffle"],
  [32_015, "Zstandard"],
  [307, "bzip2"],
  [400, "HDF5 filter 400"],
])("a filter that HDF5 lacks here (%i) is named, with the remedy", async (id, name) => {
  const path = write(GZIP);
  await forgeFilter(path, ["matrix/data"], id);
  const message = `${NAME} is stored with ${name} compression, which cannot be read here: save it with gzip (h5repack -f GZIP=4 in.h5 out.h5).`;
  await expect(readH5Matrix(path, keepAll)).rejects.toThrow(message);
  // Before any count is asked for.
  await expect(readH5Outline(path)).rejects.toThrow(message);
});

it("leaves large chunks, as R makes one of each dataset, to the reader", async () => {
  const path = join(folder, "one-chunk.h5");
  const n = 9_000_000;
  const whole = { shape: [n], chunks: [n], dtype: "<i", ...GZIP };
  const h5 = new H5File(path, "w", { libver: ["earliest", "latest"] });
  h5.create_dataset({ name: "data", data: new Int32Array(n), ...whole });
  h5.close();
  await damageChunk(path, storedChunks(await readFile(path))[0]);
  const opened = await openH5(path);
  const data = opened.h5.get("data") as Dataset;
  expect(() => data.slice([[0, 1]])).toThrow(HDF5Error);
  opened.close();
});

it("looks at few of many chunks that take long to unpack", async () => {
  const path = join(folder, "many-chunks.h5");
  const n = 4_000_000;
  const whole = { shape: [n], chunks: [n], dtype: "<i", ...GZIP };
  const h5 = new H5File(path, "w", { libver: ["earliest", "latest"] });
  h5.create_dataset({ name: "data", data: new Int32Array(n), ...whole });
  for (let i = 0; i < 300; i++) h5.create_hard_link("/data", `layer${i}`);
  h5.close();
  (await openH5(path)).close();
});

it("does not call a file damaged that has a block before its content, as MATLAB writes", async () => {
  const path = write(GZIP);
  await writeFile(path, Buffer.concat([Buffer.alloc(512, "MATLAB 7.3 "), await readFile(path)]));
  await expect(readH5Matrix(path, keepAll)).rejects.toThrow(
    `${NAME} has a header of another program (such as MATLAB) before its HDF5 content: copy or download ${NAME} from Space Ranger's outs folder again.`,
  );
});

it("does not call floats of 16 bits damaged", async () => {
  const path = join(folder, "half.h5");
  const h5 = new H5File(path, "w", { libver: ["earliest", "latest"] });
  h5.create_dataset({ name: "data", data: Float32Array.of(1, 2) });
  h5.close();
  // Class and size, then precision, and places of exponent and mantissa.
  const single = Buffer.from("11201f000400000000002000170800177f000000", "hex");
  const half = Buffer.from("11200f0002000000000010000a05000a0f000000", "hex");
  const bytes = await readFile(path);
  half.copy(bytes, bytes.indexOf(single));
  await writeFile(path, bytes);
  const opened = await openH5(path);
  expect(opened.h5.get("data")).toMatchObject({ metadata: { type: 1, size: 2 } });
  opened.close();
});

it("does not cut a number to its lower half", async () => {
  const path = write(PLAIN, { data: (k) => (k === 77 ? 2n ** 33n + 1n : 1n) });
  await expect(readH5Matrix(path, keepAll)).rejects.toThrow(/8589934593/);
});

it("refuses a few genes out of order, but not a matrix that is not sorted", async () => {
  const reversed = (k: number): number => 2 * (EACH - 1 - (k % EACH));
  expect((await readH5Matrix(write(PLAIN, { indices: reversed }), keepAll)).counts.nRows).toBe(
    N_SPOTS,
  );
  const path = write(PLAIN, { indices: (k) => (k === 45 ? 47 : 2 * (k % EACH)) });
  await expect(readH5Matrix(path, keepAll)).rejects.toThrow(`${NAME} is damaged`);
});
