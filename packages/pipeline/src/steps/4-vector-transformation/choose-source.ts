import { RATE_SOURCES, type RateSource } from "@stipple/contract";
import { pearson } from "../../numerics/pearson.ts";

/** Genes that the noise of a difference is measured on. */
const NOISE_GENES = 400;
/** Correlations are kept this far from ±1 before they are transformed. */
const MOST = 0.99;
const MODEL = RATE_SOURCES.indexOf("model");

/** One gene in the held-out spots: log counts at equal depth, and what each source predicts of them. */
export type HeldoutGene = Record<RateSource | "observed", Float32Array>;

/** All genes in the held-out spots. */
export interface HeldoutPredictions {
  nGenes: number;
  nSpots: number;
  /** Reads one gene; called a few times for each. */
  gene(index: number): HeldoutGene;
  /** Where each held-out block of spots begins; spots of a block lie side by side. */
  blockStarts: readonly number[];
  /** The fold of every block. */
  blockFold: readonly number[];
  folds: number;
}

export interface SourceChoice {
  /** Index into RATE_SOURCES, one a gene. */
  source: Uint8Array<ArrayBuffer>;
  /** The source of genes that could not be judged. */
  ofOthers: number;
  /** What the chosen rates reach, each fold judged with sources that the other folds chose; nGenes. */
  correlation: Float32Array<ArrayBuffer>;
  /** nGenes each: what every source reaches alone. */
  alone: Record<RateSource, Float32Array<ArrayBuffer>>;
  /** Medians over genes, of every source alone and of the chosen rates. */
  medians: Record<RateSource | "chosen", number>;
  /** One source for all genes, or each gene its own. */
  rule: RateSource | "by gene";
}

/**
 * Chooses where each gene's rate comes from. The lead of a source over the model is the difference of their correlations
 * on Fisher's scale; its noise comes from leaving out blocks in turn, and every gene's lead is drawn towards the mean of
 * all genes by as much as noise explains the scatter (empirical Bayes), so that few spots decide for all genes together
 * and many for each alone. A gene takes another source where its lead is then above its standard error. That this is better is itself
 * tested: sources chosen on the other folds predict each fold, and unless these predictions have the highest median
 * correlation, all genes take the one source that has. So the chosen rates are never behind interpolation on the
 * held-out spots. O(genes · spots · sources).
 */
export function chooseSource(heldout: HeldoutPredictions): SourceChoice {
  const { nGenes, nSpots, blockStarts, blockFold, folds } = heldout;
  const moments = new Moments(heldout);
  const whole = leadsOf(
    moments,
    blockStarts.map(() => true),
  );
  const byFold = Array.from({ length: folds }, (_, fold) =>
    leadsOf(
      moments,
      blockFold.map((own) => own !== fold),
    ),
  );
  const alone: SourceChoice["alone"] = {
    model: new Float32Array(nGenes),
    interpolation: new Float32Array(nGenes),
    spot: new Float32Array(nGenes),
  };
  const byGene = new Float32Array(nGenes);
  const chosen = new Float32Array(nSpots);
  for (let g = 0; g < nGenes; g++) {
    const gene = heldout.gene(g);
    for (const name of RATE_SOURCES) alone[name][g] = pearson(gene[name], gene.observed) || 0;
    for (const [block, start] of blockStarts.entries()) {
      const from = gene[RATE_SOURCES[byFold[blockFold[block]].source[g]]];
      chosen.set(from.subarray(start, blockStarts[block + 1] ?? nSpots), start);
    }
    byGene[g] = pearson(chosen, gene.observed) || 0;
  }
  const medians = {
    model: middle(alone.model),
    interpolation: middle(alone.interpolation),
    spot: middle(alone.spot),
  };
  const best = RATE_SOURCES.reduce((a, b) => (medians[b] > medians[a] ? b : a));
  if (middle(byGene) > medians[best]) {
    return {
      source: whole.source,
      ofOthers: whole.ofOthers,
      correlation: byGene,
      alone,
      medians: { ...medians, chosen: middle(byGene) },
      rule: "by gene",
    };
  }
  const one = RATE_SOURCES.indexOf(best);
  return {
    source: new Uint8Array(nGenes).fill(one),
    ofOthers: one,
    correlation: alone[best],
    alone,
    medians: { ...medians, chosen: medians[best] },
    rule: best,
  };
}

