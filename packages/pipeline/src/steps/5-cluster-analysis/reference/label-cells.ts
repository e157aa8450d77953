import { setImmediate } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import * as scran from "scran.js";
import { throwIfCancelled } from "../../../errors.ts";
import { cellsFrom, type Rates } from "../../../model/rates.ts";
import type { Reference } from "./read-reference.ts";

/** Number of marker genes for each pair of labels. */
const MARKERS = 20;
/** Cells compared at a time. */
const BLOCK = 2_048;
/** Difference in correlation that multiplies the odds by e; see docs/methods/5-cluster-analysis.md. */
const TEMPERATURE = 0.05;

/**
 * SingleR (Aran et al. 2019; libscran's singlepp): each cell gets the label whose samples correlate best with its rates
 * over the labels' marker genes (Spearman, 0.8 quantile over samples, fine-tuned among the best). nCells × (labels +
 * 1): posterior from a softmax of the scores; the last column, for none, stays 0. Cells are processed in blocks of
 * 2,048; `scran.initialize` must have been called.
 */
export async function labelCells(
  rates: Rates,
  reference: Reference,
  options: { threads: number; signal: AbortSignal; progress(fraction: number): void },
): Promise<Float32Array> {
  const { labels, genes } = reference;
  const nGenes = genes.length;
  const width = labels.length + 1;
  const names = Array.from(genes, String);
  const posterior = new Float32Array(rates.nCells * width);
  const owned: scran.WasmObject[] = [];
  try {
    const loaded = scran.loadLabelCellsReferenceFromBuffers(
      gzipSync(ranksCsv(reference)),
      gzipSync(markersGmt(reference)),
      gzipSync(`${reference.labelOf.join("\n")}\n`),
    );
    owned.push(loaded);
    const trained = scran.trainLabelCellsReference(names, loaded, names, {
      top: MARKERS,
      numberOfThreads: options.threads,
      approximate: false,
    });
    owned.push(trained);
    for (let from = 0; from < rates.nCells; from += BLOCK) {
      const to = Math.min(rates.nCells, from + BLOCK);
      const matrix = scran.initializeDenseMatrixFromDenseArray(
        nGenes,
        to - from,
        await rates.rows(cellsFrom(from, to), genes),
        { columnMajor: true, forceInteger: false },
      );
      const result = scran.labelCells(matrix, trained, { numberOfThreads: options.threads });
      const predicted = result.predicted();
      const scores = labels.map((_, label) => result.scoreForLabel(label));
      for (let cell = from; cell < to; cell++) {
        weigh(scores, cell - from, predicted[cell - from], posterior.subarray(cell * width));
      }
      result.free();
      matrix.free();
      options.progress(to / rates.nCells);
      await setImmediate();
      throwIfCancelled(options.signal);
    }
  } finally {
    for (const object of owned.reverse()) object.free();
  }
  return posterior;
}

/** Softmax of a cell's scores; if fine-tuning chose another label, that label gets the best score. */
function weigh(
  scores: readonly Float64Array[],
  at: number,
  predicted: number,
  out: Float32Array,
): void {
  let top = -Infinity;
  let best = 0;
  scores.forEach((score, label) => {
    if (score[at] > top) [top, best] = [score[at], label];
  });
  const scoreOf = (label: number): number =>
    label === predicted ? top : label === best ? scores[predicted][at] : scores[label][at];
  let total = 0;
  for (let label = 0; label < scores.length; label++) {
    total += out[label] = Math.exp((scoreOf(label) - top) / TEMPERATURE);
  }
  for (let label = 0; label < scores.length; label++) out[label] /= total;
}

/** One line per sample: rank of each gene in it, with ties given equal ranks. */
function ranksCsv({ samples, labelOf, genes }: Reference): string {
  const width = genes.length;
  const lines: string[] = [];
  for (let sample = 0; sample < labelOf.length; sample++) {
    const row = samples.subarray(sample * width, (sample + 1) * width);
    const order = Array.from(row.keys()).sort((a, b) => row[a] - row[b]);
    const ranks = new Int32Array(width);
    order.forEach((gene, i) => {
      const before = order[i - 1];
      ranks[gene] = i > 0 && row[before] === row[gene] ? ranks[before] : i + 1;
    });
    lines.push(ranks.join(","));
  }
  return `${lines.join("\n")}\n`;
}

/** For each ordered pair of labels, the genes that are higher in the first, largest difference first. */
function markersGmt({ samples, labels, labelOf, genes }: Reference): string {
  const width = genes.length;
  const means = labels.map((_, label) => {
    const mean = new Float64Array(width);
    let n = 0;
    for (let sample = 0; sample < labelOf.length; sample++) {
      if (labelOf[sample] !== label) continue;
      n++;
      for (let g = 0; g < width; g++) mean[g] += samples[sample * width + g];
    }
    return mean.map((sum) => sum / Math.max(1, n));
  });
  const lines: string[] = [];
  for (let a = 0; a < labels.length; a++) {
    for (let b = 0; b < labels.length; b++) {
      if (a === b) continue;
      const higher = Array.from(means[a].keys()).filter((g) => means[a][g] > means[b][g]);
      higher.sort((g, h) => means[a][h] - means[b][h] - (means[a][g] - means[b][g]) || g - h);
      lines.push([a, b, ...higher.slice(0, MARKERS)].join("\t"));
    }
  }
  return `${lines.join("\n")}\n`;
}
