import { describe, expect, it, vi } from "vitest";
import { shapeArea } from "../geometry/shape.ts";
import { clickTool } from "./click-tool.ts";
import { isInside } from "../draw/outline-shape.ts";
import { goesThrough, mergedRing, splitRing } from "./nucleus-rings.ts";
import { rulerTool } from "./ruler-tool.ts";
import { flatGround } from "./testing/flat-ground.ts";

const rect = (x: number, y: number, width: number, height: number): Float64Array =>
  Float64Array.of(x, y, x + width, y, x + width, y + height, x, y + height);
const areaOf = (...rings: Float64Array[]): number => shapeArea(rings.map((ring) => [ring]));

describe("merging", () => {
  it("keeps the area of nuclei that touch, in any direction of their corners", () => {
    const turned = Float64Array.of(20, 10, 20, 0, 10, 0, 10, 10);
    const merged = mergedRing([rect(0, 0, 10, 10), turned], 1.5)!;
    expect(areaOf(merged)).toBeCloseTo(200, 1);
    expect(isInside(merged, 10, 5)).toBe(true);
  });

  it("closes a narrow gap, adding no more than it, and refuses nuclei farther apart", () => {
    const merged = mergedRing([rect(0, 0, 10, 10), rect(11, 0, 10, 10)], 1.5)!;
    expect(areaOf(merged)).toBeCloseTo(210, 1);
    expect(mergedRing([rect(0, 0, 10, 10), rect(13, 0, 10, 10)], 1.5)).toBeNull();
  });
});

describe("splitting", () => {
  it("keeps the area, on both sides of a line through the nucleus", () => {
    const pieces = splitRing(rect(0, 0, 20, 10), [5, -3, 15, 13]);
    expect(pieces).toHaveLength(2);
    expect(areaOf(...pieces)).toBeCloseTo(200, 1);
    expect(pieces.filter((ring) => isInside(ring, 1, 5))).toHaveLength(1);
  });

  it("leaves a nucleus that the line only touches, or cuts a crumb off", () => {
    const ring = rect(0, 0, 20, 10);
    expect(splitRing(ring, [-5, 20, 25, 20])).toEqual([ring]);
    expect(splitRing(ring, [-5, 0.1, 25, 0.1])).toEqual([ring]);
  });

  it("needs a line that goes in and out again", () => {
    const ring = rect(0, 0, 20, 10);
    expect(goesThrough([10, -5, 10, 15], ring)).toBe(true);
    expect(goesThrough([10, -5, 10, 5], ring)).toBe(false);
    expect(goesThrough([30, -5, 30, 15], ring)).toBe(false);
  });
});

describe("tools", () => {
  it("tell a line once it is drawn, by pointer or keys, and forget it", () => {
    const [onSketch, onLine] = [vi.fn(), vi.fn()];
    const ground = flatGround(rulerTool({ onSketch, onLine }));
    ground.drag([
      [1, 2],
      [30, 40],
    ]);
    ground.press("c");
    ground.press("c");
    expect(onLine.mock.calls).toEqual([[[1, 2, 30, 40]], [[50, 40, 50, 40]]]);
    expect(onSketch).toHaveBeenLastCalledWith(null);
  });

  it("tell clicks, also of the middle with C, and pass on other keys", () => {
    const [onClick, onKey] = [vi.fn(), vi.fn((key: string) => key === "Delete")];
    const ground = flatGround(clickTool({ onClick, onKey }));
    ground.drag([[7, 8]]);
    expect(ground.press("C")).toBe(true);
    expect(onClick.mock.calls).toEqual([
      [7, 8],
      [50, 40],
    ]);
    expect(ground.press("Delete")).toBe(true);
    expect(ground.press("x")).toBe(false);
  });
});
