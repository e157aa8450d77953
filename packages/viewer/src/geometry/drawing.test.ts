import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import { describe, expect, it } from "vitest";
import { camera } from "../scene/camera.ts";
import { largestLevel, tissueTile } from "../source/deep-zoom.ts";
import { firstTiles } from "../source/first-tiles.ts";
import { pointGrid } from "./point-grid.ts";
import { isInside } from "../draw/outline-shape.ts";
import { scaleBar } from "./scale-bar.ts";
import { fitView, project, unproject, visibleBox } from "./view-fit.ts";

describe("pointGrid", () => {
  const n = 2000;
  const xy = Float32Array.from({ length: 2 * n }, (_, i) => ((i * 7919) % 1009) + (i % 2) * 3);
  const grid = pointGrid(xy);

  it("finds the same nearest point as an exhaustive search", () => {
    for (const [x, y] of [
      [500, 500],
      [0, 0],
      [1010, 3],
      [-20, 400],
    ] as const) {
      let best = -1;
      let bestSquare = 900;
      for (let point = 0; point < n; point++) {
        const square = (xy[2 * point]! - x) ** 2 + (xy[2 * point + 1]! - y) ** 2;
        if (square < bestSquare) [best, bestSquare] = [point, square];
      }
      const found = grid.nearest(x, y, 30, () => true);
      const square = found < 0 ? 900 : (xy[2 * found]! - x) ** 2 + (xy[2 * found + 1]! - y) ** 2;
      expect(square).toBe(bestSquare);
      expect(found < 0).toBe(best < 0);
    }
    expect(grid.nearest(500, 500, 30, () => false)).toBe(-1);
  });

  it("lists the points in a rectangle and reveals when there are more than the limit", () => {
    const box = { minX: 100, minY: 100, maxX: 300, maxY: 400 };
    const expected: number[] = [];
    for (let point = 0; point < n; point++) {
      const [x, y] = [xy[2 * point]!, xy[2 * point + 1]!];
      if (x >= 100 && x <= 300 && y >= 100 && y <= 400) expected.push(point);
    }
    expect([...grid.inside(box, n)].sort((a, b) => a - b)).toEqual(expected);
    expect(grid.inside(box, 10)).toHaveLength(11);
  });
});

it("tests whether a point is inside an outline", () => {
  const ring = Float32Array.of(0, 0, 4, 0, 4, 4, 2, 1, 0, 4, 0, 0);
  expect(isInside(ring, 1, 1)).toBe(true);
  expect(isInside(ring, 2, 3)).toBe(false);
  expect(isInside(ring, 5, 1)).toBe(false);
  expect(isInside(new Float32Array(), 0, 0)).toBe(false);
});

it("computes paths and positions of DeepZoom tiles", () => {
  const image = {
    tileSize: 256,
    overlap: 1,
    format: "webp",
    widthPx: 1000,
    heightPx: 600,
    scale: 1,
  };
  expect(largestLevel(image)).toBe(10);
  expect(tissueTile(image, 0, 0, 0)).toEqual({
    path: "tissue_files/10/0_0.webp",
    left: 0,
    top: 0,
    right: 257,
    bottom: 257,
  });
  expect(tissueTile(image, 1, 1, -1)).toEqual({
    path: "tissue_files/9/1_1.webp",
    left: 510,
    top: 510,
    right: 1000,
    bottom: 600,
  });
  expect(tissueTile(image, 4, 0, 0)).toBeUndefined();
  expect(tissueTile(image, 0, 0, -10)?.path).toBe("tissue_files/0/0_0.webp");
  expect(tissueTile(image, 0, 0, -11)).toBeUndefined();
});

