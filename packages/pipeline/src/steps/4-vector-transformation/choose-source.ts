import { RATE_SOURCES, type RateSource } from "@stipple/contract";
import { jackknifeVariance, type HeldoutMoments } from "./heldout-moments.ts";

/** Number of genes used to measure the noise of a difference. */
const NOISE_GENES = 400;
const MODEL = RATE_SOURCES.indexOf("model");

export interface SourceChoice {
  /** Index into RATE_SOURCES for each of the genes. */
  source: Uint8Array<ArrayBuffer>;
  /** Source for all other genes. */
  ofOthers: number;
  /** Correlation of the chosen rates for each of the genes; each fold uses the sources chosen on the other folds. */
  correlation: Float32Array<ArrayBuffer>;
  /** Correlation of each source alone for each of the genes. */
  alone: Record<RateSource, Float32Array<ArrayBuffer>>;
  /** Medians over genes, for each source alone and for the chosen rates. */
  medians: Record<RateSource | "chosen", number>;
  /** One source for all genes, or one per gene. */
  rule: RateSource | "by gene";
}

/**
 * Chooses the source of each gene's rate. The lead of a source over the model is the difference of their correlations
 * on Fisher's z scale. Its noise is estimated by leaving out one block at a time, and every gene's lead is shrunk
 * toward the mean over genes to the extent that noise explains the scatter (empirical Bayes), so that with few spots
 * all genes are decided together and with many spots each on its own. A gene switches source if its shrunken lead
 * exceeds its standard error. Whether this helps is itself tested: sources chosen on the other folds predict each fold,
 * and unless these predictions have the highest median correlation, all genes use the single source that does. The
 * chosen rates are thus never worse than interpolation on the held-out spots. `genes` are indices into `moments`; other
 * genes have no vote. The first series in `moments` are the {@link RATE_SOURCES}. O(genes · blocks · sources).
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

/** Source of every gene, by its lead over the model in the given blocks. */
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

/** Jackknife variance of a source's lead over the model, leaving out whole blocks; mean over some genes. */
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
