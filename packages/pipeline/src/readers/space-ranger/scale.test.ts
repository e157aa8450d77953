import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { hdScale } from "../hd-visium/reader.ts";
import { fitLattice, nearestNeighborPitch } from "../lattice/fit-lattice.ts";
import type { Positions } from "../sample.ts";
import { visiumScale } from "../visium/reader.ts";
import { readPositions } from "./read-positions.ts";
import { readScalefactors } from "./read-scalefactors.ts";

interface Placement {
  micronsPerPixel: number;
  angle?: number;
  mirror?: boolean;
  swap?: boolean;
  noisePx?: number;
}

/** A Visium array of 20 × 20 spots with a known map to pixels. */
function hexagonal({
  micronsPerPixel,
  angle = 0,
  mirror,
  swap,
  noisePx = 0,
}: Placement): Positions {
  const random = new Random(5);
  const spots: number[][] = [];
  for (let row = 0; row < 20; row++) {
    for (let col = row % 2; col < 40; col += 2) spots.push([row, col]);
  }
  const place = ([row, col]: number[]): [number, number] => {
    const u = (col * 50) / micronsPerPixel;
    const v = ((row * 50 * Math.sqrt(3)) / micronsPerPixel) * (mirror ? -1 : 1);
    return [
      3000 + u * Math.cos(angle) - v * Math.sin(angle) + noisePx * random.normal(),
      4000 + u * Math.sin(angle) + v * Math.cos(angle) + noisePx * random.normal(),
    ];
  };
  const xy = spots.map(place);
  return {
    barcode: spots.map((_, i) => `A${i}-1`),
    inTissue: new Uint8Array(spots.length).fill(1),
    arrayRow: Int32Array.from(spots, ([row, col]) => (swap ? col : row)),
    arrayCol: Int32Array.from(spots, ([row, col]) => (swap ? row : col)),
    x: Float64Array.from(xy, ([x]) => x),
    y: Float64Array.from(xy, ([, y]) => y),
  };
}

const visium = "tissue_positions.csv";

