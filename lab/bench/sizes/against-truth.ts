/**
 * Accuracy of the cells of an `npm run bench:sizes` sample: `node lab/bench/sizes/against-truth.ts PIECE RESULTS...`, where
 * PIECE is the simulated piece from which the sample is made (DIR/piece-…). Prints, for each results folder, the median
 * over the piece's genes of the correlation of the model's rate and of `counts` with the nearest true cell's
 * expression.
 */
import { join } from "node:path";
import Flatbush from "flatbush";
import sharp from "sharp";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { pearson } from "@stipple/numerics/pearson";
import { median } from "@stipple/numerics/quantile";
import { transpose } from "@stipple/numerics/sparse";
import { readResult } from "@stipple/pipeline/results";
import { readTruth } from "@stipple/tissue/read-truth";

/** Maximum distance for matching found cells with true ones, µm. */
const NEAR_UM = 5;

const [piece, ...folders] = process.argv.slice(2);
const truth = await readTruth(piece);
const { width } = await sharp(join(piece, "image.tif"), { limitInputPixels: false }).metadata();
const index = new Flatbush(truth.nCells);
for (let c = 0; c < truth.nCells; c++) index.add(truth.xy[2 * c], truth.xy[2 * c + 1]);
index.finish();

for (const results of folders) {
  const xy = await readResult(results, "cells/xy");
  const { micronsPerPixel } = await readResult(results, "sample/scale");
  const found: number[] = [];
  const trueOf: number[] = [];
  for (let c = 0; c < xy.nRows; c++) {
    const [x, y] = [xy.data[2 * c] % width, xy.data[2 * c + 1] % width];
    const [nearest] = index.neighbors(x, y, 1, NEAR_UM / micronsPerPixel);
    if (nearest === undefined) continue;
    found.push(c);
    trueOf.push(nearest);
  }
  const names = await readResult(results, "genes/name");
  const place = new Map(names.map((name, g) => [name, g]));
  const membership = await readResult(results, "cells/membership");
  const profile = await readResult(results, "genes/profile");
  const counts = columnsOf(await readResult(results, "cells/counts"));
  const expressed = columnsOf(truth.counts);
  const ofModel: number[] = [];
  const ofCounts: number[] = [];
  truth.genes.forEach(({ symbol }, gene) => {
    const at = place.get(symbol);
    if (at === undefined) return;
    const k = membership.nCols;
    const rate = found.map((c) => {
      let sum = 0;
      for (let j = 0; j < k; j++) {
        sum += membership.data[c * k + j] * profile.data[j * profile.nCols + at];
      }
      return sum;
    });
    const real = expressed(gene);
    const given = counts(at);
    const wanted = trueOf.map((cell) => real[cell]);
    ofModel.push(pearson(rate, wanted));
    ofCounts.push(
      pearson(
        found.map((c) => given[c]),
        wanted,
      ),
    );
  });
  const share = ((100 * found.length) / xy.nRows).toFixed(1);
  console.log(
    `${results}: ${share}% of ${xy.nRows} cells known; model's rate ${medianOf(ofModel)}, counts ${medianOf(ofCounts)}`,
  );
}

/** Dense columns of cells × genes. */
function columnsOf(matrix: SparseMatrix): (gene: number) => Float32Array {
  const byGene = transpose(matrix);
  return (gene) => {
    const column = new Float32Array(matrix.nRows);
    for (let e = byGene.indptr[gene]; e < byGene.indptr[gene + 1]; e++) {
      column[byGene.indices[e]] = byGene.data[e];
    }
    return column;
  };
}

function medianOf(values: readonly number[]): string {
  return median(values.filter(Number.isFinite)).toFixed(3);
}
