import { median } from "@stipple/numerics/quantile";
import { pearson, pearsonPerGene, type CellPrediction } from "./correlation.ts";
import {
  METHODS,
  ownPredictions,
  type AnalyzedSample,
  type Method,
  type PeerPredictions,
} from "./predictions.ts";
import type { KnownTissue } from "../read-truth.ts";

/** Number of most variable genes scored separately, as in published comparisons. */
const VARIABLE_GENES = 306;

/** Medians over genes of the per-gene Pearson correlation over all true cells (a missed cell counts as 0). */
export interface ExpressionScore {
  all: number;
  variable: number;
  markers: number;
}

export interface ExpressionScores {
  /** Peer methods are included only as far as their predictions are given. */
  methods: Partial<Record<Method, ExpressionScore>> & Record<"rate", ExpressionScore>;
  /** True per-gene correlation of the rate, in the truth's gene order. */
  perGene: Float64Array;
  /** Measures over genes of per-gene summaries, for the rate and for the rate with its cells shuffled. */
  blind: Record<"rate" | "shuffled", BlindScore>;
}

/** What others report: correlations across genes. They ignore which cell has what. */
export interface BlindScore {
  /** Pearson across genes of per-gene means. */
  acrossGenes: number;
  /** Pearson across genes of the fraction of cells in which a gene is detected. */
  detection: number;
}

/** Scores every method on the same true cells. O(cells × genes) per method. */
export async function scoreExpression(
  tissue: KnownTissue,
  sample: AnalyzedSample,
  peers: PeerPredictions | undefined,
): Promise<ExpressionScores> {
  const predictions = {
    ...(await ownPredictions(tissue, sample)),
    ...(await peers?.(tissue, sample)),
  };
  const variable = mostVariable(tissue, VARIABLE_GENES);
  const markers = tissue.genes.flatMap((gene, index) => (gene.role === "marker" ? [index] : []));
  const score = (values: Float64Array): ExpressionScore => ({
    all: median(values),
    variable: median(variable.map((gene) => values[gene])),
    markers: median(markers.map((gene) => values[gene])),
  });
  const perGene = pearsonPerGene(tissue.counts, predictions.rate);
  const methods: ExpressionScores["methods"] = { rate: score(perGene) };
  for (const method of Object.keys(METHODS) as Method[]) {
    const predict = predictions[method];
    if (method !== "rate" && predict)
      methods[method] = score(pearsonPerGene(tissue.counts, predict));
  }
  const known = geneSummaries(
    tissue,
    (cell, row) => {
      for (let k = tissue.counts.indptr[cell]; k < tissue.counts.indptr[cell + 1]; k++) {
        row[tissue.counts.indices[k]] = tissue.counts.data[k]!;
      }
    },
    (count) => (count > 0 ? 1 : 0),
  );
  const blind = (predict: CellPrediction): BlindScore => {
    // A rate λ is detected with probability 1 − exp(−λ).
    const said = geneSummaries(tissue, predict, (rate) => 1 - Math.exp(-rate));
    return {
      acrossGenes: pearson(said.mean, known.mean),
      detection: pearson(said.detected, known.detected),
    };
  };
  return {
    methods,
    perGene,
    blind: { rate: blind(predictions.rate), shuffled: blind(predictions.shuffled) },
  };
}

interface GeneSummaries {
  /** Mean over the cells. */
  mean: Float64Array;
  /** Mean over the cells of the probability that the gene is detected. */
  detected: Float64Array;
}

function geneSummaries(
  tissue: KnownTissue,
  predict: CellPrediction,
  chance: (value: number) => number,
): GeneSummaries {
  const nGenes = tissue.genes.length;
  const mean = new Float64Array(nGenes);
  const detected = new Float64Array(nGenes);
  const row = new Float32Array(nGenes);
  for (let cell = 0; cell < tissue.nCells; cell++) {
    row.fill(0);
    predict(cell, row);
    for (let gene = 0; gene < nGenes; gene++) {
      mean[gene] += row[gene] / tissue.nCells;
      detected[gene] += chance(row[gene]) / tissue.nCells;
    }
  }
  return { mean, detected };
}

/** Genes with the largest variance of log(1 + noise-free rate) over the cells. */
export function mostVariable({ rates }: KnownTissue, n: number): number[] {
  const { nRows, nCols, data } = rates;
  const sum = new Float64Array(nCols);
  const squares = new Float64Array(nCols);
  for (let i = 0; i < data.length; i++) {
    const value = Math.log1p(data[i]);
    sum[i % nCols] += value;
    squares[i % nCols] += value * value;
  }
  const variance = squares.map((square, gene) => square / nRows - (sum[gene] / nRows) ** 2);
  return Array.from(variance.keys())
    .sort((a, b) => variance[b] - variance[a])
    .slice(0, n);
}
