import { describe, expect, it } from "vitest";
import { LONGEST_MITER, meshOf, ringTriangles } from "./outline-mesh.ts";
import { outlineColors, outlineOf, outlineShape } from "./outline-shape.ts";
import { parsePolygonTile, type PolygonTile } from "../source/polygon-tiles.ts";

/** Twice the sum of the triangles' unsigned areas. */
function areaOf(triangles: ArrayLike<number>, xy: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < triangles.length; at += 3) {
    const [ax, ay, bx, by, cx, cy] = [0, 1, 2].flatMap((k) => [
      xy[2 * triangles[at + k]!]!,
      xy[2 * triangles[at + k]! + 1]!,
    ]) as [number, number, number, number, number, number];
    sum += Math.abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay));
  }
  return sum;
}

/** Twice the area of a non-self-intersecting ring. */
function ringArea(ring: Float32Array): number {
  let sum = 0;
  const n = ring.length / 2;
  for (let k = 0; k < n; k++) {
    const next = (k + 1) % n;
    sum += ring[2 * k]! * ring[2 * next + 1]! - ring[2 * next]! * ring[2 * k + 1]!;
  }
  return Math.abs(sum);
}

/** A star with `n` vertices, every second one at `inner` times the radius: concave below about 0.9. */
function star(n: number, inner: number, x = 0, y = 0, radius = 10): Float32Array {
  return Float32Array.from({ length: 2 * n }, (_, at) => {
    const angle = (2 * Math.PI * (at >> 1)) / n;
    const far = radius * ((at >> 1) % 2 === 0 ? 1 : inner);
    return at % 2 === 0 ? x + far * Math.cos(angle) : y + far * Math.sin(angle);
  });
}

function tileOf(rings: readonly (readonly [cell: number, ring: Float32Array])[]): PolygonTile {
  const starts = [0];
  for (const [, ring] of rings) starts.push(starts.at(-1)! + ring.length / 2);
  return {
    cells: Uint32Array.from(rings, ([cell]) => cell),
    starts: Uint32Array.from(starts),
    xy: Float32Array.from(rings.flatMap(([, ring]) => [...ring])),
  };
}

describe("ringTriangles", () => {
  it("covers convex and concave rings exactly, in either orientation", () => {
    for (const inner of [1, 0.95, 0.6, 0.2]) {
      for (const n of [4, 8, 14, 40]) {
        const ring = star(n, inner);
        const turned = Float32Array.from({ length: ring.length }, (_, at) =>
          at % 2 === 0 ? ring[ring.length - 2 - at]! : ring[ring.length - at]!,
        );
        for (const one of [ring, turned]) {
          const triangles = ringTriangles(one);
          expect(triangles).toHaveLength(3 * (n - 2));
          expect(areaOf(triangles, one) / ringArea(one)).toBeCloseTo(1, 4);
        }
      }
    }
  });

  it("tolerates coincident and collinear vertices, and needs at least three", () => {
    const square = Float32Array.of(0, 0, 0, 0, 2, 0, 4, 0, 4, 4, 0, 4);
    expect(areaOf(ringTriangles(square), square)).toBe(32);
    expect(ringTriangles(Float32Array.of(0, 0, 1, 1))).toEqual([]);
    expect(areaOf(ringTriangles(new Float32Array(10)), new Float32Array(10))).toBe(0);
  });

  it("does not mistake a ring that goes around twice for a convex one", () => {
    const twice = Float32Array.from({ length: 20 }, (_, at) => {
      const angle = (4 * Math.PI * (at >> 1)) / 10 + (at >> 1) * 0.01;
      return at % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
    });
    const fan = Array.from({ length: 8 }, (_, at) => [0, at + 1, at + 2]).flat();
    expect(ringTriangles(twice)).not.toEqual(fan);
  });
});

