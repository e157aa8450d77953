import { RATE_SOURCES, type RateSource } from "@stipple/contract";
import { jackknifeVariance, type HeldoutMoments } from "./heldout-moments.ts";

/** Genes that the noise of a difference is measured on. */
const NOISE_GENES = 400;
const MODEL = RATE_SOURCES.indexOf("model");

export interface SourceChoice {
  /** Index into RATE_SOURCES, one for each of the genes. */
  source: Uint8Array<ArrayBuffer>;
  /** The source of all other genes. */
  ofOthers: number;
  /** What the chosen rates reach, each fold judged with sources that the other folds chose; one for each of the genes. */
  correlation: Float32Array<ArrayBuffer>;
  /** One for each of the genes: what every source reaches alone. */
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
 * held-out spots. `genes` are places in `moments`; the others have no vote. The first series of `moments` are the
 * {@link RATE_SOURCES}. O(genes · blocks · sources).
 */
export function chooseSource(
  moments: HeldoutMoments,
  {
    genes,
    blockFold,
    folds,
  }: { genes: readonly number[]; blockFold: readonly number[]; folds: number },
): SourceChoice {
  const whole = leadsOf(
    moments,
    genes,
    blockFold.map(() => true),
  );
  const byFold = Array.from({ length: folds }, (_, fold) =>
    leadsOf(
      moments,
      genes,
      blockFold.map((own) => own !== fold),
    ),
  );
  const reached = (seriesOf: (gene: number, block: number) => number): Float32Array<ArrayBuffer> =>
    Float32Array.from(genes, (g, i) => moments.correlation(g, (block) => seriesOf(i, block)) || 0);
  const of = (name: RateSource): Float32Array<ArrayBuffer> =>
    reached(() => RATE_SOURCES.indexOf(name));
  const alone = {
    model: of("model"),
    interpolation: of("interpolation"),
    spot: of("spot"),
  };
  const byGene = reached((i, block) => byFold[blockFold[block]].source[i]);
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
    source: new Uint8Array(genes.length).fill(one),
    ofOthers: one,
    correlation: alone[best],
    alone,
    medians: { ...medians, chosen: medians[best] },
    rule: best,
  };
}

/** Every gene's source by its lead over the model in some of the blocks. */
function leadsOf(
  moments: HeldoutMoments,
  genes: readonly number[],
  blocks: readonly boolean[],
): { source: Uint8Array<ArrayBuffer>; ofOthers: number } {
  const nGenes = genes.length;
  const source = new Uint8Array(nGenes).fill(MODEL);
  const best = new Float64Array(nGenes);
  let [ofOthers, bestMean] = [MODEL, 0];
  for (let other = 0; other < RATE_SOURCES.length; other++) {
    if (other === MODEL) continue;
    const lead = new Float64Array(nGenes);
    let mean = 0;
    for (let g = 0; g < nGenes; g++) {
      lead[g] = moments.fisher(genes[g], other, blocks) - moments.fisher(genes[g], MODEL, blocks);
      mean += lead[g] / nGenes;
    }
    const scatter = lead.reduce((sum, value) => sum + (value - mean) ** 2, 0) / nGenes;
    const noise = noiseOf(moments, genes, other, blocks);
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

/** Jackknife variance of a source's lead over the model when whole blocks are left out, mean over some genes. */
function noiseOf(
  moments: HeldoutMoments,
  genes: readonly number[],
  source: number,
  blocks: readonly boolean[],
): number {
  const step = Math.max(1, Math.floor(genes.length / NOISE_GENES));
  let [sum, n] = [0, 0];
  for (let i = 0; i < genes.length; i += step) {
    const ofModel = moments.fisherWithoutEach(genes[i], MODEL, blocks);
    const ofSource = moments.fisherWithoutEach(genes[i], source, blocks);
    sum += jackknifeVariance(ofSource.map((value, block) => value - ofModel[block]));
    n++;
  }
  return sum / Math.max(1, n);
}

function middle(values: Float32Array): number {
  return values.toSorted()[values.length >> 1] ?? NaN;
}
