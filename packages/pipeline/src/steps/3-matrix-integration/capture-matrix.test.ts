import { describe, expect, it } from "vitest";
import type { Polygons } from "@stipple/numerics/matrices";
import { assignSpots } from "./run.ts";
import { captureMatrix, kernelScale } from "./capture-matrix.ts";

const SCALE = { micronsPerPixel: 0.5, spotSizeUm: 55, spotShape: "disc", pitchUm: 100 } as const;
const matrix = (points: number[][]) => ({
  nRows: points.length,
  nCols: 2,
  data: Float64Array.from(points.flat()),
});

function squares(centers: number[][], side: number): Polygons {
  const h = side / 2;
  return {
    offsets: Uint32Array.from({ length: centers.length + 1 }, (_, i) => 4 * i),
    xy: Float32Array.from(
      centers.flatMap(([x, y]) => [x - h, y - h, x + h, y - h, x + h, y + h, x - h, y + h]),
    ),
  };
}

describe("captureMatrix", () => {
  const spots = matrix([
    [500, 500],
    [700, 500],
  ]);
  // Inside the first spot; half in the second (its edge is at 645); between the two.
  const centers = [
    [500, 500],
    [645, 500],
    [600, 560],
  ];
  const request = { spots, cellXy: matrix(centers), polygons: squares(centers, 10), scale: SCALE };

  it("is the cell's share in the spot when there is no bleed", async () => {
    const { weights, bestSpot, totalOverlap } = await captureMatrix({
      ...request,
      bleed: { beta: 0, lengthUm: 80 },
    });
    expect([...weights.indptr]).toEqual([0, 1, 2]);
    expect([...weights.indices]).toEqual([0, 1]);
    expect(weights.data[0]).toBeCloseTo(1, 6);
    expect(weights.data[1]).toBeCloseTo(0.5, 1);
    expect([...bestSpot]).toEqual([0, 1, -1]);
    expect(totalOverlap[2]).toBe(0);
    expect([...assignSpots(bestSpot, request.cellXy, spots, SCALE)]).toEqual([0, 1, 0]);
  });

  it("adds the kernel at the distance of the nucleus, with ascending columns", async () => {
    const bleed = { beta: 0.3, lengthUm: 40 };
    const { weights } = await captureMatrix({ ...request, bleed });
    expect([...weights.indices]).toEqual([0, 1, 2, 0, 1, 2]);
    const kappa = kernelScale(SCALE, 40);
    expect(weights.data[0]).toBeCloseTo(0.7 + 0.3 * kappa, 6);
    expect(weights.data[2]).toBeCloseTo(
      0.3 * kappa * Math.exp(-(0.5 * Math.hypot(100, 60)) / 40),
      6,
    );
  });

  it("loses nothing: spots that tile the plane capture each cell's full weight", async () => {
    const bins: number[][] = [];
    for (let y = 0; y < 60; y++) for (let x = 0; x < 60; x++) bins.push([16 * x + 8, 16 * y + 8]);
    const middle = [[483, 477]];
    const { weights } = await captureMatrix({
      spots: matrix(bins),
      cellXy: matrix(middle),
      polygons: squares(middle, 20),
      scale: { micronsPerPixel: 0.5, spotSizeUm: 8, spotShape: "square" },
      bleed: { beta: 0.25, lengthUm: 40 },
    });
    const sum = weights.data.reduce((total, value) => total + value, 0);
    expect(sum).toBeCloseTo(1, 2);
  });

  it("captures the same in bins that lie turned on the image", async () => {
    const bins: number[][] = [];
    for (let y = 0; y < 20; y++) for (let x = 0; x < 20; x++) bins.push([16 * x + 8, 16 * y + 8]);
    const middle = [[163, 157]];
    const angle = 0.6;
    const turned = ([x, y]: number[]): number[] => [
      900 + x * Math.cos(angle) - y * Math.sin(angle),
      500 + x * Math.sin(angle) + y * Math.cos(angle),
    ];
    const shared = { bleed: { beta: 0.25, lengthUm: 8 } };
    const scale = { micronsPerPixel: 0.5, spotSizeUm: 8, spotShape: "square" } as const;
    const cell = squares(middle, 20);
    const corners = Array.from({ length: 4 }, (_, i) =>
      turned([...cell.xy.slice(2 * i, 2 * i + 2)]),
    );
    const upright = await captureMatrix({
      ...{ ...shared, scale, spots: matrix(bins), cellXy: matrix(middle), polygons: cell },
    });
    const found = await captureMatrix({
      ...{ ...shared, scale: { ...scale, binAngle: angle } },
      ...{ spots: matrix(bins.map(turned)), cellXy: matrix(middle.map(turned)) },
      polygons: { ...cell, xy: Float32Array.from(corners.flat()) },
    });
    expect([...found.weights.indptr]).toEqual([...upright.weights.indptr]);
    found.weights.data.forEach((weight, k) => {
      expect(weight).toBeCloseTo(upright.weights.data[k], 4);
    });
    expect(found.totalOverlap[0]).toBeCloseTo(1, 4);
  });
});
