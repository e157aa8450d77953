/**
 * What rates and counts of cells on an HD slide tell beside its bins: simulated cells, or measured ones (pbmc, starmap)
 * below a rendered image, 0.6 mm a side, whose bins lie over the true cells.
 *   node bench/own-bins.ts KIND SEED UMIS_A_BIN [DIR]     e.g. human 1 120, or starmap 1 300
 * Prints the median over genes (all / 306 most variable / markers) of the correlation over all true cells with a draw of
 * what each holds; a cell that was not found counts as 0. About 40 s.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readResult } from "@stipple/pipeline/store/results-folder";
import { evaluateResults } from "../packages/tissue/src/metrics/evaluate-results.ts";
import { mostVariable } from "../packages/tissue/src/metrics/expression-score.ts";
import { median, pearsonPerGene } from "../packages/tissue/src/metrics/correlation.ts";
import { geneOrder, inTruthOrder } from "../packages/tissue/src/metrics/truth-order.ts";
import { readTruth } from "../packages/tissue/src/read-truth.ts";
import { analyze, type TissueKind } from "./judged-tissues/tissues.ts";

const [kind, seed, umis, given] = process.argv.slice(2);
const folder = given ?? join(tmpdir(), `stipple-own-bins-${kind}-${seed}-${umis}`);
const folders = { tissue: join(folder, "tissue"), results: join(folder, "results") };
await analyze(folders, {
  kind: kind as TissueKind,
  seed: Number(seed),
  morphology: 1,
  sizeUm: 600,
  cellDensity: 4200,
  umiPerSpot: Number(umis),
  platform: "hd_visium",
  staining: "h_and_e",
  umPerPx: 0.5,
  image: "own",
});
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
  const tissue = await readTruth(folders.tissue);
  const barcodes = await readResult(folders.results, "spots/barcode");
  const { capture, barcode } = tissue.arrays.find((array) => array.barcode.includes(barcodes[0]))!;
  const rowOf = new Map(barcode.map((name, row) => [name, row]));
  const binsOf: number[][] = Array.from({ length: tissue.nCells }, () => []);
  barcodes.forEach((name, bin) => {
    const row = rowOf.get(name)!;
    let [cell, most] = [-1, 0];
    for (let e = capture.indptr[row]; e < capture.indptr[row + 1]; e++) {
      if (capture.data[e] > most) [cell, most] = [capture.indices[e], capture.data[e]];
    }
    if (cell >= 0) binsOf[cell].push(bin);
  });
  const order = await geneOrder(tissue, folders.results);
  const counts = inTruthOrder(
    await readResult(folders.results, "spots/counts"),
    order,
    tissue.genes.length,
  );
  const perGene = pearsonPerGene(tissue.counts, (cell, row) => {
    for (const bin of binsOf[cell]) {
      for (let e = counts.indptr[bin]; e < counts.indptr[bin + 1]; e++) {
        row[counts.indices[e]] += counts.data[e];
      }
    }
  });
  const over = (genes: readonly number[]): number => median(genes.map((gene) => perGene[gene]));
  return [
    over([...perGene.keys()]),
    over(mostVariable(tissue, 306)),
    over(tissue.genes.flatMap(({ role }, gene) => (role === "marker" ? [gene] : []))),
  ];
}
