import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CELL_MEASURES, type ViewerColumn, type ViewerManifest } from "@stipple/contract";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SampleFiles } from "../../readers/sample-files.ts";
import { writeTestTiff } from "@stipple/formats/tiff/testing/write-tiff";
import { readResult } from "../../store/results-folder.ts";
import { runStepOn } from "../../store/testing/run-step-on.ts";
import { writeSimulatedResults } from "../../store/testing/simulated-results.ts";
import {
  openViewer,
  readViewerManifest,
  UnknownGeneError,
  viewerFolder,
} from "../../viewer-data.ts";
import { step as projectionAnalysis } from "./step.ts";

const N_CELLS = 200;
const BYTES = { float32: 4, uint32: 4, uint16: 2, uint8: 1 };

let folder: string;
let results: string;
let files: SampleFiles;
let manifest: ViewerManifest;
let outcome: Awaited<ReturnType<typeof runStepOn>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-step6-"));
  ({ results, files } = await writeSimulatedResults(folder, {
    cells: N_CELLS,
    spots: 20,
    genes: 50,
  }));
  outcome = await runStepOn(projectionAnalysis, results, files, {
    params: { figureSidePx: 400, geneFigures: 4 },
  });
  manifest = await readViewerManifest(results);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function column(name: ViewerColumn): Promise<number[]> {
  const { file, dtype } = manifest.columns[name]!;
  const { buffer } = await readFile(join(viewerFolder(results), file));
  return [...(dtype === "uint32" ? new Uint32Array(buffer) : new Float32Array(buffer))];
}

