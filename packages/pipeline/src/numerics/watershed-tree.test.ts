import { describe, expect, it } from "vitest";
import { watershedTree } from "./watershed-tree.ts";

/** Sum of cones: height r − distance to each center, where positive. */
function cones(width: number, height: number, hills: [number, number, number][]) {
  const heights = new Float32Array(width * height);
  const mask = new Uint8Array(width * height);
  for (let p = 0; p < heights.length; p++) {
    for (const [x, y, r] of hills) {
      const h = (r - Math.hypot((p % width) - x, Math.floor(p / width) - y)) / 8;
      if (h > heights[p]) heights[p] = h;
    }
    mask[p] = heights[p] > 0 ? 1 : 0;
  }
  return { heights, mask };
}

describe("watershedTree", () => {
  it("finds each hill and the height of the pass between two", () => {
    const { heights, mask } = cones(60, 40, [
      [18, 20, 12],
      [34, 20, 10],
    ]);
    const tree = watershedTree(heights, mask, 60, 40, { minDepth: 0.05, maxArea: 4000 });
    expect(tree.nLeaves).toBe(2);
    expect(tree.count).toBe(3);
    expect([...tree.peak.subarray(0, 2)].sort()).toEqual([1.25, 1.5]);
    // The cones meet where 12 − t = 10 − (16 − t): 9 px from the larger one, at 3 / 8.
    expect(tree.pass[2]).toBeCloseTo(3 / 8, 5);
    expect(tree.labels[20 * 60 + 18]).not.toBe(tree.labels[20 * 60 + 34]);
    expect(tree.labels[0]).toBe(-1);
  });

  it("merges a hill that rises less than minDepth above its pass", () => {
    const { heights, mask } = cones(60, 40, [
      [18, 20, 12],
      [34, 20, 10],
    ]);
    const tree = watershedTree(heights, mask, 60, 40, { minDepth: 0.9, maxArea: 4000 });
    expect(tree.nLeaves).toBe(1);
    expect(tree.count).toBe(1);
  });

  it("forms no union larger than maxArea", () => {
    const { heights, mask } = cones(60, 40, [
      [18, 20, 12],
      [34, 20, 10],
    ]);
    const tree = watershedTree(heights, mask, 60, 40, { minDepth: 0.05, maxArea: 600 });
    expect(tree.nLeaves).toBe(2);
    expect(tree.count).toBe(2);
  });

  it("keeps disconnected hills apart", () => {
    const { heights, mask } = cones(90, 40, [
      [15, 20, 9],
      [45, 20, 9],
      [75, 20, 9],
    ]);
    const tree = watershedTree(heights, mask, 90, 40, { minDepth: 0.05, maxArea: 4000 });
    expect(tree.nLeaves).toBe(3);
    expect([...tree.parent]).toEqual([-1, -1, -1]);
  });
});
