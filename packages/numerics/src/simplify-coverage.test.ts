import { describe, expect, it } from "vitest";
import type { Polygons } from "./matrices.ts";
import { expandLabels } from "./distance-transform.ts";
import { signedArea } from "./polygon-shape.ts";
import { Random } from "./random.ts";
import { simplifyCoverage } from "./simplify-coverage.ts";
import { isSimpleRing } from "./simplify-ring.ts";
import { traceContour } from "./trace-contour.ts";

const SIZE = 160;

/** Cells grown around scattered single pixels: many neighbors, gaps of one pixel, ragged borders. */
function grownCells(seed: number): { rings: Polygons; areas: number[] } {
  const random = new Random(seed);
  const seeds = new Int32Array(SIZE * SIZE);
  const count = 260;
  for (let label = 1; label <= count; label++) seeds[random.below(seeds.length)] = label;
  const labels = expandLabels(seeds, SIZE, SIZE, 6);
  const rings: number[][] = [];
  const areas: number[] = [];
  for (let label = 1; label <= count; label++) {
    const start = labels.indexOf(label);
    if (start < 0) continue;
    rings.push(traceContour(labels, SIZE, SIZE, label, start, { meetings: true }));
    areas.push(labels.reduce((sum, value) => sum + Number(value === label), 0));
  }
  return { rings: packed(rings), areas };
}

function packed(rings: number[][]): Polygons {
  const offsets = new Uint32Array(rings.length + 1);
  rings.forEach((ring, i) => (offsets[i + 1] = offsets[i] + ring.length / 2));
  return { offsets, xy: Float32Array.from(rings.flat()) };
}

function ringOf({ offsets, xy }: Polygons, ring: number): number[] {
  return Array.from(xy.subarray(2 * offsets[ring], 2 * offsets[ring + 1]));
}

/** Twice the signed area of a, b, c; exact for multiples of one half. */
function turn(r: number[], a: number, b: number, s: number[], c: number): number {
  return (
    (r[2 * b] - r[2 * a]) * (s[2 * c + 1] - r[2 * a + 1]) -
    (r[2 * b + 1] - r[2 * a + 1]) * (s[2 * c] - r[2 * a])
  );
}

/** Whether an edge of one ring properly crosses an edge of the other. */
function cross(r: number[], s: number[]): boolean {
  const [n, m] = [r.length / 2, s.length / 2];
  for (let a = 0; a < n; a++) {
    const b = (a + 1) % n;
    for (let c = 0; c < m; c++) {
      const d = (c + 1) % m;
      if (turn(r, a, b, s, c) * turn(r, a, b, s, d) >= 0) continue;
      if (turn(s, c, d, r, a) * turn(s, c, d, r, b) < 0) return true;
    }
  }
  return false;
}

/** Whether a point lies strictly inside a ring. */
function inside(ring: number[], x: number, y: number): boolean {
  let odd = false;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    const [x0, y0, x1, y1] = [ring[j], ring[j + 1], ring[i], ring[i + 1]];
    const side = (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0);
    const within = (x - x0) * (x - x1) + (y - y0) * (y - y1) <= 0;
    if (side === 0 && within) return false;
    if (y0 > y !== y1 > y && x < x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)) odd = !odd;
  }
  return odd;
}

function overlaps(rings: Polygons): string[] {
  const found: string[] = [];
  const all = Array.from({ length: rings.offsets.length - 1 }, (_, i) => ringOf(rings, i));
  all.forEach((r, i) =>
    all.forEach((s, j) => {
      if (i === j) return;
      if (i < j && cross(r, s)) found.push(`${i} crosses ${j}`);
      for (let p = 0; p < s.length; p += 2) {
        if (inside(r, s[p], s[p + 1])) found.push(`${j} reaches into ${i}`);
      }
    }),
  );
  return found;
}

describe.each([0.6, 2, 6])("simplifyCoverage by %d px", (tolerance) => {
  const cases = [1, 2, 3].map((seed) => {
    const { rings, areas } = grownCells(seed);
    return { rings, areas, simplified: simplifyCoverage(rings, tolerance) };
  });

  it("does not make neighbors overlap", () => {
    for (const { simplified } of cases) expect(overlaps(simplified)).toEqual([]);
  });

  it("keeps every ring, simple and with the same orientation", () => {
    for (const { rings, simplified } of cases) {
      for (let i = 0; i + 1 < rings.offsets.length; i++) {
        const ring = ringOf(simplified, i);
        expect(isSimpleRing(ring)).toBe(true);
        expect(signedArea(ring) * signedArea(ringOf(rings, i))).toBeGreaterThan(0);
      }
    }
  });

  it("keeps areas within the tolerance, with fewer than half the points", () => {
    for (const { rings, areas, simplified } of cases) {
      const total = (polygons: Polygons): number =>
        areas.reduce((sum, _, i) => sum + Math.abs(signedArea(ringOf(polygons, i))), 0);
      const pixels = areas.reduce((sum, area) => sum + area, 0);
      expect(total(rings) / pixels).toBeGreaterThan(0.98);
      expect(Math.abs(total(simplified) / total(rings) - 1)).toBeLessThan(
        0.05 * Math.max(1, tolerance),
      );
      expect(simplified.xy.length).toBeLessThan(rings.xy.length / 2);
    }
  });
});

it("gives the same borders for any order of the rings", () => {
  const { rings } = grownCells(4);
  const order = Array.from({ length: rings.offsets.length - 1 }, (_, i) => i).reverse();
  const turned = simplifyCoverage(packed(order.map((i) => ringOf(rings, i))), 0.6);
  const straight = simplifyCoverage(rings, 0.6);
  order.forEach((i, row) => expect(ringOf(turned, row)).toEqual(ringOf(straight, i)));
});
