import { STEPS } from "@stipple/contract";
import { InputError } from "@stipple/pipeline/errors";
import type { Field, SparseMatrix } from "@stipple/pipeline/fields";
import { Random } from "@stipple/pipeline/numerics/random";
import { openRates } from "@stipple/pipeline/steps/4-vector-transformation/rates";
import { readManifest, readResult } from "@stipple/pipeline/store/results-folder";
import { readTruth, type KnownTissue } from "../read-truth.ts";
import {
  interpolation,
  nearestSpot,
  noiseFreeRate,
  oracleTypeMean,
  trueTypesFitted,
} from "./baselines.ts";
import { median, pearson, pearsonPerGene, spearman, type CellPrediction } from "./correlation.ts";
import { detection, matchByCentre, matchByOverlap, type Detection } from "./detection.ts";
import { adjustedRandIndex, macroF1, type LabelScore } from "./labels.ts";
import { alignTypeNames } from "./type-names.ts";

/** A predicted centre belongs to a true cell when it lies this near, µm. */
const MATCH_UM = 6;
/** How many of the most variable genes are looked at apart; the number that published comparisons use. */
const VARIABLE_GENES = 306;

/** Medians over genes of the per-gene Pearson correlation over all true cells (a missed cell counts as 0). */
export interface ExpressionScore {
  all: number;
  variable: number;
  markers: number;
}

export const METHODS = {
  rate: "Stipple, inferred rate",
  counts: "Stipple, allocated counts",
  shuffled: "control: the rate, cells shuffled",
  nearest: "baseline: nearest spot, true cells",
  interpolation: "baseline: interpolation, true cells",
  typesFitted: "reference: true types fitted",
  oracleType: "ceiling: mean of the true type",
  noiseFree: "ceiling: noise-free rate",
} as const;
export type Method = keyof typeof METHODS;

export interface Evaluation {
  truth: {
    seed: number;
    species: string;
    morphologyInformative: number;
    nCells: number;
    nGenes: number;
  };
  nPredicted: number;
  /** Nuclei whose outlines overlap by half (intersection over union). */
  nuclei: Detection;
  /** Cells whose centres lie within 6 µm. */
  centres: Detection;
  expression: Record<Method, ExpressionScore>;
  typing: LabelScore & {
    /** Macro-F1 over the detected cells alone. */
    macroF1Detected: number;
    /** Adjusted Rand index of types, and of clusters, against the true types over detected cells. */
    ari: number;
    clusterAri: number;
    unknownFraction: number;
    /** Predicted name → true name; null = no true type has this name. */
    names: Record<string, string | null>;
  };
  conservation: { worstGeneDifference: number; relative: number };
  /** Rank correlation over genes of the held-out estimate with the true per-gene correlation. */
  heldout: { rho: number; nGenes: number };
  /** Pearson across genes of per-gene means: blind to wrong cells, given for comparison with reports that use it. */
  acrossGenes: number;
}

/**
 * Judges finished results (steps 0–5) against the truth of a simulated tissue.
 * Throws {@link InputError} when either folder lacks what it should hold. O(cells × genes) a method.
 */
export async function evaluateResults(truthDir: string, resultsDir: string): Promise<Evaluation> {
  const tissue = await readTruth(truthDir);
  for (const { number, name } of STEPS.slice(0, 6)) {
    if (!readManifest(resultsDir, number)) {
      throw new InputError(
        `${resultsDir} holds no finished step ${number} (${name}): run stipple analyze to the end first.`,
      );
    }
  }
  const order = await geneOrder(tissue, resultsDir);
  const xy = await readResult(resultsDir, "cells/xy");
  const radius = MATCH_UM / tissue.parameters.umPerPx;
  const matched = matchByCentre(tissue.xy, xy.data, radius);
  const overlapping = matchByOverlap(
    tissue.nuclei,
    await readResult(resultsDir, "nuclei/polygon"),
    0.5,
  );
  const spotCounts = await readResult(resultsDir, "spots/counts");
  const cellCounts = await readResult(resultsDir, "cells/counts");
  const { expression, perGene, acrossGenes } = await scoreExpression(
    tissue,
    resultsDir,
    matched,
    order,
    spotCounts,
    cellCounts,
  );
  const heldout = await readResult(resultsDir, "genes/heldout_pcc");
  const judged = order.flatMap((to, from) =>
    to >= 0 && Number.isFinite(heldout[from]) ? [[heldout[from]!, perGene[to]!] as const] : [],
  );
  return {
    truth: {
      seed: tissue.parameters.seed,
      species: tissue.parameters.species,
      morphologyInformative: tissue.parameters.morphologyInformative,
      nCells: tissue.nCells,
      nGenes: tissue.genes.length,
    },
    nPredicted: xy.nRows,
    nuclei: detection(count(overlapping), xy.nRows, tissue.nCells),
    centres: detection(count(matched), xy.nRows, tissue.nCells),
    expression,
    typing: await scoreTyping(tissue, resultsDir, matched),
    conservation: conservation(
      spotCounts,
      cellCounts,
      await readResult(resultsDir, "genes/unassigned"),
    ),
    heldout: {
      rho: spearman(
        judged.map(([estimate]) => estimate),
        judged.map(([, known]) => known),
      ),
      nGenes: judged.length,
    },
    acrossGenes,
  };
}

