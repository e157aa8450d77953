/**
 * What 2 µm bins add on an HD slide, and methods of assigning them to cells, evaluated on tissues with known cells,
 * either simulated or measured (pbmc, starmap), under a rendered image:
 *   node lab/bench/fine-bins.ts [--tissues human-1-120,starmap-1-300] [--size-um 600] [--out DIR]
 * A tissue is given by kind, seed, and UMIs per 8 µm bin. Prints the median per-gene Pearson correlation over all true
 * cells, for all genes, the 306 most variable, and markers: with each cell's content (an independent count, which
 * rewards smooth predictions) and with the captured part of it; and the share of UMIs assigned to the right cell. A
 * missed cell counts as 0. About two minutes per tissue on one core; completed steps are reused.
 */
import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { tmpdir } from "node:os";
import { parseArgs } from "node:util";
import { analysis, type RunRequest } from "@stipple/pipeline";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { readResult } from "@stipple/pipeline/results";
import { median } from "@stipple/numerics/quantile";
import { pearsonPerGene, type CellPrediction } from "@stipple/tissue/metrics/correlation";
import { matchByCenter } from "@stipple/tissue/metrics/detection";
import { mostVariable } from "@stipple/tissue/metrics/expression-score";
import { geneOrder, inTruthOrder } from "@stipple/tissue/metrics/truth-order";
import { readTruth } from "@stipple/tissue/read-truth";
import { assignments } from "./fine-bins/assignments.ts";
import {
  makeTissue,
  settingsOf,
  tissue,
  type JudgedTissue,
  type TissueKind,
} from "./judged-tissues/tissues.ts";

const MATCH_UM = 6;
const VARIABLE_GENES = 306;

const { values } = parseArgs({
  options: {
    tissues: {
      type: "string",
      default: "human-1-120,human-2-120,mouse-3-40,starmap-1-300,starmap-2-120,pbmc-2-300",
    },
    "size-um": { type: "string", default: "600" },
    out: { type: "string", default: join(tmpdir(), "stipple-fine-bins") },
  },
});

for (const name of values.tissues.split(",")) {
  const [kind, seed, umis] = name.split("-");
  const slide = tissue(kind as TissueKind, Number(seed), 1, {
    platform: "hd_visium",
    sizeUm: Number(values["size-um"]),
    umiPerSpot: Number(umis),
    fineBins: true,
  });
  const folder = join(values.out, name);
  const [input, with8, with2] = ["tissue", "8um", "2um"].map((part) => join(folder, part));
  await makeTissue(input, slide);
  await analyze(input, with8, slide, false);
  // The image is the same.
  if (!existsSync(with2)) await cp(with8, with2, { recursive: true });
  await analyze(input, with2, slide, true);
  console.log(`\n${name}`);
  await judge(input, { with2, with8 });
}

/** Runs steps 0–4. */
async function analyze(
  input: string,
  results: string,
  tissue: JudgedTissue,
  fineBins: boolean,
): Promise<void> {
  const request: RunRequest = {
    input,
    results,
    settings: settingsOf(tissue),
    parameters: { "matrix-integration": { fineBins } },
    threads: 2,
    signal: new AbortController().signal,
  };
  for (const step of await analysis.plan(7, request)) {
    if (step <= 4) await analysis.runStep(step, request);
  }
}

async function judge(
  folder: string,
  { with2, with8 }: { with2: string; with8: string },
): Promise<void> {
  const truth = await readTruth(folder);
  const order = await geneOrder(truth, with2);
  const nGenes = truth.genes.length;
  const xy = await readResult(with2, "cells/xy");
  const matched = matchByCenter(truth.xy, xy.data, MATCH_UM / truth.parameters.umPerPx);
  const variable = mostVariable(truth, VARIABLE_GENES);
  const markers = truth.genes.flatMap((gene, index) => (gene.role === "marker" ? [index] : []));
  const captured = truth.captured!;
  const nCaptured = captured.data.reduce((sum, count) => sum + count, 0);
  console.log(`${truth.nCells} cells: all / variable / markers, held | captured | right cell`);
  const report = (name: string, predict: CellPrediction): void => {
    const ofTrue: CellPrediction = (cell, row) => {
      if (matched[cell] >= 0) predict(matched[cell], row);
    };
    const medians = (known: SparseMatrix): string => {
      const scores = pearsonPerGene(known, ofTrue);
      const three = [scores, variable.map((g) => scores[g]), markers.map((g) => scores[g])];
      return three.map((list) => (list.length > 0 ? median(list).toFixed(3) : "none")).join(" / ");
    };
    const row = new Float32Array(nGenes);
    let right = 0;
    for (let cell = 0; cell < truth.nCells; cell++) {
      row.fill(0);
      ofTrue(cell, row);
      for (let k = captured.indptr[cell]; k < captured.indptr[cell + 1]; k++) {
        right += Math.min(captured.data[k], row[captured.indices[k]]);
      }
    }
    const share = name.includes("rates") ? "  " : `${((100 * right) / nCaptured).toFixed(1)}%`;
    console.log(`  ${medians(truth.counts)} | ${medians(captured)} | ${share}  ${name}`);
  };
  const counted = (matrix: SparseMatrix): CellPrediction => {
    const { indptr, indices, data } = inTruthOrder(matrix, order, nGenes);
    return (cell, row) => {
      for (let k = indptr[cell]; k < indptr[cell + 1]; k++) row[indices[k]] += data[k];
    };
  };
  for (const [name, results] of [
    ["8 µm", with8],
    ["2 µm", with2],
  ] as const) {
    const { nCells, nGenes: width, rows } = await readResult(results, "cells/rate");
    const rates = await rows(Uint32Array.from(Array(nCells).keys()));
    report(`${name}, rates of step 4`, (cell, row) => {
      order.forEach((to, from) => {
        if (to >= 0) row[to] = rates[cell * width + from]!;
      });
    });
    report(`${name}, counts of step 4`, counted(await readResult(results, "cells/counts")));
  }
  report("8 µm, the bin at the cell's center", counted(await binAtCenter(with8)));
  const file = join(folder, "binned_outputs/square_002um/filtered_feature_bc_matrix.h5");
  for (const [name, counts] of Object.entries(await assignments(with2, file))) {
    report(name, counted(counts));
  }
}

/** Counts of the 8 µm bin nearest to each found cell. */
async function binAtCenter(results: string): Promise<SparseMatrix> {
  const counts = await readResult(results, "spots/counts");
  const spots = await readResult(results, "spots/xy");
  const xy = await readResult(results, "cells/xy");
  const indptr = new Uint32Array(xy.nRows + 1);
  const [indices, data]: [number[], number[]] = [[], []];
  for (let cell = 0; cell < xy.nRows; cell++) {
    let [best, least] = [-1, Infinity];
    for (let s = 0; s < spots.nRows; s++) {
      const d =
        (spots.data[2 * s] - xy.data[2 * cell]) ** 2 +
        (spots.data[2 * s + 1] - xy.data[2 * cell + 1]) ** 2;
      if (d < least) [best, least] = [s, d];
    }
    for (let k = counts.indptr[best]; k < counts.indptr[best + 1]; k++) {
      indices.push(counts.indices[k]);
      data.push(counts.data[k]);
    }
    indptr[cell + 1] = indices.length;
  }
  return {
    nRows: xy.nRows,
    nCols: counts.nCols,
    indptr,
    indices: Uint32Array.from(indices),
    data: Float32Array.from(data),
  };
}