async function pixelsOf(path: string): Promise<{ data: Buffer; width: number; height: number }> {
  const { data, info } = await sharp(path)
    .toColourspace("srgb")
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

function countColor(data: Buffer, [r, g, b]: readonly number[]): number {
  let count = 0;
  for (let at = 0; at < data.length; at += 3) {
    const off = Math.max(
      Math.abs(data[at] - r),
      Math.abs(data[at + 1] - g),
      Math.abs(data[at + 2] - b),
    );
    if (off <= 3) count++;
  }
  return count;
}

describe("figures", () => {
  it("draws every cell in the color of its type over the tissue", async () => {
    const { data, width, height } = await pixelsOf(
      join(results, "figures/showspatial_celltypes.png"),
    );
    expect(width).toBeGreaterThan(400);
    expect(height).toBeGreaterThan(400);
    // At 0.4 figure px per image px, cells have a radius of 10 image px: about 40 solid pixels for each of some
    // 50 cells per type.
    expect(countColor(data, [0, 0x72, 0xb2])).toBeGreaterThan(300);
    expect(countColor(data, [0, 0x9e, 0x73])).toBeGreaterThan(300);
    // The faded tissue, halfway between its color and white.
    expect(countColor(data, [0xec, 0xd4, 0xe4])).toBeGreaterThan(50_000);
  });

  it.each(["umap_celltypes", "umap_clusters", "celltype_composition"])(
    "%s is not blank",
    async (name) => {
      const { data, width } = await pixelsOf(join(results, `figures/${name}.png`));
      expect(width).toBeGreaterThan(1000);
      let colored = 0;
      for (let at = 0; at < data.length; at += 3) {
        const [r, g, b] = data.subarray(at, at + 3);
        if (Math.max(r, g, b) - Math.min(r, g, b) > 60) colored++;
      }
      expect(colored).toBeGreaterThan(2000);
      expect((await stat(join(results, `figures/${name}.svg`))).size).toBeGreaterThan(1000);
    },
  );

  it("draws one gene for each of the largest types, of which Unknown is none", () => {
    expect(outcome.log.at(-1)!.match(/spatial_Gene\d+/g)).toHaveLength(3);
  });

  it("reports progress to the end without going back", () => {
    expect(outcome.fractions.at(-1)).toBe(1);
    expect(outcome.fractions).toEqual([...outcome.fractions].sort((a, b) => a - b));
  });
});

describe("viewer", () => {
  it("describes columns of the right length", async () => {
    expect(manifest.nCells).toBe(N_CELLS);
    expect(manifest.types.reduce((sum, type) => sum + type.count, 0)).toBe(N_CELLS);
    expect(manifest.spotRadiusPx).toBe(55);
    expect(manifest).toMatchObject({ binSidePx: null, domains: [], channels: null });
    expect(manifest.spotClusters.map(({ count }) => count)).toEqual([5, 5, 5, 5]);
    for (const [name, { file, dtype, length }] of Object.entries(manifest.columns)) {
      const { nCells, nSpots } = manifest;
      const rows = { cells: nCells, spots: nSpots, genes: manifest.genes.length }[
        name.split(".")[0]
      ];
      const width = /xy|umap/.test(name) ? 2 : 1;
      if (rows !== undefined) expect([name, length]).toEqual([name, width * rows]);
      expect((await stat(join(viewerFolder(results), file))).size).toBe(length * BYTES[dtype]);
    }
    expect(Object.keys(manifest.columns)).toEqual(expect.arrayContaining([...CELL_MEASURES]));
  });

  it("sums counts by cell and by gene", async () => {
    const counts = await readResult(results, "cells/counts");
    const cell = 4;
    const row = counts.data.subarray(counts.indptr[cell], counts.indptr[cell + 1]);
    expect((await column("cells.total_counts"))[cell]).toBe(row.reduce((a, b) => a + b, 0));
    expect((await column("cells.n_genes"))[cell]).toBe(row.length);
    const bySpots = await readResult(results, "spots/total_counts");
    const genes = await column("genes.total_counts");
    expect(genes.reduce((a, b) => a + b)).toBe(bySpots.reduce((a, b) => a + b));
    const spots = await (await openViewer(results)).spotGene("Gene7");
    expect(spots.reduce((a, b) => a + b)).toBe(genes[7]);
  });

  it("finds a cell's outline in the tile of its center", async () => {
    const { file, tileSidePx, columns, rows } = manifest.polygonTiles;
    const bytes = (await readFile(join(viewerFolder(results), file))).buffer;
    const offsets = await column("polygons.offsets");
    expect(offsets.length).toBe(columns * rows + 1);
    expect(offsets.at(-1)).toBe(bytes.byteLength);
    const { xy, offsets: first } = await readResult(results, "cells/polygon");
    const centers = await column("cells.xy");
    const found: number[] = [];
    for (let tile = 0; tile < columns * rows; tile++) {
      const [n] = new Uint32Array(bytes, offsets[tile], 1);
      const cells = new Uint32Array(bytes, offsets[tile] + 4, n);
      const corners = new Uint32Array(bytes, offsets[tile] + 4 + 4 * n, n + 1);
      const points = new Float32Array(bytes, offsets[tile] + 8 + 8 * n, 2 * corners[n]);
      expect(offsets[tile] + 8 + 8 * n + points.byteLength).toBe(offsets[tile + 1]);
      cells.forEach((cell, at) => {
        expect(points.subarray(2 * corners[at], 2 * corners[at + 1])).toEqual(
          xy.subarray(2 * first[cell], 2 * first[cell + 1]),
        );
        expect(Math.floor(centers[2 * cell] / tileSidePx)).toBe(tile % columns);
        expect(Math.floor(centers[2 * cell + 1] / tileSidePx)).toBe(Math.floor(tile / columns));
        found.push(cell);
      });
    }
    // The last cell has no outline.
    expect(found.sort((a, b) => a - b)).toEqual(Array.from({ length: N_CELLS - 1 }, (_, c) => c));
  });

  it("cuts the tissue into tiles down to one pixel", async () => {
    const { tissue } = manifest;
    expect(tissue).toMatchObject({ widthPx: 1000, heightPx: 1000, scale: 1, format: "jpeg" });
    const level = Math.ceil(Math.log2(tissue.widthPx));
    const tile = (name: string) => pixelsOf(join(viewerFolder(results), "tissue_files", name));
    expect(await tile(`${level}/1_1.jpeg`)).toMatchObject({ width: 488, height: 488 });
    expect(await tile("0/0_0.jpeg")).toMatchObject({ width: 1, height: 1 });
  });

  it("gives the counts of one gene exactly as in the matrix", async () => {
    const counts = await readResult(results, "cells/counts");
    const column = await (await openViewer(results)).gene("Gene7", "counts");
    const expected = new Float32Array(N_CELLS);
    for (let cell = 0; cell < N_CELLS; cell++) {
      for (let k = counts.indptr[cell]; k < counts.indptr[cell + 1]; k++) {
        if (counts.indices[k] === 7) expected[cell] = counts.data[k];
      }
    }
    expect(column).toEqual(expected);
    expect(Math.max(...column)).toBeGreaterThan(0);
  });

  it("gives the rate M·B, adjusted by the nearby spots' residuals", async () => {
    const [m, b, e, spots, near, weight] = await Promise.all([
      readResult(results, "cells/membership"),
      readResult(results, "genes/profile"),
      readResult(results, "spots/exposure"),
      readResult(results, "spots/counts"),
      readResult(results, "cells/near_spot"),
      readResult(results, "cells/near_weight"),
    ]);
    const gene = 7;
    const dot = (row: number, rows: typeof m): number => {
      let sum = 0;
      for (let j = 0; j < rows.nCols; j++) {
        sum += rows.data[row * rows.nCols + j] * b.data[j * b.nCols + gene];
      }
      return sum;
    };
    const observed = (spot: number): number => {
      for (let k = spots.indptr[spot]; k < spots.indptr[spot + 1]; k++) {
        if (spots.indices[k] === gene) return spots.data[k];
      }
      return 0;
    };
    const column = await (await openViewer(results)).gene("Gene7", "rate");
    for (let cell = 0; cell < N_CELLS; cell += 17) {
      let [above, below] = [10, 10];
      for (let n = cell * near.nCols; n < (cell + 1) * near.nCols; n++) {
        const spot = near.data[n];
        above += weight.data[n] * observed(spot);
        below += weight.data[n] * dot(spot, e);
      }
      expect(column[cell]).toBeCloseTo((dot(cell, m) * above) / below, 4);
    }
  });

  it("reports which gene is unknown", async () => {
    const viewer = await openViewer(results);
    await expect(viewer.gene("Nope1", "rate")).rejects.toBeInstanceOf(UnknownGeneError);
    await expect(viewer.score(["Gene1", "Nope1", "Nope2"], "rate")).rejects.toThrow(
      "There are no genes named Nope1, Nope2 in this sample.",
    );
  });

  it("keeps the manifest small enough to load first", async () => {
    const text = await readFile(join(viewerFolder(results), "manifest.json"), "utf8");
    expect(text.length).toBeLessThan(5000);
  });
});

describe("fluorescence image", () => {
  it("is also written channel by channel", async () => {
    const sample = await writeSimulatedResults(join(folder, "if"), {
      cells: 60,
      spots: 10,
      genes: 20,
    });
    const image = join(folder, "channels.tif");
    await writeTestTiff(
      image,
      ["DAPI", "NeuN"].map((pageName, channel) => ({
        width: 1000,
        height: 1000,
        samples: 1,
        pageName,
        data: Uint16Array.from({ length: 1e6 }, (_, i) => (channel + 1) * (i % 1000)),
      })),
    );
    await runStepOn(
      projectionAnalysis,
      sample.results,
      { ...sample.files, image },
      { params: { figureSidePx: 200, geneFigures: 0 }, settings: { staining: "if" } },
    );
    const { channels, tissue } = await readViewerManifest(sample.results);
    expect(channels).toMatchObject({
      path: "channels.ome.zarr",
      dtype: "uint16",
      channels: [{ name: "DAPI", low: 10, high: 998 }, { name: "NeuN" }],
    });
    expect(tissue).toMatchObject({ widthPx: 1000, heightPx: 1000, format: "jpeg" });
    const zarr = join(viewerFolder(sample.results), channels!.path);
    expect(JSON.parse(await readFile(join(zarr, "0/.zarray"), "utf8")).shape).toEqual([
      2, 1000, 1000,
    ]);
  });
});
