import { mkdtemp, open, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import * as h5wasm from "h5wasm/node";
import { afterAll, expect, it } from "vitest";
import { openTasks } from "@stipple/tasks/open-tasks";
import type { Tasks } from "@stipple/tasks/task";
import { Random } from "@stipple/numerics/random";
import { AnnDataFile } from "./anndata-file.ts";
import { CHUNK, ChunkSpool, type SpooledChunk } from "@stipple/formats/hdf5/write/chunk-spool";

const folder = await mkdtemp(join(tmpdir(), "stipple-chunks-"));
afterAll(() => rm(folder, { recursive: true }));
await h5wasm.ready;

it("writes matrices, with an index of several levels, that HDF5 can read back and keep writing to", async () => {
  const path = join(folder, "chunks.h5ad");
  const file = await AnnDataFile.create(path);
  file.group("layers");
  // More chunks than a node of the index holds, with the last one not full; appended alternately with another matrix.
  const [nRows, perRow] = [66, CHUNK + 5];
  const rate = file.csr("layers/rate", nRows, perRow, "<f");
  const few = file.csr("layers/few", nRows, perRow, "<i");
  const none = file.csr("layers/none", 2, perRow, "<f");
  const columns = Int32Array.from({ length: perRow }, (_, i) => i);
  const valueAt = (row: number, i: number): number => Math.fround(Math.sin(row + i) * 1e3);
  for (let row = 0; row < nRows; row++) {
    const values = Float32Array.from(columns, (i) => valueAt(row, i));
    await rate.append([perRow], columns, values);
    await few.append([1], Int32Array.of(row), Int32Array.of(-row));
  }
  await none.append([0, 0], new Int32Array(0), new Float32Array(0));
  for (const matrix of [few, none, rate]) await matrix.finish();
  await file.finish();
  expect(await readdir(folder)).toEqual(["chunks.h5ad"]);

  const read = new h5wasm.File(path, "a");
  const data = read.get("layers/rate/data") as h5wasm.Dataset;
  expect(data.filters.map(({ name }) => name)).toEqual(["shuffle", "deflate"]);
  const values = data.value as Float32Array;
  expect(values).toHaveLength(nRows * perRow);
  expect(values.every((value, at) => value === valueAt(Math.floor(at / perRow), at % perRow))).toBe(
    true,
  );
  expect(data.slice([[65 * perRow + 7, 65 * perRow + 9]])).toEqual(
    Float32Array.of(valueAt(65, 7), valueAt(65, 8)),
  );
  const indices = (read.get("layers/rate/indices") as h5wasm.Dataset).value as Int32Array;
  expect(indices.every((column, at) => column === at % perRow)).toBe(true);
  expect([...((read.get("layers/few/data") as h5wasm.Dataset).value as Int32Array)]).toEqual(
    Array.from({ length: nRows }, (_, row) => 0 - row),
  );
  expect((read.get("layers/none/data") as h5wasm.Dataset).shape).toEqual([0]);
  read.create_dataset({ name: "later", data: new Float32Array(9).fill(2), chunks: [4] });
  read.close();
  const again = new h5wasm.File(path, "r");
  expect((again.get("later") as h5wasm.Dataset).value).toEqual(new Float32Array(9).fill(2));
  expect((again.get("layers/few/indices") as h5wasm.Dataset).value).toEqual(
    Int32Array.from({ length: nRows }, (_, row) => row),
  );
  again.close();
});

it("gives the same bytes whether the caller or threads do the compression", async () => {
  await using threads = openTasks({ threads: 2 });
  const write = async (name: string, tasks: Tasks | null): Promise<[Buffer, SpooledChunk[]]> => {
    const spool = await ChunkSpool.create(join(folder, `${name}.chunks`), tasks);
    const chunks: SpooledChunk[] = [];
    const random = new Random(1);
    for (let i = 0; i < 9; i++) {
      const values = Float32Array.from({ length: CHUNK }, (_, j) => Math.sqrt(i * j));
      await spool.add(i % 3 === 0 ? Int32Array.from(values) : values, chunks, i % 3 === 0);
      // Compression enlarges noise.
      const noise = Uint32Array.from(values, () => random.below(2 ** 32));
      await spool.add(new Float32Array(noise.buffer), chunks, false);
    }
    const file = await open(join(folder, name), "w+");
    await spool.copyTo(file, 0);
    await file.close();
    await spool.close();
    return [await readFile(join(folder, name)), chunks];
  };
  const [bytes, chunks] = await write("caller", null);
  const [same, places] = await write("threads", threads);
  expect([same.equals(bytes), places]).toEqual([true, chunks]);
  expect(Math.max(...chunks.map((chunk) => chunk.bytes))).toBeGreaterThan(4 * CHUNK);
  for (const { at, bytes: length } of chunks) {
    expect(inflateSync(bytes.subarray(at, at + length))).toHaveLength(4 * CHUNK);
  }
});
