/**
 * What the rates and counts of cells add to the bins of an HD slide, for simulated or measured (pbmc, starmap) cells
 * under a rendered image, 0.6 mm on a side, with bins over the true cells.
 *   node lab/archive/own-bins.ts KIND SEED UMIS_A_BIN [DIR]     e.g. human 1 120, or starmap 1 300
 * Prints the median over genes (all / 306 most variable / markers) of the correlation over all true cells with a sample
 * drawn from each cell's content; a missed cell counts as 0. About 40 s.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readResult } from "@stipple/pipeline/results";
import { evaluateResults } from "../../packages/tissue/src/metrics/evaluate-results.ts";
import { mostVariable } from "../../packages/tissue/src/metrics/expression-score.ts";
import { median } from "@stipple/numerics/quantile";
import { pearsonPerGene } from "../../packages/tissue/src/metrics/correlation.ts";
import { geneOrder, inTruthOrder } from "../../packages/tissue/src/metrics/truth-order.ts";
import { readTruth } from "../../packages/tissue/src/read-truth.ts";
import { analyze, tissue, type TissueKind } from "../bench/judged-tissues/tissues.ts";

const [kind, seed, umis, given] = process.argv.slice(2);
const folder = given ?? join(tmpdir(), `stipple-own-bins-${kind}-${seed}-${umis}`);
const folders = { tissue: join(folder, "tissue"), results: join(folder, "results") };
const hd = { platform: "hd_visium", sizeUm: 600, umiPerSpot: Number(umis) } as const;
await analyze(folders, tissue(kind as TissueKind, Number(seed), 1, hd));
const { expression, typing } = await evaluateResults(folders.tissue, folders.results);
const show = (name: string, values: readonly number[]): void =>
  console.log(`${name}: ${values.map((value) => value.toFixed(3)).join(" / ")}`);
for (const method of ["rate", "counts", "nearest", "interpolation", "noiseFree"] as const) {
  const score = expression[method];
  if (score) show(method, [score.all, score.variable, score.markers]);
}
show("whole bins, each to the true cell that gives it most", await wholeBins());
show("typing macro-F1", [typing.macroF1]);

async function wholeBins(): Promise<number[]> {
  const truth = await readTruth(folders.tissue);
  const barcodes = await readResult(folders.results, "spots/barcode");
  const { capture, barcode } = truth.arrays.find((array) => array.barcode.includes(barcodes[0]))!;
  const rowOf = new Map(barcode.map((name, row) => [name, row]));
  const binsOf: number[][] = Array.from({ length: truth.nCells }, () => []);
  barcodes.forEach((name, bin) => {
    const row = rowOf.get(name)!;
    let [cell, most] = [-1, 0];
    for (let e = capture.indptr[row]; e < capture.indptr[row + 1]; e++) {
      if (capture.data[e] > most) [cell, most] = [capture.indices[e], capture.data[e]];
    }
    if (cell >= 0) binsOf[cell].push(bin);
  });
  const order = await geneOrder(truth, folders.results);
  const counts = inTruthOrder(
    await readResult(folders.results, "spots/counts"),
    order,
    truth.genes.length,
  );
  const perGene = pearsonPerGene(truth.counts, (cell, row) => {
    for (const bin of binsOf[cell]) {
      for (let e = counts.indptr[bin]; e < counts.indptr[bin + 1]; e++) {
        row[counts.indices[e]] += counts.data[e];
      }
    }
  });
  const over = (genes: readonly number[]): number => median(genes.map((gene) => perGene[gene]));
  return [
    over([...perGene.keys()]),
    over(mostVariable(truth, 306)),
    over(truth.genes.flatMap(({ role }, gene) => (role === "marker" ? [gene] : []))),
  ];
}
