import { describe, expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { multiplyColumn } from "./gene-column.ts";

const random = new Random(7);
const drawn = (length: number): Float32Array =>
  Float32Array.from({ length }, () => (random.uniform() < 0.3 ? 0 : random.gamma(0.4)));
const doubles = (length: number): Float64Array =>
  Float64Array.from({ length }, () => random.gamma(0.5));

/** The formula written out, summed in the same order. */
function dot(matrix: Float32Array, row: number, b: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < b.length; j++) sum += matrix[row * b.length + j] * b[j];
  return sum;
}

describe.each([1, 2, 7, 40])("with %i prototypes", (k) => {
  it.each([1, 5, 512, 1_301])("multiplies %i rows, bit for bit", (nRows) => {
    const [matrix, b] = [drawn(nRows * k), doubles(k)];
    const out = new Float32Array(nRows).fill(9);
    multiplyColumn(matrix, b, out);
    expect(out).toEqual(Float32Array.from(out.keys(), (row) => dot(matrix, row, b)));
  });
});
