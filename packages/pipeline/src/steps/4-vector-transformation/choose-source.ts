import { RATE_SOURCES, type RateSource } from "@stipple/contract";
import { median } from "@stipple/numerics/quantile";
import { jackknifeVariance, type HeldoutMoments } from "./heldout-moments.ts";
import { ENOUGH } from "../../model/constants.ts";
import { SAMPLES } from "../../model/limits.ts";

export interface SourceChoice {
  /** Source of the rates of all genes. */
  source: RateSource;
  /** Median correlation of each source over the genes. */
  medians: Record<RateSource, number>;
}

/**
 * Chooses the source of the rates of all genes: the model, unless another source clearly predicts held-out spots better.
 * Its lead is the mean difference of the correlations on Fisher's scale, and its error comes from leaving out one block
 * of spots at a time. A prediction of whole spots says nothing about the cells within, where only the model can tell
 * them apart, so a small lead is no reason to give that up. `genes` are indices into `moments`, whose first series are
 * the {@link RATE_SOURCES}. O(genes · blocks · sources).
 */
export function chooseSource(moments: HeldoutMoments, genes: readonly number[]): SourceChoice {
  const medians = bySource((name) => {
    const series = RATE_SOURCES.indexOf(name);
    return median(genes.map((gene) => moments.correlation(gene, series) || 0));
  });
  let [source, most]: [RateSource, number] = ["model", 0];
  for (const other of RATE_SOURCES) {
    if (other === "model") continue;
    const { lead, error } = leadOf(moments, genes, other);
    if (lead > ENOUGH.SURE_FROM * error && lead > most) [source, most] = [other, lead];
  }
  return { source, medians };
}

/** A value for each source. */
export function bySource<T>(valueOf: (name: RateSource) => T): Record<RateSource, T> {
  return {
    model: valueOf("model"),
    interpolation: valueOf("interpolation"),
    spot: valueOf("spot"),
  };
}

/** Mean lead of a source over the model, and its standard error. */
function leadOf(
  moments: HeldoutMoments,
  genes: readonly number[],
  source: RateSource,
): { lead: number; error: number } {
  const [own, model] = [RATE_SOURCES.indexOf(source), RATE_SOURCES.indexOf("model")];
  const step = Math.max(1, Math.floor(genes.length / SAMPLES.SOURCE_GENES));
  const judged = genes.filter((_, i) => i % step === 0);
  const without = new Float64Array(moments.nBlocks);
  let lead = 0;
  for (const gene of judged) {
    lead += (moments.fisher(gene, own) - moments.fisher(gene, model)) / judged.length;
    const [ofSource, ofModel] = [own, model].map((series) =>
      moments.fisherWithoutEach(gene, series),
    );
    ofSource.forEach((value, b) => (without[b] += (value - ofModel[b]) / judged.length));
  }
  return { lead, error: Math.sqrt(jackknifeVariance([...without])) };
}
