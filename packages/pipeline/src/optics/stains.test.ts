import { describe, expect, it } from "vitest";
import type { StainModel } from "../facts.ts";
import { Random } from "@stipple/numerics/random";
import { backgroundOf, estimateStains } from "./estimate-stains.ts";
import { separateStains, type Triple } from "./separate-stains.ts";

const HEMATOXYLIN: Triple = [0.62, 0.7, 0.354];
const EOSIN: Triple = [0.1, 0.95, 0.29];
const unit = (v: Triple): Triple => v.map((value) => value / Math.hypot(...v)) as Triple;

/** RGB for given concentrations under Beer–Lambert. */
function render(h: number, e: number, background: Triple): number[] {
  const [a, b] = [unit(HEMATOXYLIN), unit(EOSIN)];
  return background.map((white, c) =>
    Math.round(Math.max(0, (white + 1) * Math.exp(-h * a[c] - e * b[c]) - 1)),
  );
}

/** Tissue with mostly eosin, a quarter hematoxylin, and some of both. */
function tissue(n: number, background: Triple): Uint8Array {
  const random = new Random(3);
  const rgb: number[] = [];
  for (let i = 0; i < n; i++) {
    const kind = random.uniform();
    const h = kind < 0.25 ? 0.5 + random.uniform() : kind < 0.5 ? random.uniform() : 0.02;
    const e = kind < 0.2 ? 0.02 : 0.3 + 0.7 * random.uniform();
    rgb.push(...render(h, e, background));
  }
  return Uint8Array.from(rgb);
}

const model = (background: Triple): StainModel => ({
  background,
  hematoxylin: unit(HEMATOXYLIN),
  eosin: unit(EOSIN),
  maxHematoxylin: 1,
  maxEosin: 1,
  source: "standard",
});

describe("separateStains", () => {
  it("recovers the concentrations that an image was made from", () => {
    const truth: [number, number][] = [
      [0, 0],
      [0.8, 0],
      [0, 0.6],
      [0.5, 0.4],
      [1.2, 0.3],
    ];
    const white: Triple = [240, 238, 235];
    const rgb = Uint8Array.from(truth.flatMap(([h, e]) => render(h, e, white)));
    const { hematoxylin, eosin } = separateStains(rgb, model(white));
    truth.forEach(([h, e], i) => {
      // Intensities are integers, which leaves an error of about 0.02.
      expect(Math.abs(hematoxylin[i] - h)).toBeLessThan(0.02);
      expect(Math.abs(eosin[i] - e)).toBeLessThan(0.02);
    });
  });

  it("never returns negative concentrations, and finds the best solution on the edge", () => {
    const random = new Random(2);
    const rgb = Uint8Array.from({ length: 3000 }, () => random.below(256));
    const white: Triple = [255, 255, 255];
    const { hematoxylin, eosin } = separateStains(rgb, model(white));
    const [a, b] = [unit(HEMATOXYLIN), unit(EOSIN)];
    for (let i = 0; i < 1000; i++) {
      const od = [0, 1, 2].map((c) => Math.max(0, -Math.log((rgb[3 * i + c] + 1) / 256)));
      const error = (h: number, e: number): number =>
        od.reduce((sum, value, c) => sum + (value - h * a[c] - e * b[c]) ** 2, 0);
      expect(hematoxylin[i]).toBeGreaterThanOrEqual(0);
      expect(eosin[i]).toBeGreaterThanOrEqual(0);
      const best = error(hematoxylin[i], eosin[i]);
      for (const [dh, de] of [
        [0.01, 0],
        [-0.01, 0],
        [0, 0.01],
        [0, -0.01],
      ]) {
        const [h, e] = [hematoxylin[i] + dh, eosin[i] + de];
        if (h >= 0 && e >= 0) expect(error(h, e)).toBeGreaterThanOrEqual(best - 1e-5);
      }
    }
  });
});

describe("estimateStains", () => {
  it("finds the vectors of a synthetic slide within three degrees", () => {
    const white: Triple = [243, 240, 238];
    const found = estimateStains(tissue(60_000, white), white);
    expect(found.source).toBe("estimated");
    const angle = (a: Triple, b: Triple): number =>
      (Math.acos(Math.min(1, a[0] * b[0] + a[1] * b[1] + a[2] * b[2])) * 180) / Math.PI;
    expect(angle(found.hematoxylin, unit(HEMATOXYLIN))).toBeLessThan(3);
    expect(angle(found.eosin, unit(EOSIN))).toBeLessThan(3);
    expect(found.maxHematoxylin).toBeGreaterThan(1.3);
    expect(found.maxHematoxylin).toBeLessThan(1.7);
  });

  it("does not take the color of a pen for that of a stain", () => {
    const white: Triple = [243, 240, 238];
    const clean = tissue(60_000, white);
    const green = [0.2, 0.65, 0.35];
    // A green line over a twelfth of the tissue.
    const inked = clean.map((value, i) => (i < 15_360 ? Math.round(value * green[i % 3]) : value));
    expect(estimateStains(inked, white)).toEqual(estimateStains(clean.subarray(15_360), white));
    const stray = clean.slice();
    for (let i = 0; i < stray.length; i += 30_000) stray.set([40, 200, 100], i);
    expect(estimateStains(stray, white).hematoxylin[0]).toBeCloseTo(
      estimateStains(clean, white).hematoxylin[0],
      2,
    );
  });

  it("falls back to standard vectors for blank, gray, and empty images", () => {
    const white: Triple = [250, 250, 250];
    const blank = new Uint8Array(90_000).fill(248);
    const gray = Uint8Array.from({ length: 90_000 }, (_, i) => (Math.floor(i / 3) * 7) % 200);
    for (const image of [blank, gray, new Uint8Array(0)]) {
      const found = estimateStains(image, white);
      expect(found.source).toBe("standard");
      expect(Math.hypot(...found.hematoxylin)).toBeCloseTo(1);
      expect(found.maxHematoxylin).toBeGreaterThanOrEqual(0.5);
    }
  });
});

describe("backgroundOf", () => {
  it("accepts gray glass, even in a dark photograph, but not the color of tissue", () => {
    const pixels = (n: number, color: number[]): number[] =>
      new Array(n).fill(color).flat() as number[];
    const tissueColor = [150, 90, 140];
    const dark = Uint8Array.from([...pixels(900, [100, 60, 95]), ...pixels(100, [134, 135, 133])]);
    expect(backgroundOf(dark)).toEqual([134, 135, 133]);
    const full = backgroundOf(Uint8Array.from(pixels(500, tissueColor)));
    expect(full).toEqual([150, 150, 150]);
    expect(backgroundOf(new Uint8Array(0))).toEqual([255, 255, 255]);
  });
});
