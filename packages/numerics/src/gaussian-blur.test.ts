import { expect, it } from "vitest";
import { gaussianBlur } from "./gaussian-blur.ts";
import { Random } from "./random.ts";

/** The formula written out: along rows, then along columns, rounded to floats in between. */
function writtenOut(image: Float32Array, width: number, height: number, sigma: number) {
  const radius = Math.max(1, Math.ceil(3 * sigma));
  const half = Float64Array.from({ length: radius + 1 }, (_, i) =>
    Math.exp((-i * i) / (2 * sigma * sigma)),
  );
  const sum = half.reduce((total, weight, i) => total + (i === 0 ? weight : 2 * weight), 0);
  const along = (from: Float32Array, at: (x: number, y: number, step: number) => number) =>
    Float32Array.from(from, (_, p) => {
      const [x, y] = [p % width, Math.floor(p / width)];
      let value = (half[0] / sum) * from[at(x, y, 0)];
      for (let i = 1; i <= radius; i++) {
        value += (half[i] / sum) * (from[at(x, y, -i)] + from[at(x, y, i)]);
      }
      return value;
    });
  const within = (value: number, size: number): number => Math.min(size - 1, Math.max(0, value));
  const rows = along(image, (x, y, step) => y * width + within(x + step, width));
  return along(rows, (x, y, step) => within(y + step, height) * width + x);
}

it.each([
  [1, 1, 0.8],
  [1, 9, 0.3],
  [6, 1, 2],
  [5, 3, 1.4],
  [37, 23, 0.8],
  [8, 64, 2.77],
])("matches the formula bit for bit on %i × %i px, σ %f", (width, height, sigma) => {
  const random = new Random(7);
  const image = Float32Array.from({ length: width * height }, () => 3 * random.uniform() - 1);
  const before = image.slice();
  expect(gaussianBlur(image, width, height, sigma)).toEqual(
    writtenOut(image, width, height, sigma),
  );
  expect(image).toEqual(before);
  // Memory is reused: a smaller image after a larger one, then the same image again.
  const part = image.subarray(0, width);
  expect(gaussianBlur(part, width, 1, sigma)).toEqual(writtenOut(part, width, 1, sigma));
  expect(gaussianBlur(image, width, height, sigma)).toEqual(
    writtenOut(image, width, height, sigma),
  );
});

it("leaves constant and empty images unchanged", () => {
  const even = new Float32Array(60).fill(0.5);
  gaussianBlur(even, 10, 6, 1.2).forEach((value) => expect(value).toBeCloseTo(0.5, 6));
  expect(gaussianBlur(new Float32Array(0), 0, 0, 1)).toHaveLength(0);
});
