import { describe, expect, it } from "vitest";
import { candidatesOf, decodeMaps, type DecodedMaps } from "./decode-maps.ts";
import { scatteredDiscs, type Disc } from "./testing/disc-image.ts";
import { networkOptions } from "./network-options.ts";
import { nucleiFromMaps } from "./nuclei-from-maps.ts";
import { emptyMaps, type NucleusMaps } from "../../nuclei/nucleus-network.ts";

const WIDTH = 240;
const HEIGHT = 180;
// Spacing and radii in half-resolution px; every fifth disc touches another.
const discs = scatteredDiscs(WIDTH, HEIGHT, 24);

/** Output of a perfect network for these discs: where two overlap, a pixel belongs to the nearer center. */
function mapsOf(list: readonly Disc[], width: number, height: number): NucleusMaps {
  const maps = emptyMaps(width, height);
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

/** Crops the maps to a rectangle. */
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

/** Labels that became nuclei. */
const nuclei = ({ labels, minProbability }: DecodedMaps): Set<number> =>
  new Set(labels.filter((label) => minProbability[label] < Infinity));

describe("decodeMaps", () => {
  const options = networkOptions.parse({});
  const maps = mapsOf(discs, WIDTH, HEIGHT);

  it("gives every disc, including touching pairs, its own label and all of its pixels", () => {
    const decoded = decodeMaps(maps, options);
    const { labels, minProbability } = decoded;
    expect(nuclei(decoded).size).toBe(discs.length);
    const owner = new Map<number, string>();
    for (let p = 0; p < labels.length; p++) {
      const isIn = maps.probability[p] > minProbability[labels[p]];
      expect(isIn).toBe(maps.probability[p] > 0);
      if (!isIn) continue;
      const x = (p % WIDTH) + maps.offsetX[p];
      const y = Math.floor(p / WIDTH) + maps.offsetY[p];
      const center = `${x.toFixed(1)},${y.toFixed(1)}`;
      expect(owner.get(labels[p]) ?? center).toBe(center);
      owner.set(labels[p], center);
    }
    expect(new Set(owner.values()).size).toBe(discs.length);
  });

  it("drops uncertain objects and specks", () => {
    const pale = { ...maps, probability: maps.probability.map((p) => 0.45 * p) };
    expect(nuclei(decodeMaps(pale, options)).size).toBe(0);
    const speck = mapsOf([{ x: 30, y: 30, radius: 1.1 }], 64, 64);
    expect(nucleiFromMaps(speck, 128, 128, options, 0.5).count).toBe(0);
  });

  it("merges a nucleus whose pixels vote for both of its ends, but keeps two touching nuclei apart", () => {
    const [long, wide] = [9, 5];
    const ellipse = mapsOf([], 64, 64);
    for (let y = 0, p = 0; y < 64; y++) {
      for (let x = 0; x < 64; x++, p++) {
        const d = Math.hypot((x - 32) / long, (y - 32) / wide);
        if (d > 1) continue;
        ellipse.probability[p] = 0.98 - 0.2 * d;
        ellipse.distance[p] = 1 - d;
        // Nearly the same centroid: the votes have two maxima, 3 px apart.
        ellipse.offsetX[p] = (x < 32 ? 30.5 : 33.5) - x;
        ellipse.offsetY[p] = 32 - y;
      }
    }
    const { count } = candidatesOf(ellipse, options);
    expect(count).toBe(2);
    expect(nuclei(decodeMaps(ellipse, options)).size).toBe(1);
    const pair = [24, 40].map((x) => ({ x, y: 32, radius: 8.2 }));
    expect(nuclei(decodeMaps(mapsOf(pair, 64, 64), options)).size).toBe(2);
  });

  it("labels a pixel using only its surroundings", () => {
    const margin = 50;
    const whole = decodeMaps(maps, options);
    const [x0, y0, width, height] = [37, 21, 190, 150];
    const cut = decodeMaps(part(maps, x0, y0, width, height), options);
    const sameAs = new Map<number, number>();
    for (let y = margin; y < height - margin; y++) {
      for (let x = margin; x < width - margin; x++) {
        const a = whole.labels[(y + y0) * WIDTH + x + x0];
        const b = cut.labels[y * width + x];
        expect(b > 0).toBe(a > 0);
        if (a > 0) expect(sameAs.get(a) ?? b).toBe(b);
        expect(cut.minProbability[b]).toBe(whole.minProbability[a]);
        sameAs.set(a, b);
      }
    }
    expect(sameAs.size).toBeGreaterThan(10);
  });
});