describe("the scale of a sample", () => {
  it("is not taken from an array with a few spots elsewhere", () => {
    const positions = hexagonal({ micronsPerPixel: 0.5 });
    positions.x[137] += 1000;
    expect(() => visiumScale(positions, {}, visium)).toThrow(
      "tissue_positions.csv puts the spot A137-1 far from its place in the array, unlike the other 399: the file was damaged or changed; copy or upload the original again.",
    );
  });

  it.each([
    ["upright", {}],
    ["rotated", { angle: 0.7 }],
    ["mirrored", { mirror: true, angle: -2 }],
    ["with row and column swapped", { swap: true, angle: 0.1 }],
  ])("is exact for an array that is %s", (_name, placement) => {
    const scale = visiumScale(hexagonal({ micronsPerPixel: 0.73, ...placement }), {}, visium);
    expect(scale.micronsPerPixel).toBeCloseTo(0.73, 10);
    expect(scale.source).toBe("array_pitch");
    expect(scale.residualPx).toBeLessThan(1e-6);
    expect(scale).toMatchObject({ pitchUm: 100, spotSizeUm: 55, spotShape: "disc", warnings: [] });
  });

  it("reports the residual of noisy positions and excludes stray spots", () => {
    const positions = hexagonal({ micronsPerPixel: 0.5, noisePx: 2 });
    const scale = visiumScale(positions, {}, visium);
    expect(scale.micronsPerPixel).toBeCloseTo(0.5, 3);
    // Two normal coordinates with standard deviation 2.
    expect(scale.residualPx).toBeGreaterThan(2.5);
    expect(scale.residualPx).toBeLessThan(3.1);
    for (let i = 0; i < 20; i++) positions.x[i * 7] += 5000;
    const strayed = visiumScale(positions, {}, visium);
    expect(strayed.micronsPerPixel).toBeCloseTo(0.5, 3);
    expect(strayed.warnings[0]).toMatch(/5\.\d% of the positions/);
  });

  it("falls back to neighbor distances when array indices are wrong", () => {
    const positions = hexagonal({ micronsPerPixel: 0.5 });
    new Random(1).shuffle(positions.arrayRow);
    const scale = visiumScale(positions, {}, visium);
    expect(scale.source).toBe("nearest_neighbor");
    expect(scale.micronsPerPixel).toBeCloseTo(0.5, 3);
    expect(scale.residualPx).toBeNull();
    expect(scale.warnings).toHaveLength(1);
  });

  it("uses spot_diameter_fullres only if there is nothing else", () => {
    const one = hexagonal({ micronsPerPixel: 0.5 });
    const single: Positions = {
      barcode: one.barcode.slice(0, 1),
      inTissue: one.inTissue.slice(0, 1),
      arrayRow: one.arrayRow.slice(0, 1),
      arrayCol: one.arrayCol.slice(0, 1),
      x: one.x.slice(0, 1),
      y: one.y.slice(0, 1),
    };
    const scale = visiumScale(single, { spot_diameter_fullres: 130 }, visium);
    expect(scale.micronsPerPixel).toBeCloseTo(0.5, 10);
    expect(scale.warnings).toHaveLength(1);
    expect(() => visiumScale(single, {}, visium)).toThrow(/no scale can be derived/);
  });

  it("reads HD's own scale, or derives it from the bins if it is missing", () => {
    const bins: Positions = {
      barcode: Array.from({ length: 400 }, (_, i) => `s_008um_${i}-1`),
      inTissue: new Uint8Array(400).fill(1),
      arrayRow: Int32Array.from({ length: 400 }, (_, i) => Math.floor(i / 20)),
      arrayCol: Int32Array.from({ length: 400 }, (_, i) => i % 20),
      x: Float64Array.from({ length: 400 }, (_, i) => (i % 20) * 29.2),
      y: Float64Array.from({ length: 400 }, (_, i) => Math.floor(i / 20) * 29.2),
    };
    const hd = { resolution: "8", file: "tissue_positions.parquet" } as const;
    const given = hdScale(bins, { bin_size_um: 8, microns_per_pixel: 0.274 }, hd);
    expect(given).toMatchObject({
      micronsPerPixel: 0.274,
      source: "microns_per_pixel",
      pitchUm: 8,
      spotSizeUm: 8,
      spotShape: "square",
      warnings: [],
    });
    expect(given.residualPx).toBeLessThan(1e-6);
    expect(hdScale(bins, {}, hd).micronsPerPixel).toBeCloseTo(8 / 29.2, 10);
    const fine = { ...bins, barcode: bins.barcode.map((name) => name.replace("008", "002")) };
    expect(() => hdScale(fine, {}, { ...hd, resolution: undefined })).toThrow(
      "tissue_positions.parquet has 2 µm bins, but only 8 and 16 µm can be analyzed: use the files from",
    );
    expect(() => visiumScale(bins, {}, visium)).toThrow(/set the platform to HD Visium/);
    const visiumSpots = hexagonal({ micronsPerPixel: 0.5 });
    expect(() => hdScale(visiumSpots, {}, hd)).toThrow(/set the platform to Visium/);
    const { barcode, inTissue, arrayRow, arrayCol, x, y } = visiumSpots;
    const isOneOfFew = (_: unknown, i: number): boolean => [0, 1, 2, 20, 21, 40].includes(i);
    const few = {
      barcode: barcode.filter(isOneOfFew),
      inTissue: inTissue.filter(isOneOfFew),
      arrayRow: arrayRow.filter(isOneOfFew),
      arrayCol: arrayCol.filter(isOneOfFew),
      x: x.filter(isOneOfFew),
      y: y.filter(isOneOfFew),
    };
    expect(() => hdScale(few, {}, hd)).toThrow(/set the platform to Visium/);
  });

  const data = resolve(import.meta.dirname, "../../../../../../shared/data");
  it.runIf(existsSync(join(data, "visium-mouse-placenta")))(
    "is right on real samples",
    async () => {
      for (const [sample, expected] of [
        ["visium-mouse-brain-crop", 0.725],
        ["visium-mouse-placenta", 4.67],
      ] as const) {
        const spatial = join(data, sample, "spatial");
        const positions = await readPositions({
          path: join(spatial, "tissue_positions.csv"),
          format: "csv",
        });
        const scalefactors = await readScalefactors(join(spatial, "scalefactors_json.json"));
        const scale = visiumScale(positions, scalefactors, visium);
        expect(scale.micronsPerPixel / expected).toBeCloseTo(1, 2);
        expect(scale.source).toBe("array_pitch");
      }
    },
  );
});

describe("fitLattice and nearestNeighborPitch", () => {
  it("return null for input without extent", () => {
    const line = {
      arrayRow: new Int32Array(5),
      arrayCol: Int32Array.of(0, 2, 4, 6, 8),
      x: Float64Array.of(0, 1, 2, 3, 4),
      y: new Float64Array(5),
    };
    expect(fitLattice(line)).toBeNull();
    expect(nearestNeighborPitch(line.x, line.y)).toBe(1);
    expect(nearestNeighborPitch(Float64Array.of(3), Float64Array.of(3))).toBeNull();
  });
});