describe("outlineShape", () => {
  it("reads a tile, closes and colors its rings, and skips cells without an outline", () => {
    const head = Uint32Array.of(3, 7, 8, 9, 0, 3, 5, 8);
    const corners = Float32Array.from({ length: 16 }, (_, i) => i * i);
    const bytes = new Uint8Array(head.byteLength + corners.byteLength);
    bytes.set(new Uint8Array(head.buffer));
    bytes.set(new Uint8Array(corners.buffer), head.byteLength);
    const shape = outlineShape([parsePolygonTile(bytes.buffer)], 2);
    expect(shape.length).toBe(2);
    expect([...shape.startIndices]).toEqual([0, 4, 8]);
    expect([...shape.xy.slice(0, 8)]).toEqual([0, 2, 8, 18, 32, 50, 0, 2]);
    expect([...shape.cells]).toEqual([7, 9]);
    expect([...outlineOf(shape, 9)!.slice(0, 2)]).toEqual([200, 242]);
    expect(outlineOf(shape, 8)).toBeUndefined();
    const rgba = new Uint8Array(40);
    rgba.set([1, 1, 1, 255, 2, 2, 2, 255, 3, 3, 3, 0], 28);
    const colors = outlineColors(shape, rgba);
    expect(colors.length).toBe(4 * (shape.places.length / 2));
    expect([...colors.slice(20, 28)]).toEqual([1, 1, 1, 255, 3, 3, 3, 0]);
    expect(parsePolygonTile(new ArrayBuffer()).cells.length).toBe(0);
  });

  it("keeps the rings that intersect a box, including those only partly inside", () => {
    const tile = tileOf([
      [1, star(6, 1, 0, 0)],
      [2, star(6, 1, 30, 0)],
      [3, star(6, 1, 18, 0)],
      [4, star(6, 1, 0, 40)],
    ]);
    const box = { minX: -5, minY: -5, maxX: 9, maxY: 5 };
    expect([...outlineShape([tile], 1, box).cells]).toEqual([1, 3]);
    const half = { minX: -2.5, minY: -2.5, maxX: 4.5, maxY: 2.5 };
    expect([...outlineShape([tile], 0.5, half).cells]).toEqual([1, 3]);
    expect(outlineShape([tile], 1, { ...box, minY: 100, maxY: 110 }).length).toBe(0);
  });

  it("fills the rings, and draws lines once around them", () => {
    const rings = [star(14, 0.5), star(9, 1, 50, 50)];
    const shape = outlineShape([tileOf(rings.map((ring, at) => [at, ring] as const))], 1);
    const wanted = rings.reduce((sum, ring) => sum + ringArea(ring), 0);
    expect(areaOf(shape.areas, shape.places) / wanted).toBeCloseTo(1, 4);
    expect(shape.lines.length).toBe(6 * 23);
    expect(Math.max(...shape.lines)).toBe(2 * 23 - 1);
    // The last quad of a ring connects back to its first corner.
    expect([...shape.lines.slice(6 * 13, 6 * 14)]).toEqual([26, 27, 0, 27, 0, 1]);
  });
});

it("offsets the sides of a line so that it is as wide at corners as along edges", () => {
  const square = Float32Array.of(0, 0, 10, 0, 10, 10, 0, 10);
  const spike = Float32Array.of(0, 0, 100, 0.5, 0, 1);
  const { miters } = meshOf(
    tileOf([
      [0, square],
      [1, spike],
    ]),
  );
  const part = LONGEST_MITER / 32_767;
  expect(Math.abs(miters[2]! * part)).toBeCloseTo(1, 3);
  expect(Math.abs(miters[3]! * part)).toBeCloseTo(1, 3);
  // Opposite corners have opposite offsets.
  expect(Math.abs(miters[0]! + miters[4]!)).toBeLessThan(2);
  expect(Math.hypot(miters[10]! * part, miters[11]! * part)).toBeCloseTo(LONGEST_MITER, 3);
});
