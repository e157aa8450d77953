import { describe, expect, it } from "vitest";
import { decodeMaps } from "./decode-maps.ts";
import { scatteredDiscs, type Disc } from "./disc-image.ts";
import { networkOptions } from "./network-options.ts";
import type { NucleusMaps } from "./nucleus-network.ts";

const WIDTH = 240;
const HEIGHT = 180;
// Spacing and radii in half-resolution px; every fifth disc touches another.
const discs = scatteredDiscs(WIDTH, HEIGHT, 24);

/** What a perfect network would say of discs: where two overlap, the nearer center has the pixel. */
function mapsOf(list: readonly Disc[], width: number, height: number): NucleusMaps {
  const make = (): Float32Array => new Float32Array(width * height);
  const maps = {
    width,
    height,
    probability: make(),
    distance: make(),
    offsetX: make(),
    offsetY: make(),
  };
  for (let y = 0, p = 0; y < height; y++) {
    for (let x = 0; x < width; x++, p++) {
      let best = Infinity;
      for (const disc of list) {
        const d = Math.hypot(x - disc.x, y - disc.y) / disc.radius;
        if (d > 1 || d >= best) continue;
        best = d;
        maps.probability[p] = 0.98 - 0.2 * d;
        maps.distance[p] = 1 - d;
        maps.offsetX[p] = disc.x - x;
        maps.offsetY[p] = disc.y - y;
      }
    }
  }
  return maps;
}

/** A rectangle of the maps. */
function part(maps: NucleusMaps, x: number, y: number, width: number, height: number): NucleusMaps {
  const cut = (plane: Float32Array): Float32Array =>
    Float32Array.from(
      { length: width * height },
      (_, p) => plane[(y + Math.floor(p / width)) * maps.width + x + (p % width)],
    );
  return {
    width,
    height,
    probability: cut(maps.probability),
    distance: cut(maps.distance),
    offsetX: cut(maps.offsetX),
    offsetY: cut(maps.offsetY),
  };
}

describe("decodeMaps", () => {
  const options = networkOptions.parse({});
  const maps = mapsOf(discs, WIDTH, HEIGHT);

  it("gives every disc its own label and all of its pixels, touching pairs too", () => {
    const { labels, count } = decodeMaps(maps, options);
    expect(count).toBe(discs.length);
    const owner = new Map<number, string>();
    for (let p = 0; p < labels.length; p++) {
      expect(labels[p] > 0).toBe(maps.probability[p] > options.minProbability);
      if (labels[p] === 0) continue;
      const x = (p % WIDTH) + maps.offsetX[p];
      const y = Math.floor(p / WIDTH) + maps.offsetY[p];
      const centre = `${x.toFixed(1)},${y.toFixed(1)}`;
      expect(owner.get(labels[p]) ?? centre).toBe(centre);
      owner.set(labels[p], centre);
    }
    expect(new Set(owner.values()).size).toBe(discs.length);
  });

  it("leaves out what the network is unsure of, and specks", () => {
    const pale = { ...maps, probability: maps.probability.map((p) => 0.8 * p) };
    expect(decodeMaps(pale, options).labels.some((label) => label > 0)).toBe(false);
    const speck = mapsOf([{ x: 30, y: 30, radius: 1.1 }], 64, 64);
    expect(decodeMaps(speck, options).count).toBe(0);
  });

  it("decides about a pixel by its surroundings only", () => {
    const margin = 50;
    const whole = decodeMaps(maps, options).labels;
    const [x0, y0, width, height] = [37, 21, 190, 150];
    const cut = decodeMaps(part(maps, x0, y0, width, height), options).labels;
    const sameAs = new Map<number, number>();
    for (let y = margin; y < height - margin; y++) {
      for (let x = margin; x < width - margin; x++) {
        const a = whole[(y + y0) * WIDTH + x + x0];
        const b = cut[y * width + x];
        expect(b > 0).toBe(a > 0);
        if (a > 0) expect(sameAs.get(a) ?? b).toBe(b);
        sameAs.set(a, b);
      }
    }
    expect(sameAs.size).toBeGreaterThan(10);
  });
});
