import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stepFolder, type ViewerManifest } from "@stipple/contract";
import { FIELDS, type Field, type StoredKey } from "@stipple/pipeline/fields";
import { writeField } from "@stipple/pipeline/results";
import { writeGeneMajorCounts } from "@stipple/pipeline/internal/steps/6-projection-analysis/viewer/gene-major-counts";
import { viewerFolder } from "@stipple/pipeline/view";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ViewedCopies } from "./viewed-copies.ts";
import { openViewerComputing } from "./viewer-computing.ts";

const [CELLS, GENES, HELD] = [40_000, 1500, 100];
const SPOTS = 100;
let results: string;
const half = new Uint8Array(CELLS / 8).fill(0b01010101);
const comparison = { kind: "compare", a: half, b: null } as const;
const viewed = { projectId: "one", stamp: "1" };
const copies: ViewedCopies = { using: (_, work) => work(results) };
const never = new AbortController().signal;

/** Input of a comparison, for a sample that keeps a thread busy for a second or more. */
beforeAll(async () => {
  results = await mkdtemp(join(tmpdir(), "stipple-computing-"));
  const folder = viewerFolder(results);
  await mkdir(folder, { recursive: true });
  const gene = (entry: number): number => (entry % HELD) * (GENES / HELD) + (entry % 7);
  await writeGeneMajorCounts(folder, {
    nRows: CELLS,
    nCols: GENES,
    indptr: Uint32Array.from({ length: CELLS + 1 }, (_, cell) => cell * HELD),
    indices: Uint32Array.from({ length: CELLS * HELD }, (_, entry) => gene(entry)),
    data: new Float32Array(CELLS * HELD).fill(1),
  });
  const columns = {
    "cells.total_counts": new Float32Array(CELLS).fill(HELD),
    "cells.observed": new Uint8Array(CELLS).fill(1),
    "genes.reliable": new Uint8Array(GENES).fill(1),
  };
  for (const [name, values] of Object.entries(columns)) await writeFile(join(folder, name), values);
  await writeSpots();
  const manifest: ViewerManifest = {
    version: 2,
    widthPx: 100,
    heightPx: 100,
    micronsPerPixel: 0.5,
    nCells: CELLS,
    nSpots: 0,
    spotRadiusPx: 1,
    binSidePx: null,
    binAngle: 0,
    types: [],
    clusters: [],
    domains: [],
    spotClusters: [],
    genes: Array.from({ length: GENES }, (_, index) => `Gene${index}`),
    tissue: { tileSize: 512, overlap: 0, format: "jpeg", widthPx: 100, heightPx: 100, scale: 1 },
    channels: null,
    polygonTiles: { file: "none", tileSidePx: 100, columns: 1, rows: 1 },
    columns: {
      "cells.total_counts": { file: "cells.total_counts", dtype: "float32", length: CELLS },
      "cells.observed": { file: "cells.observed", dtype: "uint8", length: CELLS },
      "genes.reliable": { file: "genes.reliable", dtype: "uint8", length: GENES },
    },
  };
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
});
afterAll(() => rm(results, { recursive: true }));

/** Each cell is in one spot, and each gene is counted once in every spot. */
async function writeSpots(): Promise<void> {
  const put = async <K extends StoredKey>(key: K, value: Field<K>): Promise<void> => {
    const folder = join(results, stepFolder(FIELDS[key].step));
    await mkdir(folder, { recursive: true });
    await writeField(folder, key, value);
  };
  const sparse = (nRows: number, nCols: number, perRow: number, of: (entry: number) => number) => ({
    nRows,
    nCols,
    indptr: Uint32Array.from({ length: nRows + 1 }, (_, row) => row * perRow),
    indices: Uint32Array.from({ length: nRows * perRow }, (_, entry) => of(entry)),
    data: new Float32Array(nRows * perRow).fill(1),
  });
  const perSpot = CELLS / SPOTS;
  await put(
    "spots/cells",
    sparse(SPOTS, CELLS, perSpot, (entry) => entry),
  );
  await put(
    "genes/spots",
    sparse(GENES, SPOTS, SPOTS, (entry) => entry % SPOTS),
  );
  await put("spots/xy", {
    nRows: SPOTS,
    nCols: 2,
    data: Float64Array.from({ length: 2 * SPOTS }, (_, at) => 100 * at),
  });
  await put("sample/scale", {
    micronsPerPixel: 0.5,
    pitchUm: 100,
    spotSizeUm: 55,
    spotShape: "disc",
    source: "array_pitch",
    residualPx: null,
    warnings: [],
  });
}

it("reports a comparison's progress", async () => {
  await using computing = openViewerComputing(copies);
  const heard: number[] = [];
  await computing.slow(viewed, comparison, never, (done) => heard.push(done));
  expect(heard[0]).toBe(0);
  expect(heard.length).toBeGreaterThan(1);
  expect(heard).toEqual(heard.toSorted((a, b) => a - b));
  expect(heard.at(-1)).toBeLessThan(1);
});

it("stops the thread of a canceled comparison, and lets the next one start", async () => {
  await using computing = openViewerComputing(copies);
  const leaving = new AbortController();
  const left = computing.slow(viewed, comparison, leaving.signal, () => leaving.abort());
  // Each project runs one comparison at a time, and a turn ends when its thread has exited.
  const begun = Promise.withResolvers<void>();
  const next = computing.slow(viewed, comparison, never, () => begun.resolve());
  await expect(left).rejects.toThrow("canceled");
  await begun.promise;
  expect((await next).cells_a).toBe(20_000);
});