/** Every gene's source by its lead over the model in some of the blocks. */
function leadsOf(
  moments: Moments,
  blocks: readonly boolean[],
): { source: Uint8Array<ArrayBuffer>; ofOthers: number } {
  const { nGenes } = moments;
  const source = new Uint8Array(nGenes).fill(MODEL);
  const best = new Float64Array(nGenes);
  let [ofOthers, bestMean] = [MODEL, 0];
  for (let other = 0; other < RATE_SOURCES.length; other++) {
    if (other === MODEL) continue;
    const lead = new Float64Array(nGenes);
    let mean = 0;
    for (let g = 0; g < nGenes; g++) {
      lead[g] = moments.fisher(g, other, blocks) - moments.fisher(g, MODEL, blocks);
      mean += lead[g] / nGenes;
    }
    const scatter = lead.reduce((sum, value) => sum + (value - mean) ** 2, 0) / nGenes;
    const noise = moments.noise(other, blocks);
    const kept = scatter > 0 ? Math.max(0, scatter - noise) / scatter : 0;
    const error = Math.sqrt(kept * noise);
    for (let g = 0; g < nGenes; g++) {
      const drawn = mean + kept * (lead[g] - mean);
      if (drawn > error && drawn > best[g]) {
        best[g] = drawn;
        source[g] = other;
      }
    }
    if (mean > bestMean) [ofOthers, bestMean] = [other, mean];
  }
  return { source, ofOthers };
}

/** Correlations over any set of blocks, from sums of every block. */
class Moments {
  readonly nGenes: number;
  /** Σa, Σb, Σa², Σb², Σab of every gene, source and block. */
  readonly #sums: Float64Array;
  readonly #sizes: number[];

  constructor(heldout: HeldoutPredictions) {
    const { nGenes, nSpots, blockStarts } = heldout;
    this.nGenes = nGenes;
    this.#sizes = blockStarts.map((start, i) => (blockStarts[i + 1] ?? nSpots) - start);
    this.#sums = new Float64Array(nGenes * RATE_SOURCES.length * blockStarts.length * 5);
    let at = 0;
    for (let g = 0; g < nGenes; g++) {
      const gene = heldout.gene(g);
      for (const name of RATE_SOURCES) {
        for (const [block, start] of blockStarts.entries()) {
          for (let s = start; s < start + this.#sizes[block]; s++) {
            const a = gene[name][s];
            const b = gene.observed[s];
            this.#sums[at] += a;
            this.#sums[at + 1] += b;
            this.#sums[at + 2] += a * a;
            this.#sums[at + 3] += b * b;
            this.#sums[at + 4] += a * b;
          }
          at += 5;
        }
      }
    }
  }

  /** Fisher's transform of a source's correlation with the counts of a gene. */
  fisher(gene: number, source: number, blocks: readonly boolean[], without = -1): number {
    const nBlocks = this.#sizes.length;
    const from = (gene * RATE_SOURCES.length + source) * nBlocks * 5;
    let [n, a, b, aa, bb, ab] = [0, 0, 0, 0, 0, 0];
    for (let block = 0; block < nBlocks; block++) {
      if (!blocks[block] || block === without) continue;
      const at = from + 5 * block;
      n += this.#sizes[block];
      a += this.#sums[at];
      b += this.#sums[at + 1];
      aa += this.#sums[at + 2];
      bb += this.#sums[at + 3];
      ab += this.#sums[at + 4];
    }
    const spread = (aa - (a * a) / n) * (bb - (b * b) / n);
    const r = spread > 1e-12 ? (ab - (a * b) / n) / Math.sqrt(spread) : 0;
    return Math.atanh(Math.max(-MOST, Math.min(MOST, r)));
  }

  /** Jackknife variance of a source's lead over the model when whole blocks are left out, mean over some genes. */
  noise(source: number, blocks: readonly boolean[]): number {
    const used = Array.from(blocks.keys()).filter((block) => blocks[block]);
    const step = Math.max(1, Math.floor(this.nGenes / NOISE_GENES));
    let [sum, genes] = [0, 0];
    for (let g = 0; g < this.nGenes; g += step) {
      const without = used.map(
        (block) => this.fisher(g, source, blocks, block) - this.fisher(g, MODEL, blocks, block),
      );
      const mean = without.reduce((x, y) => x + y, 0) / used.length;
      const squares = without.reduce((total, value) => total + (value - mean) ** 2, 0);
      sum += (squares * (used.length - 1)) / used.length;
      genes++;
    }
    return sum / Math.max(1, genes);
  }
}

function middle(values: Float32Array): number {
  return values.toSorted()[values.length >> 1] ?? NaN;
}
