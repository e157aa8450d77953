import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { findSampleFiles } from "@stipple/pipeline/samples";
import h5wasm from "h5wasm/node";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readTruth, type KnownTissue } from "./read-truth.ts";
import { simulateTissue, type SimulatedTissue } from "./simulate-tissue.ts";

const SMALL = { sizeUm: 420, umPerPx: 0.6, nGenes: 320, seed: 5 };

describe("simulated tissue", () => {
  let folder: string;
  let tissue: SimulatedTissue;
  let known: KnownTissue;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "stipple-tissue-"));
    tissue = await simulateTissue({ ...SMALL, out: join(folder, "a") });
    known = await readTruth(tissue.truth);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("is the same for the same seed and different for another", async () => {
    const again = await simulateTissue({ ...SMALL, out: join(folder, "b") });
    expect(await digest(again.outs)).toEqual(await digest(tissue.outs));
    const other = await simulateTissue({ ...SMALL, seed: 6, out: join(folder, "c") });
    const changed = await digest(other.outs);
    for (const [name, hash] of Object.entries(await digest(tissue.outs))) {
      if (/matrix\.mtx|image\.tif|cells\.csv/.test(name)) expect(changed[name]).not.toBe(hash);
    }
  });

  it("counts in whole numbers, the same in both matrix formats", async () => {
    const mex = (await gunzip(join(tissue.outs, "filtered_feature_bc_matrix", "matrix.mtx.gz")))
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("%"))
      .map((line) => line.split(" ").map(Number));
    const [shape, ...entries] = mex;
    expect(shape).toEqual([tissue.nGenes, tissue.nSpots, entries.length]);
    const sum = entries.reduce((total, entry) => total + entry[2], 0);
    expect(sum).toBe(tissue.totalCounts);
    const wrong = entries.filter(
      ([gene, spot, count]) =>
        !(
          Number.isInteger(count) &&
          count > 0 &&
          gene >= 1 &&
          gene <= tissue.nGenes &&
          spot >= 1 &&
          spot <= tissue.nSpots
        ),
    );
    expect(wrong).toEqual([]);
    await h5wasm.ready;
    const file = new h5wasm.File(join(tissue.outs, "filtered_feature_bc_matrix.h5"), "r");
    const data = file.get("matrix/data") as InstanceType<typeof h5wasm.Dataset>;
    const values = data.value as Int32Array;
    expect(values.reduce((total, value) => total + value, 0)).toBe(tissue.totalCounts);
    file.close();
  });

  it("is detected as a Space Ranger sample whose spots lie on the image", async () => {
    const files = await findSampleFiles(tissue.outs, { platform: "visium" });
    expect(files.image).toBe(tissue.image);
    const { width, height } = await sharp(tissue.image).metadata();
    expect([width, height]).toEqual([700, 700]);
    const positions = (await readFile(files.positions.path, "utf8")).trimEnd().split("\n").slice(1);
    for (const line of positions) {
      const [, , , , y, x] = line.split(",").map(Number);
      expect(x >= 0 && x < width && y >= 0 && y < height).toBe(true);
    }
  });

  it("is unchanged from earlier versions, so that their figures can be compared", () => {
    expect([tissue.nCells, tissue.nSpots, tissue.totalCounts]).toEqual([667, 12, 71_557]);
  });

  it("reaches the requested depth and keeps nuclei apart", () => {
    const perSpot = tissue.totalCounts / tissue.nSpots;
    expect(Math.abs(perSpot - tissue.options.umiPerSpot)).toBeLessThan(
      0.05 * tissue.options.umiPerSpot,
    );
    expect(known.nCells).toBe(tissue.nCells);
    let nearest = Infinity;
    for (let a = 0; a < known.nCells; a++) {
      for (let b = a + 1; b < known.nCells; b++) {
        const dx = known.xy[2 * a] - known.xy[2 * b];
        const dy = known.xy[2 * a + 1] - known.xy[2 * b + 1];
        nearest = Math.min(nearest, Math.hypot(dx, dy));
      }
    }
    expect(nearest * SMALL.umPerPx).toBeGreaterThan(2);
  });

  it("draws the true counts from the noise-free rates", () => {
    const rate = known.rates.data.reduce((sum, value) => sum + value, 0);
    const count = known.counts.data.reduce((sum, value) => sum + value, 0);
    // The variance of the sum of Poisson counts equals its mean.
    expect(Math.abs(count - rate)).toBeLessThan(5 * Math.sqrt(rate));
  });

  it("places the nuclei where the image is dark", async () => {
    const { data, info } = await sharp(tissue.image)
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    let sum = 0;
    for (const value of data) sum += value;
    let atCenters = 0;
    for (let cell = 0; cell < known.nCells; cell++) {
      const at = Math.round(known.xy[2 * cell + 1]) * info.width + Math.round(known.xy[2 * cell]);
      atCenters += data[at] / known.nCells;
    }
    expect(atCenters).toBeLessThan((sum / data.length) * 0.75);
  });

  it("rejects an image too large to paint", async () => {
    const options = { ...SMALL, sizeUm: 4000, umPerPx: 0.2, out: join(folder, "d") };
    await expect(simulateTissue(options)).rejects.toThrow(
      /20000 px per side is larger than the simulator can paint/,
    );
  });
});

async function gunzip(path: string): Promise<string> {
  return gunzipSync(await readFile(path)).toString("utf8");
}

/** A hash of every file's bytes, or of an HDF5 file's values, because HDF5 stores the time of writing. */
async function digest(folder: string): Promise<Record<string, string>> {
  await h5wasm.ready;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const hashes: Record<string, string> = {};
  for (const entry of entries.filter((item) => item.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const hash = createHash("sha256");
    if (path.endsWith(".h5")) {
      const file = new h5wasm.File(path, "r");
      for (const name of [
        "barcodes",
        "data",
        "indices",
        "indptr",
        "features/id",
        "features/name",
      ]) {
        const data = file.get(`matrix/${name}`) as InstanceType<typeof h5wasm.Dataset>;
        hash.update(String(data.value));
      }
      file.close();
    } else {
      hash.update(await readFile(path));
    }
    hashes[path.slice(folder.length)] = hash.digest("hex");
  }
  return hashes;
}
