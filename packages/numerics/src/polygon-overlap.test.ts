import { describe, expect, it } from "vitest";
import { polygonDiscArea, polygonSquareArea } from "./polygon-overlap.ts";

const square = (x: number, y: number, side: number): number[] => [
  x - side / 2,
  y - side / 2,
  x + side / 2,
  y - side / 2,
  x + side / 2,
  y + side / 2,
  x - side / 2,
  y + side / 2,
];
const circle = (x: number, y: number, r: number, n: number): number[] =>
  Array.from({ length: n }, (_, k) => (2 * Math.PI * k) / n).flatMap((angle) => [
    x + r * Math.cos(angle),
    y + r * Math.sin(angle),
  ]);
const disc = (ring: number[], x: number, y: number, r: number): number =>
  polygonDiscArea(ring, 0, ring.length / 2, x, y, r);
const bin = (ring: number[], x: number, y: number, side: number): number =>
  polygonSquareArea(ring, 0, ring.length / 2, x, y, side);

describe("polygonDiscArea", () => {
  it("is the polygon's area when the disc covers it, and the disc's when it lies inside", () => {
    expect(disc(square(3, 4, 2), 3, 4, 10)).toBeCloseTo(4, 10);
    expect(disc(square(3, 4, 20), 3, 4, 2)).toBeCloseTo(4 * Math.PI, 10);
    expect(disc(square(3, 4, 2), 30, 4, 10)).toBeCloseTo(0, 10);
  });

  it("is half the disc for a half-plane and a quarter for a quadrant", () => {
    expect(disc(square(50, 0, 100), 0, 0, 3)).toBeCloseTo((9 * Math.PI) / 2, 9);
    expect(disc(square(50, 50, 100), 0, 0, 3)).toBeCloseTo((9 * Math.PI) / 4, 9);
  });

  it("is the lens of two discs", () => {
    const r = 5;
    const d = 6;
    const lens = 2 * r * r * Math.acos(d / (2 * r)) - (d / 2) * Math.sqrt(4 * r * r - d * d);
    expect(disc(circle(d, 0, r, 20_000), 0, 0, r)).toBeCloseTo(lens, 4);
  });

  it("is exactly 0 for polygons that do not touch the disc, on every side of it", () => {
    for (let angle = 0; angle < 7; angle += 0.1) {
      const ring = circle(65 * Math.cos(angle), 65 * Math.sin(angle), 9, 12);
      expect(disc(ring, 0, 0, 55)).toBe(0);
    }
  });

  it("does not count a concave notch", () => {
    // A U around the origin: the square of side 6 minus the notch |x| < 1, y > −1.
    const u = [-3, -3, 3, -3, 3, 3, 1, 3, 1, -1, -1, -1, -1, 3, -3, 3];
    expect(disc(u, 0, 0, 100)).toBeCloseTo(36 - 8, 9);
    expect(disc(u, 0, 1, 0.5)).toBeCloseTo(0, 9);
  });
});

describe("polygonSquareArea", () => {
  it("is the overlap of two squares", () => {
    expect(bin(square(0, 0, 4), 3, 1, 4)).toBeCloseTo(1 * 3, 10);
    expect(bin(square(0, 0, 4), 0, 0, 100)).toBeCloseTo(16, 10);
    expect(bin(square(0, 0, 4), 9, 0, 4)).toBeCloseTo(0, 10);
  });

  it("adds up to the polygon over a grid of bins, even if it is concave", () => {
    const u = [-3, -3, 3, -3, 3, 3, 1, 3, 1, -1, -1, -1, -1, 3, -3, 3];
    let sum = 0;
    for (let x = -5; x <= 5; x += 2) for (let y = -5; y <= 5; y += 2) sum += bin(u, x, y, 2);
    expect(sum).toBeCloseTo(28, 9);
  });
});
