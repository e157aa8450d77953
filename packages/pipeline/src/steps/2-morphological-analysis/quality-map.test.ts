import { IMAGE_QUALITIES } from "@stipple/contract";
import { describe, expect, it } from "vitest";
import { gaussianBlur } from "@stipple/numerics/gaussian-blur";
import { Random } from "@stipple/numerics/random";
import { scatteredDiscs } from "./testing/disc-image.ts";
import { qualityAt, qualityMap, tissueQuality } from "./quality-map.ts";
import { QUALITY_PLANES, tileQuality } from "./tile-quality.ts";

const SIDE = 512;
const WHOLE = { x: 0, y: 0, width: SIDE, height: SIDE };

/** Optical densities of round 4 µm nuclei imaged through good optics, in 0.5 µm pixels. */
function nuclei(): Float32Array {
  const density = new Float32Array(SIDE * SIDE).fill(0.1);
  for (const { x, y, radius } of scatteredDiscs(SIDE, SIDE, 60)) {
    for (let v = Math.ceil(y - radius); v <= y + radius; v++) {
      for (let u = Math.ceil(x - radius); u <= x + radius; u++) {
        const inside = u >= 0 && v >= 0 && u < SIDE && v < SIDE;
        if (inside && Math.hypot(u - x, v - y) <= radius) density[v * SIDE + u] = 0.7;
      }
    }
  }
  return gaussianBlur(density, SIDE, SIDE, 1);
}

/** Quality map of one tile with the given red, green, and blue densities. */
function mapOf(red: Float32Array, green = red, blue = red) {
  const none = new Float32Array(SIDE * SIDE);
  const values = tileQuality(
    { signal: red, planes: [none, none, red, green, blue], rgb: new Uint8Array(1) },
    { core: WHOLE, outer: WHOLE, hasTissue: true },
  );
  const side = SIDE / 16;
  const planes = QUALITY_PLANES.map((_, k) => values.subarray(k * side ** 2, (k + 1) * side ** 2));
  return qualityMap({ width: side, height: side, planes }, 0.5, 0.5)!;
}

const TISSUE = { nRows: 1, nCols: 1, data: Uint8Array.of(1) };
const sharp = nuclei();

describe("qualityMap", () => {
  it("rates a sharp image good and one blurred by 4 px blurred, with and without noise", () => {
    const random = new Random(1);
    const noise = Float32Array.from(sharp, () => 0.015 * random.normal());
    const blurred = gaussianBlur(sharp, SIDE, SIDE, 4);
    const noisy = (image: Float32Array): Float32Array => image.map((value, i) => value + noise[i]);
    for (const [image, share] of [
      [sharp, 0],
      [noisy(sharp), 0],
      [blurred, 1],
      [noisy(blurred), 1],
    ] as const) {
      expect(tissueQuality(mapOf(image), TISSUE)!.blurred).toBeCloseTo(share, 1);
    }
  });

  it("locates the part of an image that is out of focus", () => {
    const blurred = gaussianBlur(sharp, SIDE, SIDE, 4);
    const half = sharp.map((value, i) => (i % SIDE < SIDE / 2 ? value : blurred[i]));
    const at = qualityAt(mapOf(half), Float32Array.of(100, 250, 420, 250));
    expect(Array.from(at, (code) => IMAGE_QUALITIES[code])).toEqual(["good", "blurred"]);
  });

  it("marks ink and overly dark areas where they are", () => {
    const inside = (i: number, from: number): boolean =>
      i % SIDE >= from && i % SIDE < from + 64 && i / SIDE >= 128 && i / SIDE < 320;
    const drawn = (ink: number, fold: number): Float32Array =>
      sharp.map((value, i) => (inside(i, 64) ? ink : inside(i, 320) ? value + fold : value));
    const map = mapOf(drawn(1.2, 2), drawn(0.4, 2), drawn(0.2, 2));
    const at = qualityAt(map, Float32Array.of(96, 220, 350, 220, 220, 450));
    expect(Array.from(at, (code) => IMAGE_QUALITIES[code])).toEqual(["pen", "dark", "good"]);
    const share = (64 * 192) / SIDE ** 2;
    expect(tissueQuality(map, TISSUE)!.pen).toBeCloseTo(share, 1);
    expect(tissueQuality(map, TISSUE)!.dark).toBeCloseTo(share, 1);
  });

  it("does not judge bare glass or pixels too coarse to show blur", () => {
    expect(tissueQuality(mapOf(new Float32Array(SIDE * SIDE).fill(0.05)), TISSUE)).toBeNull();
    expect(qualityMap({ width: 1, height: 1, planes: [] }, 0.5, 1)).toBeNull();
    expect(qualityAt(null, Float32Array.of(3, 3))).toEqual(
      Uint8Array.of(IMAGE_QUALITIES.indexOf("not_judged")),
    );
  });
});
