import { describe, expect, it } from "vitest";
import { Raster } from "./raster.ts";

function coveredArea(raster: Raster): number {
  let sum = 0;
  for (let at = 3; at < raster.rgba.length; at += 4) sum += raster.rgba[at];
  return sum / 255;
}

describe("Raster", () => {
  it("covers the polygon's area to within one percent", () => {
    const raster = new Raster(40, 40);
    // A triangle with base 20.5 and height 30: area 307.5.
    raster.fillPolygon(Float32Array.of(5.25, 35, 25.75, 35, 12, 5), [255, 0, 0]);
    expect(coveredArea(raster)).toBeCloseTo(307.5, -0.4);
  });

  it("gives a half-covered pixel half the opacity", () => {
    const raster = new Raster(4, 4);
    raster.fillPolygon(Float32Array.of(1, 1, 2.5, 1, 2.5, 2, 1, 2), [10, 20, 30]);
    expect([...raster.rgba.subarray(4 * (4 + 1), 4 * (4 + 2))]).toEqual([10, 20, 30, 255]);
    expect(raster.rgba[4 * (4 + 2) + 3]).toBe(128);
  });

  it("draws the visible part of shapes that cross the edge, and nothing of those outside", () => {
    const raster = new Raster(10, 10);
    raster.fillPolygon(Float32Array.of(-5, -5, 5, -5, 5, 5, -5, 5), [0, 0, 0]);
    raster.fillPolygon(Float32Array.of(50, 50, 60, 50, 60, 60), [0, 0, 0]);
    raster.fillDisc(-20, 5, 3, [0, 0, 0]);
    expect(coveredArea(raster)).toBeCloseTo(25, 5);
  });

  it("draws discs with the right area", () => {
    const raster = new Raster(40, 40);
    raster.fillDisc(20, 20, 10, [0, 0, 0]);
    expect(Math.abs(coveredArea(raster) - Math.PI * 100)).toBeLessThan(4);
  });

  it("blends a translucent color over an opaque one", () => {
    const raster = new Raster(1, 1);
    const pixel = Float32Array.of(0, 0, 1, 0, 1, 1, 0, 1);
    raster.fillPolygon(pixel, [200, 0, 0]);
    raster.fillPolygon(pixel, [0, 100, 0], 0.5);
    expect([...raster.rgba]).toEqual([100, 50, 0, 255]);
  });
});