function count(matched: Int32Array): number {
  return matched.reduce((sum, predicted) => sum + (predicted >= 0 ? 1 : 0), 0);
}

/** For each gene of the results its place in the truth, or −1. Throws when they share none. */
async function geneOrder(tissue: KnownTissue, resultsDir: string): Promise<number[]> {
  const place = new Map(tissue.genes.map((gene, index) => [gene.id, index]));
  const order = (await readResult(resultsDir, "genes/id")).map((id) => place.get(id) ?? -1);
  if (order.every((index) => index < 0)) {
    throw new InputError(
      `The results in ${resultsDir} and the truth share no gene: they belong to different samples.`,
    );
  }
  return order;
}

/** The same counts with the truth's genes as columns. */
function inTruthOrder(
  matrix: SparseMatrix,
  order: readonly number[],
  nGenes: number,
): SparseMatrix {
  const indices = new Uint32Array(matrix.indices.length);
  const data = Float32Array.from(matrix.data);
  for (let k = 0; k < indices.length; k++) {
    const to = order[matrix.indices[k]!]!;
    indices[k] = Math.max(0, to);
    if (to < 0) data[k] = 0;
  }
  return { ...matrix, nCols: nGenes, indices, data };
}

async function scoreExpression(
  tissue: KnownTissue,
  resultsDir: string,
  matched: Int32Array,
  order: readonly number[],
  spotCounts: Field<"spots/counts">,
  cellCounts: Field<"cells/counts">,
): Promise<{
  expression: Record<Method, ExpressionScore>;
  perGene: Float64Array;
  acrossGenes: number;
}> {
  const nGenes = tissue.genes.length;
  const scale = await readResult(resultsDir, "sample/scale");
  const spots = {
    xy: (await readResult(resultsDir, "spots/xy")).data,
    barcode: await readResult(resultsDir, "spots/barcode"),
    pitchPx: scale.pitchUm / scale.micronsPerPixel,
    counts: inTruthOrder(spotCounts, order, nGenes),
  };
  const rates = await openRates(resultsDir);
  const rateOf = (cell: number, row: Float32Array): void => {
    const values = rates.rows(cell, cell + 1);
    order.forEach((to, from) => {
      if (to >= 0) row[to] = values[from]!;
    });
  };
  const ofMatched = (predict: CellPrediction, partner: Int32Array): CellPrediction => {
    return (cell, row) => {
      if (partner[cell]! >= 0) predict(partner[cell]!, row);
    };
  };
  const shuffled = Int32Array.from(matched);
  new Random(tissue.parameters.seed).shuffle(shuffled);
  const counts = inTruthOrder(cellCounts, order, nGenes);
  const predictions: Record<Method, CellPrediction> = {
    rate: ofMatched(rateOf, matched),
    counts: ofMatched((cell, row) => {
      for (let k = counts.indptr[cell]!; k < counts.indptr[cell + 1]!; k++) {
        row[counts.indices[k]!]! += counts.data[k]!;
      }
    }, matched),
    shuffled: ofMatched(rateOf, shuffled),
    nearest: nearestSpot(tissue, spots),
    interpolation: interpolation(tissue, spots),
    typesFitted: trueTypesFitted(tissue, spots),
    oracleType: oracleTypeMean(tissue),
    noiseFree: noiseFreeRate(tissue),
  };
  const variable = mostVariable(tissue, VARIABLE_GENES);
  const markers = tissue.genes.flatMap((gene, index) => (gene.role === "marker" ? [index] : []));
  const perGene = pearsonPerGene(tissue.counts, predictions.rate);
  const score = (values: Float64Array): ExpressionScore => ({
    all: median(values),
    variable: median(variable.map((gene) => values[gene]!)),
    markers: median(markers.map((gene) => values[gene]!)),
  });
  const expression = Object.fromEntries(
    (Object.keys(METHODS) as Method[]).map((method) => [
      method,
      score(method === "rate" ? perGene : pearsonPerGene(tissue.counts, predictions[method])),
    ]),
  ) as Record<Method, ExpressionScore>;
  const acrossGenes = pearson(
    geneMeans(tissue.nCells, nGenes, predictions.rate),
    geneMeans(tissue.nCells, nGenes, (cell, row) => {
      for (let k = tissue.counts.indptr[cell]!; k < tissue.counts.indptr[cell + 1]!; k++) {
        row[tissue.counts.indices[k]!] = tissue.counts.data[k]!;
      }
    }),
  );
  return { expression, perGene, acrossGenes };
}

