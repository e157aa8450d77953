import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { placeCells, type Cells } from "./anatomy/place-cells.ts";
import { mapTissue } from "./anatomy/tissue-map.ts";
import { HUMAN_BREAST_TUMOR } from "./catalog/human-breast-tumor.ts";
import { asPainted } from "./image-difficulty.ts";
import { tissueOptions, type TissueOptions } from "./options.ts";
import { paintFluorescence } from "./paint/fluorescence-image.ts";
import { paintHe } from "./paint/he-image.ts";
import { simulateTissue } from "./simulate-tissue.ts";

const SMALL = { sizeUm: 400, umPerPx: 0.6, seed: 5 };

function painted(given: Partial<TissueOptions>) {
  const options = asPainted(tissueOptions({ ...SMALL, ...given }));
  const map = mapTissue(HUMAN_BREAST_TUMOR, options);
  const cells = placeCells(HUMAN_BREAST_TUMOR, map, options);
  const paint = options.staining === "if" ? paintFluorescence : paintHe;
  return { options, cells, raster: paint(HUMAN_BREAST_TUMOR, map, cells, options) };
}

function hash(values: Uint8Array | Uint16Array): string {
  return createHash("sha256")
    .update(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
    .digest("hex")
    .slice(0, 16);
}

/** Largest share of a nucleus's area that overlaps another, sampled every half micron. */
function mostCovered(cells: Cells): number {
  const covers = (cell: number, x: number, y: number): boolean => {
    const dx = x - cells.x[cell];
    const dy = y - cells.y[cell];
    const cos = Math.cos(cells.angle[cell]);
    const sin = Math.sin(cells.angle[cell]);
    const u = (dx * cos + dy * sin) / cells.major[cell];
    const v = (dy * cos - dx * sin) / cells.minor[cell];
    return u * u + v * v < 1;
  };
  let most = 0;
  for (let cell = 0; cell < cells.count; cell++) {
    const reach = cells.major[cell];
    for (let other = 0; other < cells.count; other++) {
      const apart = Math.hypot(cells.x[cell] - cells.x[other], cells.y[cell] - cells.y[other]);
      if (other === cell || apart > reach + cells.major[other]) continue;
      let own = 0;
      let shared = 0;
      for (let y = cells.y[cell] - reach; y <= cells.y[cell] + reach; y += 0.5) {
        for (let x = cells.x[cell] - reach; x <= cells.x[cell] + reach; x += 0.5) {
          if (!covers(cell, x, y)) continue;
          own++;
          if (covers(other, x, y)) shared++;
        }
      }
      most = Math.max(most, shared / own);
    }
  }
  return most;
}

describe("image with a given difficulty", () => {
  it("is bit-identical at 0 to images from before the option existed", () => {
    // Hashes of the images painted before the option existed.
    expect(hash(painted({}).raster.preview)).toBe("ea4468050904551d");
    expect(hash(painted({ staining: "if" }).raster.channels!.values)).toBe("8647500e57f22c35");
  });

  it("has as many true nuclei of the same size, none hidden by another", () => {
    const clean = painted({}).cells;
    const hard = painted({ imageDifficulty: 1 }).cells;
    const meanArea = (cells: Cells): number =>
      cells.major.reduce((sum, major, cell) => sum + Math.PI * major * cells.minor[cell], 0) /
      cells.count;
    expect(Math.abs(hard.count - clean.count)).toBeLessThanOrEqual(0.02 * clean.count);
    expect(Math.abs(meanArea(hard) - meanArea(clean))).toBeLessThan(0.15 * meanArea(clean));
    expect(mostCovered(hard)).toBeGreaterThan(mostCovered(clean));
    expect(mostCovered(hard)).toBeLessThan(0.45);
  });

  it("reduces the contrast of nuclei but leaves them visible", () => {
    const contrastOf = (staining: "h_and_e" | "if", imageDifficulty: number): Float64Array => {
      const { cells, raster, options } = painted({ staining, imageDifficulty });
      const { width } = raster;
      const values = raster.channels?.values ?? raster.preview;
      const step = raster.channels ? 1 : 3;
      const at = (x: number, y: number): number =>
        values[step * (Math.round(y / options.umPerPx) * width + Math.round(x / options.umPerPx))];
      const ground = Array.from({ length: 2000 }, (_, i) =>
        at(60 + ((i * 137.5) % 280), 60 + ((i * 71.3) % 280)),
      ).sort((a, b) => a - b)[1000];
      return Float64Array.from({ length: cells.count }, (_, cell) =>
        Math.abs(at(cells.x[cell], cells.y[cell]) - ground),
      ).sort();
    };
    for (const staining of ["h_and_e", "if"] as const) {
      const [clean, hard] = [contrastOf(staining, 0), contrastOf(staining, 1)];
      const tenth = (sorted: Float64Array): number =>
        sorted[Math.floor(sorted.length / 10)] / sorted[sorted.length >> 1];
      expect(tenth(hard)).toBeLessThan(tenth(clean));
      expect(hard[hard.length >> 1]).toBeGreaterThan(0.4 * clean[clean.length >> 1]);
    }
  });

  it("contains JPEG artifacts in its file", async () => {
    const folder = await mkdtemp(join(tmpdir(), "stipple-difficulty-"));
    try {
      const given = { ...SMALL, nGenes: 200, imageDifficulty: 1 };
      const { image } = await simulateTissue({ ...given, out: join(folder, "a") });
      const stored = await sharp(image).raw().toBuffer();
      const { preview } = painted(given).raster;
      let difference = 0;
      for (const [i, value] of stored.entries()) difference += Math.abs(value - preview[i]);
      expect(difference / stored.length).toBeGreaterThan(1);
      expect(difference / stored.length).toBeLessThan(12);
      const again = await simulateTissue({ ...given, out: join(folder, "b") });
      expect(hash(await sharp(again.image).raw().toBuffer())).toBe(hash(stored));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
