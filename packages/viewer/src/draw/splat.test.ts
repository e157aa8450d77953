import { describe, expect, it } from "vitest";
import { coverage, splat, type Splat } from "./splat.ts";

const WIDTH = 24;
const HEIGHT = 16;

function drawn(dots: Partial<Splat>): Uint8Array {
  const pixels = new Uint32Array(WIDTH * HEIGHT).fill(7);
  splat(pixels, WIDTH, HEIGHT, {
    xy: Float32Array.of(0, 0),
    rgba: Uint8Array.of(200, 100, 50, 255),
    center: [0, 0],
    pxPerUnit: 1,
    diameterPx: 4,
    square: true,
    angle: 0,
    edgePx: 0,
    opacity: 1,
    columns: [-1, 1e9],
    ...dots,
  });
  return new Uint8Array(pixels.buffer);
}

/** Alpha of a pixel. */
const at = (rgba: Uint8Array, x: number, y: number): number => rgba[4 * (y * WIDTH + x) + 3]!;
const covered = (rgba: Uint8Array): number => {
  let sum = 0;
  for (let place = 3; place < rgba.length; place += 4) sum += rgba[place]! / 255;
  return sum;
};

describe("splat", () => {
  it("draws a square around its position and clears everything else", () => {
    const rgba = drawn({});
    expect(covered(rgba)).toBe(16);
    expect([...rgba.slice(4 * (6 * WIDTH + 10), 4 * (6 * WIDTH + 10) + 4)]).toEqual([
      200, 100, 50, 255,
    ]);
    expect(at(rgba, 9, 6)).toBe(0);
    expect(at(rgba, 13, 9)).toBe(255);
  });

  it("tiles squares without gaps or overlaps, at any position", () => {
    for (const pxPerUnit of [3.7, 4.31, 5.03]) {
      const xy = Float32Array.from({ length: 2 * 81 }, (_, i) =>
        i % 2 === 0 ? ((i >> 1) % 9) - 4 : Math.floor((i >> 1) / 9) - 4,
      );
      const rgba = drawn({
        xy,
        rgba: new Uint8Array(4 * 81).fill(255),
        center: [0.13, 0.29],
        pxPerUnit,
        diameterPx: pxPerUnit,
        opacity: 0.5,
      });
      const alphas = new Set(rgba.filter((_, place) => place % 4 === 3));
      expect([...alphas]).toEqual([128]);
    }
  });

  it("tiles the squares of a rotated grid without gaps or overlaps", () => {
    for (const angle of [0.02, -0.3, Math.PI / 4]) {
      for (const pxPerUnit of [1.3, 3.7, 5.03]) {
        const side = 41;
        const xy = Float32Array.from({ length: 2 * side ** 2 }, (_, i) => {
          const [u, v] = [((i >> 1) % side) - side / 2, Math.floor((i >> 1) / side) - side / 2];
          return i % 2 === 0
            ? u * Math.cos(angle) - v * Math.sin(angle)
            : u * Math.sin(angle) + v * Math.cos(angle);
        });
        const rgba = drawn({
          xy,
          rgba: new Uint8Array(4 * side ** 2).fill(255),
          center: [0.13, 0.29],
          pxPerUnit,
          diameterPx: pxPerUnit,
          angle,
          opacity: 0.5,
        });
        const alphas = new Set(rgba.filter((_, place) => place % 4 === 3));
        expect([angle, pxPerUnit, ...alphas]).toEqual([angle, pxPerUnit, 128]);
      }
    }
  });

  it("rotates a square and its edge from x toward y", () => {
    const angle = 0.5;
    const dots = { diameterPx: 10, angle };
    const [x, y] = [12 + 4.4 * Math.cos(angle), 8 + 4.4 * Math.sin(angle)];
    // The midpoint of its right side is inside, the mirrored corner outside.
    expect(at(drawn(dots), Math.floor(x), Math.floor(y))).toBe(255);
    expect(covered(drawn(dots))).toBeGreaterThan(92);
    expect(covered(drawn(dots))).toBeLessThan(108);
    const [cornerX, cornerY] = [
      Math.cos(angle) - Math.sin(angle),
      Math.sin(angle) + Math.cos(angle),
    ];
    for (const edgePx of [0, 2]) {
      const rgba = drawn({ ...dots, edgePx });
      expect(
        at(rgba, Math.floor(12 + 4.2 * cornerX), Math.floor(8 + 4.2 * cornerY)),
      ).toBeGreaterThan(100);
      expect(at(rgba, Math.floor(12 + 4.2 * cornerX), Math.floor(8 - 4.2 * cornerY))).toBe(0);
    }
    expect(at(drawn({ ...dots, edgePx: 2 }), 12, 8)).toBe(0);
  });

  it("draws discs of the right size with soft edges", () => {
    for (const diameterPx of [3, 5.5, 9, 13]) {
      const size = covered(drawn({ square: false, diameterPx, center: [0.3, 0.4] }));
      expect(size / ((Math.PI * diameterPx ** 2) / 4)).toBeGreaterThan(0.9);
      expect(size / ((Math.PI * diameterPx ** 2) / 4)).toBeLessThan(1.12);
    }
    expect(coverage(0, 0, 6, false, 0)).toBe(1);
    expect(coverage(3, 0, 6, false, 0)).toBe(0.5);
    expect(coverage(3.6, 0, 6, false, 0)).toBe(0);
  });

  it("draws only the edge when requested", () => {
    for (const square of [true, false]) {
      const rgba = drawn({ square, diameterPx: 12, edgePx: 1.5 });
      expect(at(rgba, 12, 8)).toBe(0);
      expect(at(rgba, 6, 8)).toBeGreaterThan(100);
    }
  });

  it("blends colors by alpha and opacity", () => {
    const two = {
      xy: Float32Array.of(0, 0, 0, 0),
      rgba: Uint8Array.of(255, 0, 0, 255, 0, 0, 255, 255),
      opacity: 0.5,
    };
    const rgba = drawn(two);
    const pixel = [...rgba.slice(4 * (8 * WIDTH + 12), 4 * (8 * WIDTH + 12) + 4)];
    // Half-opaque red under half-opaque blue, premultiplied: a quarter red, half blue, alpha three quarters.
    [64, 0, 128, 191].forEach((part, place) => expect(pixel[place]).toBeCloseTo(part, -0.5));
    const disc = drawn({ ...two, square: false });
    expect([...disc.slice(4 * (8 * WIDTH + 12), 4 * (8 * WIDTH + 12) + 4)]).toEqual(pixel);
  });

  it("draws no transparent dots and nothing outside the columns and edges of the image", () => {
    expect(covered(drawn({ rgba: Uint8Array.of(1, 2, 3, 0) }))).toBe(0);
    for (const square of [true, false]) {
      const half = drawn({ square, diameterPx: 8, columns: [12, 1e9] });
      expect(at(half, 11, 8)).toBe(0);
      expect(at(half, 12, 8)).toBe(255);
      expect(covered(drawn({ square, center: [12, 8] }))).toBeLessThan(5);
      expect(covered(drawn({ square, center: [12, 8] }))).toBeGreaterThan(2);
      expect(covered(drawn({ square, center: [100, 0] }))).toBe(0);
    }
  });
});