function geneMeans(nCells: number, nGenes: number, predict: CellPrediction): Float64Array {
  const sums = new Float64Array(nGenes);
  const row = new Float32Array(nGenes);
  for (let cell = 0; cell < nCells; cell++) {
    row.fill(0);
    predict(cell, row);
    for (let gene = 0; gene < nGenes; gene++) sums[gene]! += row[gene]! / nCells;
  }
  return sums;
}

/** Genes with the largest variance of log(1 + noise-free rate) over the cells. */
function mostVariable({ rates }: KnownTissue, n: number): number[] {
  const { nRows, nCols, data } = rates;
  const sum = new Float64Array(nCols);
  const squares = new Float64Array(nCols);
  for (let i = 0; i < data.length; i++) {
    const value = Math.log1p(data[i]!);
    sum[i % nCols]! += value;
    squares[i % nCols]! += value * value;
  }
  const variance = squares.map((square, gene) => square / nRows - (sum[gene]! / nRows) ** 2);
  return Array.from(variance.keys())
    .sort((a, b) => variance[b]! - variance[a]!)
    .slice(0, n);
}

async function scoreTyping(
  tissue: KnownTissue,
  resultsDir: string,
  matched: Int32Array,
): Promise<Evaluation["typing"]> {
  const names = await readResult(resultsDir, "types/name");
  const types = await readResult(resultsDir, "cells/cell_type");
  const clusters = await readResult(resultsDir, "cells/cluster");
  const trueTypes = [...new Set(tissue.type)];
  const { predicted, classOf } = alignTypeNames(trueTypes, names);
  const known = tissue.type.map((type) => classOf.get(type)!);
  const said = Array.from(matched, (cell) =>
    cell < 0 ? null : (predicted.get(names[types[cell]!] ?? "") ?? null),
  );
  const detected = [...matched.keys()].filter((cell) => matched[cell]! >= 0);
  const trueOf = detected.map((cell) => known[cell]!);
  const unknown = detected.filter((cell) => said[cell] === null).length;
  return {
    ...macroF1(known, said),
    macroF1Detected: macroF1(
      trueOf,
      detected.map((cell) => said[cell]!),
    ).macroF1,
    ari: adjustedRandIndex(
      detected.map((cell) => tissue.type[cell]!),
      detected.map((cell) => types[matched[cell]!]!),
    ),
    clusterAri: adjustedRandIndex(
      detected.map((cell) => tissue.type[cell]!),
      detected.map((cell) => clusters[matched[cell]!]!),
    ),
    unknownFraction: detected.length > 0 ? unknown / detected.length : 0,
    names: Object.fromEntries(predicted),
  };
}

/** How far allocated plus unassigned counts are from the observed ones: at worst in one gene, and over all. */
function conservation(
  spots: SparseMatrix,
  cells: SparseMatrix,
  unassigned: Float64Array,
): Evaluation["conservation"] {
  const rest = Float64Array.from(unassigned);
  let total = 0;
  for (let k = 0; k < cells.data.length; k++) rest[cells.indices[k]!]! += cells.data[k]!;
  for (let k = 0; k < spots.data.length; k++) {
    rest[spots.indices[k]!]! -= spots.data[k]!;
    total += spots.data[k]!;
  }
  const differences = rest.map(Math.abs);
  return {
    worstGeneDifference: differences.reduce((worst, value) => Math.max(worst, value), 0),
    relative: total > 0 ? differences.reduce((sum, value) => sum + value, 0) / total : 0,
  };
}
