import { describe, expect, it } from "vitest";
import { hullArea, ringLength, signedArea } from "./polygon-shape.ts";
import { isSimpleRing, simplifyRing } from "./simplify-ring.ts";
import { traceContour } from "./trace-contour.ts";

const SIZE = 64;

function drawn(inside: (x: number, y: number) => boolean): { labels: Int32Array; start: number } {
  const labels = Int32Array.from({ length: SIZE * SIZE }, (_, p) =>
    inside((p % SIZE) + 0.5, Math.floor(p / SIZE) + 0.5) ? 7 : 0,
  );
  return { labels, start: labels.indexOf(7) };
}

describe("traceContour and simplifyRing", () => {
  it("give a disc its area and a perimeter near 2πr", () => {
    const { labels, start } = drawn((x, y) => Math.hypot(x - 32, y - 32) < 20);
    const ring = simplifyRing(traceContour(labels, SIZE, SIZE, 7, start), 0.6);
    expect(Math.abs(signedArea(ring)) / (Math.PI * 400)).toBeCloseTo(1, 1);
    expect(ringLength(ring) / (2 * Math.PI * 20)).toBeCloseTo(1, 1);
    expect(ring.length / 2).toBeLessThan(40);
    expect(isSimpleRing(ring)).toBe(true);
    expect(signedArea(ring) / hullArea(ring)).toBeGreaterThan(0.97);
  });

  it("give a single pixel a diamond", () => {
    const { labels, start } = drawn((x, y) => x === 10.5 && y === 5.5);
    expect(traceContour(labels, SIZE, SIZE, 7, start)).toEqual([
      10.5, 5, 11, 5.5, 10.5, 6, 10, 5.5,
    ]);
  });

  it("stay simple for a comb with teeth one pixel apart and at the image border", () => {
    const { labels, start } = drawn((x, y) => y < 4 || (y < 40 && Math.floor(x) % 2 === 0));
    const traced = traceContour(labels, SIZE, SIZE, 7, start);
    expect(isSimpleRing(traced)).toBe(true);
    expect(isSimpleRing(simplifyRing(traced, 0.6))).toBe(true);
  });

  it("follow only pixels that share an edge: a diagonal neighbor is a separate piece", () => {
    const { labels, start } = drawn((x, y) => (x < 10 && y < 10) || (x > 10 && y > 10));
    const ring = traceContour(labels, SIZE, SIZE, 7, start);
    expect(Math.abs(signedArea(ring))).toBeCloseTo(100 - 0.5, 5);
  });
});

it("isSimpleRing detects a crossing", () => {
  expect(isSimpleRing([0, 0, 4, 4, 4, 0, 0, 4])).toBe(false);
  expect(isSimpleRing([0, 0, 4, 0, 4, 4, 0, 4])).toBe(true);
});
