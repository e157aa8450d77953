import { mkdir, mkdtemp, readdir, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { stepFolder } from "@stipple/contract";
import { readField, writeField } from "./field-store.ts";
import { openSparseRows } from "./sparse-rows.ts";

/** Files in a folder that this process has open (on Linux; otherwise none). */
async function openBelow(folder: string): Promise<string[]> {
  const numbers = await readdir("/proc/self/fd").catch(() => []);
  const paths = numbers.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => ""));
  return (await Promise.all(paths)).filter((path) => path.startsWith(folder));
}

it("reads fields into shared memory, and keeps files open only while reading rows, so that they may change or disappear", async () => {
  const results = await mkdtemp(join(tmpdir(), "stipple-rows-"));
  try {
    const folder = join(results, stepFolder(0));
    await mkdir(folder);
    const counts = (first: number) => ({
      nRows: 3,
      nCols: 4,
      indptr: Uint32Array.of(0, 2, 2, 3),
      indices: Uint32Array.of(0, 3, 1),
      data: Float32Array.of(first, 7, 5),
    });
    await writeField(folder, "spots/counts", counts(2));
    const rows = await openSparseRows(results, "spots/counts");
    expect([rows.nRows, rows.nCols]).toEqual([3, 4]);
    expect(rows.row(0)).toEqual({ indices: Uint32Array.of(0, 3), data: Float32Array.of(2, 7) });
    expect(rows.row(1).indices).toHaveLength(0);
    expect(rows.row(2)).toEqual({ indices: Uint32Array.of(1), data: Float32Array.of(5) });
    const shared = await readField(folder, "spots/counts", { shared: true });
    expect(shared).toEqual(await readField(folder, "spots/counts"));
    expect(shared.data.buffer).toBeInstanceOf(SharedArrayBuffer);
    await setImmediate();
    expect(await openBelow(results)).toEqual([]);
    await rm(folder, { recursive: true });
    await mkdir(folder);
    await writeField(folder, "spots/counts", counts(9));
    expect(rows.row(0).data).toEqual(Float32Array.of(9, 7));
    await setImmediate();
    expect(await openBelow(results)).toEqual([]);
  } finally {
    await rm(results, { recursive: true, force: true });
  }
});
