import { polygonArea } from "@stipple/numerics/polygon-area";
import { crossingOf } from "@stipple/numerics/crossing";
import { expect, it } from "vitest";
import { findPieces, type Piece } from "./find-pieces.ts";

const UM_PER_PX = 0.5;
const IMAGE = { width: 13_000, height: 13_000 };

/** Spots of a hexagonal array, 6.5 mm wide, whose places are in tissue. Px. */
function visium(isTissue: (xUm: number, yUm: number) => boolean): [Float64Array, Float64Array] {
  const xy: [number, number][] = [];
  for (let row = 0; row < 75; row++) {
    for (let column = 0; column < 64; column++) {
      const [x, y] = [100 * column + (row % 2) * 50 + 30, 86.6 * row + 30];
      if (isTissue(x, y)) xy.push([x / UM_PER_PX, y / UM_PER_PX]);
    }
  }
  return [Float64Array.from(xy, ([x]) => x), Float64Array.from(xy, ([, y]) => y)];
}
const disc = (cx: number, cy: number, radius: number) => (x: number, y: number) =>
  Math.hypot(x - cx, y - cy) < radius;
const found = (xs: Float64Array, ys: Float64Array, pitchUm = 100): Piece[] =>
  findPieces(xs, ys, { pitchUm, micronsPerPixel: UM_PER_PX }, IMAGE);

/** Each spot lies in the region of one piece, which counts it. */
function expectParted(pieces: readonly Piece[], xs: Float64Array, ys: Float64Array): void {
  const areas = pieces.map(({ polygons }) => polygonArea(polygons));
  const counts = pieces.map(() => 0);
  let lost = 0;
  xs.forEach((x, spot) => {
    const inside = areas.flatMap(({ holds }, at) => (holds(x, ys[spot]) ? [at] : []));
    for (const at of inside) counts[at] += 1;
    if (inside.length !== 1) lost += 1;
  });
  expect(lost).toBe(0);
  expect(counts).toEqual(pieces.map(({ nSpots }) => nSpots));
  for (const { polygons } of pieces) {
    expect(crossingOf(polygons.flat())).toBeNull();
    for (const value of polygons.flat(2).flatMap((ring) => [...ring])) {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(13_000);
    }
  }
}

it("tells the cores of a tissue microarray apart, row by row", () => {
  const cores = [0, 1, 2].flatMap((row) =>
    // Cores are never quite in line.
    [0, 1, 2, 3].map((column) => disc(800 + 1500 * column, 1000 + 1800 * row - 90 * column, 500)),
  );
  const [xs, ys] = visium((x, y) => cores.some((core) => core(x, y)));
  const pieces = found(xs, ys);
  expect(pieces.map(({ name }) => name)).toEqual(cores.map((_, at) => `Piece ${at + 1}`));
  expectParted(pieces, xs, ys);
  pieces.forEach(({ polygons }, at) => {
    const middle = [800 + 1500 * (at % 4), 1000 + 1800 * Math.floor(at / 4) - 90 * (at % 4)];
    expect(polygonArea(polygons).holds(middle[0] / UM_PER_PX, middle[1] / UM_PER_PX)).toBe(true);
  });
});

it("gives debris to the piece next to it, and one inside a ring its own place", () => {
  const ring = (x: number, y: number): boolean =>
    disc(2000, 3000, 1900)(x, y) && !disc(2000, 3000, 1400)(x, y);
  const [xs, ys] = visium(
    (x, y) => ring(x, y) || disc(2000, 3000, 700)(x, y) || disc(5500, 3000, 130)(x, y),
  );
  const pieces = found(xs, ys);
  expect(pieces).toHaveLength(2);
  expectParted(pieces, xs, ys);
  expect(pieces.map(({ polygons }) => polygons.map((rings) => rings.length))).toContainEqual([
    2, 1,
  ]);
});

it("finds none where tissue is whole, torn by less than a gap, or absent", () => {
  expect(found(...visium(() => true))).toEqual([]);
  expect(found(...visium((x) => x < 3000 || x > 3150))).toEqual([]);
  expect(found(...visium(() => false))).toEqual([]);
});

it("measures gaps in µm where bins are small", () => {
  const [xs, ys]: [number[], number[]] = [[], []];
  for (let row = 0; row < 300; row++) {
    for (let column = 0; column < 300; column++) {
      // Gaps of 80 and 400 µm.
      const x = 8 * column + (column > 100 ? 80 : 0) + (column > 200 ? 400 : 0);
      xs.push(x / UM_PER_PX + 100);
      ys.push((8 * row) / UM_PER_PX + 100);
    }
  }
  const places: [Float64Array, Float64Array] = [Float64Array.from(xs), Float64Array.from(ys)];
  const pieces = found(...places, 8);
  expect(pieces.map(({ nSpots }) => nSpots)).toEqual([201 * 300, 99 * 300]);
  expectParted(pieces, ...places);
});