it("prefetches the tiles of the first view from the center outward", () => {
  const image = {
    tileSize: 256,
    overlap: 1,
    format: "jpeg",
    widthPx: 4096,
    heightPx: 2048,
    scale: 1,
  };
  // Fitted to 1064 px minus margins, a screen pixel shows 4.1 px: the level a quarter as large has four by two tiles.
  const whole = firstTiles(image, { width: 1064, height: 900 }, null, 0);
  expect([...whole].sort()).toEqual(
    [0, 1, 2, 3].flatMap((x) => [0, 1].map((y) => `tissue_files/10/${x}_${y}.jpeg`)),
  );
  expect(whole.slice(0, 4).every((path) => /[12]_[01]\.jpeg$/.test(path))).toBe(true);
  expect(firstTiles(image, { width: 1064, height: 900 }, null, 1)).toHaveLength(32);
  const near = firstTiles(image, { width: 200, height: 200 }, { x: 10, y: 300, zoom: 0.5 }, 1);
  expect(near).toEqual(["tissue_files/12/0_1.jpeg", "tissue_files/12/0_0.jpeg"]);
});

it("keeps the camera near the data, and is close when a cell is several pixels wide", () => {
  const manifest = {
    micronsPerPixel: 0.5,
    tissue: { tileSize: 256, overlap: 1, format: "jpeg", widthPx: 2000, heightPx: 1000, scale: 1 },
  } as ViewerManifest;
  const eye = camera("tissue", manifest, { size: { width: 1064, height: 564 }, place: null });
  expect(eye.state).toMatchObject({ target: [1000, 500, 0], zoom: -1 });
  expect(eye.umPerPixel()).toBe(1);
  expect(eye.isClose()).toBe(false);
  eye.lookAt({ target: [5000, -10, 0], zoom: 20 });
  expect(eye.state).toMatchObject({ target: [2000, 0, 0], zoom: Math.log2(25) });
  expect(eye.isClose()).toBe(true);
  const [x, y] = eye.fromScreen(...eye.toScreen(1990, 4));
  expect(x).toBeCloseTo(1990, 6);
  expect(y).toBeCloseTo(4, 6);
  eye.lookAt({ target: [0, 0, 0], zoom: -9 });
  expect(eye.state.zoom).toBe(-2.5);
});

it("chooses scale bars of round lengths", () => {
  expect(scaleBar(0.5, 120)).toEqual({ widthPx: 100, text: "50 µm" });
  expect(scaleBar(20, 120)).toEqual({ widthPx: 100, text: "2 mm" });
  expect(scaleBar(0.003, 100).text).toBe("0.2 µm");
});

it("fits a box to a view and converts between data and screen", () => {
  const box = { minX: 0, minY: 0, maxX: 100, maxY: 50 };
  const view = fitView(box, 448, 448, 24);
  expect(view).toEqual({ target: [50, 25, 0], zoom: 2 });
  expect(visibleBox(view, 400, 200)).toEqual(box);
  expect(unproject(view, 400, 200, 0, 0)).toEqual([0, 0]);
  expect(unproject(view, 400, 200, 400, 200)).toEqual([100, 50]);
});

it("fits a turned box to a view and finds what is where", () => {
  const box = { minX: 0, minY: 0, maxX: 100, maxY: 50 };
  const turn = [0, -1, 1, 0] as const;
  const view = { ...fitView(box, 248, 448, 24, turn), turn };
  expect(view).toEqual({ target: [50, 25, 0], zoom: 2, turn });
  expect(visibleBox(view, 200, 400)).toEqual(box);
  // A quarter turn clockwise: its lower left corner is the upper left one.
  expect(unproject(view, 200, 400, 0, 0)).toEqual([0, 50]);
  expect(project(view, 200, 400, 0, 50)).toEqual([0, 0]);
});

it("counts the accepted points in a rectangle", () => {
  const grid = pointGrid(Float32Array.from({ length: 200 }, (_, i) => (i % 2 ? 0 : i / 2)));
  const box = { minX: 10, minY: -1, maxX: 19, maxY: 1 };
  expect(grid.count(box, () => true)).toBe(10);
  expect(grid.count(box, (point) => point % 2 === 0)).toBe(5);
});
