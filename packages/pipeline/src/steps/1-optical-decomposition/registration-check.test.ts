import { describe, expect, it } from "vitest";
import { gaussianBlur } from "@stipple/numerics/gaussian-blur";
import { Random } from "@stipple/numerics/random";
import { findMisplacement, fitOfShifts } from "./registration-check.ts";

const SIDE = 160;
const STEP = 4;

/** Three unrelated cloudy planes, and spots whose expression follows two of them to the degree `follows`. */
function tissue(follows: number, place: (x: number, y: number) => [number, number]) {
  const random = new Random(3);
  const planes = [0, 1, 2].map(() => {
    const cloud = gaussianBlur(
      Float32Array.from({ length: SIDE * SIDE }, () => random.normal()),
      SIDE,
      SIDE,
      4,
    );
    return cloud.map((value) => 15 * value);
  });
  const n = 400;
  const xy = new Float64Array(2 * n);
  const components = new Float32Array(3 * n);
  for (let spot = 0; spot < n; spot++) {
    const x = (random.uniform() * 0.45 + 0.02) * SIDE * STEP;
    const y = (random.uniform() * 0.45 + 0.02) * SIDE * STEP;
    const at = Math.floor(y / STEP) * SIDE + Math.floor(x / STEP);
    components[3 * spot] = follows * planes[0][at] + random.normal();
    components[3 * spot + 1] = follows * planes[1][at] + random.normal();
    components[3 * spot + 2] = random.normal();
    xy.set(place(x, y), 2 * spot);
  }
  return {
    image: {
      width: SIDE,
      height: SIDE,
      step: STEP,
      planes,
      tissue: new Uint8Array(SIDE * SIDE).fill(1),
      file: "image.tif",
      takenAs: 1,
    },
    spots: {
      xy: { nRows: n, nCols: 2, data: xy },
      components: { nRows: n, nCols: 3, data: components },
      positionsFile: "tissue_positions.csv",
      radiusPx: 6,
      pitchPx: 20,
    },
  };
}

/** 64 spots on a lattice, whose expression changes slowly over the tissue and is independent of the image. */
function smoothSpots<T extends object>(spots: T, seed: number) {
  const random = new Random(seed);
  const clouds = Array.from({ length: 3 }, () =>
    gaussianBlur(
      Float32Array.from({ length: SIDE * SIDE }, () => random.normal()),
      SIDE,
      SIDE,
      12,
    ).map((value) => 60 * value),
  );
  const n = 64;
  const xy = new Float64Array(2 * n);
  const components = new Float32Array(3 * n);
  for (let spot = 0; spot < n; spot++) {
    const [x, y] = [(spot % 8) * 35 + 20, Math.floor(spot / 8) * 35 + 20];
    xy.set([x, y], 2 * spot);
    const at = Math.floor(y / STEP) * SIDE + Math.floor(x / STEP);
    clouds.forEach((cloud, axis) => (components[3 * spot + axis] = cloud[at]));
  }
  return {
    ...spots,
    xy: { nRows: n, nCols: 2, data: xy },
    components: { nRows: n, nCols: 3, data: components },
    pitchPx: 35,
    positionsFile: "tissue_positions.csv",
    radiusPx: 6,
  };
}

describe("findMisplacement", () => {
  const size = SIDE * STEP;

  it("finds nothing when spots are correctly placed", () => {
    const { image, spots } = tissue(1.5, (x, y) => [x, y]);
    expect(findMisplacement(image, spots, 0)).toBeNull();
  });

  it.each([
    ["swapped axes", (x: number, y: number) => [y, x], /x and y seem to be swapped/],
    ["an upside-down image", (x: number, y: number) => [size - x, size - y], /upside down/],
    ["a doubled scale", (x: number, y: number) => [2 * x, 2 * y], /about 2\.0 times larger/],
    ["a halved scale", (x: number, y: number) => [x / 2, y / 2], /about 2\.0 times smaller/],
  ] as const)("tells %s", (_, place, sentence) => {
    const { image, spots } = tissue(1.5, place as never);
    expect(findMisplacement(image, spots, 0)).toMatch(sentence);
  });

  it("reports nothing when the image explains no expression, or spots are few", () => {
    const unrelated = tissue(0, (x, y) => [y, x]);
    expect(findMisplacement(unrelated.image, unrelated.spots, 0)).toBeNull();
    const { image, spots } = tissue(1.5, (x, y) => [y, x]);
    const few = { ...spots, xy: { ...spots.xy, nRows: 40 } };
    expect(findMisplacement(image, few, 0)).toBeNull();
  });
});

describe("findMisplacement with few spots", () => {
  it("reports no cause when expression is as smooth as the image but unrelated to it", () => {
    const { image, spots } = tissue(0, (x, y) => [x, y]);
    for (let seed = 1; seed <= 20; seed++) {
      expect(findMisplacement(image, smoothSpots(spots, seed), seed)).toBeNull();
    }
  });
});

describe("fitOfShifts", () => {
  const PITCH = 20;

  it("finds no better position when spots are correctly placed", () => {
    const { image, spots } = tissue(1.5, (x, y) => [x, y]);
    const fit = fitOfShifts(image, spots, 0)!;
    expect(fit.explained).toBeGreaterThan(0.2);
    expect(fit.explainedShifted).toBeLessThan(fit.explained);
  });

  it("finds the shift that reverses a wrong registration", () => {
    const { image, spots } = tissue(1.5, (x, y) => [x + 3 * PITCH, y]);
    const fit = fitOfShifts(image, spots, 0)!;
    expect(fit.explainedShifted).toBeGreaterThan(1.5 * fit.explained);
    expect(fit.shiftPx[0]).toBeCloseTo(-3 * PITCH, 6);
    expect(fit.shiftPx[1]).toBeCloseTo(0, 6);
  });

  it("reports that the image does not explain unrelated expression", () => {
    const { image, spots } = tissue(0, (x, y) => [x, y]);
    expect(fitOfShifts(image, spots, 0)!.explained).toBeLessThan(0.05);
  });
});
