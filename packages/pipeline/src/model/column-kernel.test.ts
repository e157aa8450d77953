import { describe, expect, it } from "vitest";
import { Random } from "../numerics/random.ts";
import { openColumnKernel } from "./column-kernel.ts";
import { posteriorMean } from "./rate-kernel.ts";

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
    openColumnKernel(k, null).product(matrix, b, out);
    expect(out).toEqual(Float32Array.from(out.keys(), (row) => dot(matrix, row, b)));
  });
});

it("updates rates with the counts of a cell's own bins, bit for bit, for many and few counts of the gene", () => {
  const [nCells, nBins, k, width] = [1_301, 2_100, 9, 5];
  const near = Int32Array.from({ length: nCells * width }, () => random.below(nBins + 300) - 300);
  for (let i = 0; i < near.length; i++) near[i] = Math.max(-1, near[i]);
  // A cell without bins, and one with the first and the last bin.
  near.fill(-1, 0, width).set([0, nBins - 1, -1, -1, -1], width);
  const weight = drawn(nCells * width);
  const [members, exposure, b] = [drawn(nCells * k), drawn(nBins * k), doubles(k)];
  // The expected count of this bin is 0.
  exposure.fill(0, 3 * k, 4 * k);
  const kernel = openColumnKernel(k, {
    near: { nRows: nCells, nCols: width, data: near },
    weight: { nRows: nCells, nCols: width, data: weight },
    nBins,
  });
  for (const share of [0.9, 0.02, 0]) {
    const counted = Uint32Array.from({ length: nBins }, (_, bin) => bin).filter(
      (bin) => share > 0 && (bin === 3 || bin === nBins - 1 || random.uniform() < share),
    );
    const data = Float32Array.from(counted, () => 1 + random.below(4));
    const ratio = new Float32Array(nBins);
    counted.forEach((bin, e) => {
      const mean = dot(exposure, bin, b);
      if (mean > 0) ratio[bin] = data[e] / mean;
    });
    kernel.setRatios(exposure, b, { indices: counted, data });
    expect(kernel.ratio).toEqual(ratio);

    const expected = Float32Array.from({ length: nCells }, (_, cell) => {
      const model = Math.fround(dot(members, cell, b));
      if (near[cell * width] < 0) return model;
      let around = 0;
      for (let n = cell * width; n < (cell + 1) * width; n++) {
        if (near[n] >= 0) around += weight[n] * ratio[near[n]];
      }
      return posteriorMean(model, 0.7, around);
    });
    const rates = new Float32Array(nCells);
    kernel.ownBinRates(members, b, 0.7, rates);
    expect(rates).toEqual(expected);
    for (const bin of counted) kernel.ratio[bin] = 0;
  }
});
