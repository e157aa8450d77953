import type { MarkerSet } from "../markers/marker-set.ts";
import type { LabelProfiles } from "../reference/read-reference.ts";
import type { Species } from "../species/guess-species.ts";
import { genesOf } from "../types/resolve-sets.ts";
import { LEVELS } from "../model/constants.ts";
import { GUARDS } from "../model/limits.ts";

const { HIGH, SOME, ABSENT, PRIOR_SHARE } = LEVELS;
const { MIN_LEVEL, MAX_LEVEL } = GUARDS;
/** Genes of dividing cells, which any type can express. */
const CYCLE = new Set(
  "MKI67 TOP2A CENPF UBE2C CDK1 CCNB1 CCNB2 PCNA HMGB2 STMN1 TUBA1B BIRC5 AURKB MYBL2 MYC MDM2".split(
    " ",
  ),
);

/** What the catalog expects of types in the genes of a sample that it knows. */
export interface ExpectedLevels {
  /** Indices of the genes that the catalog lists for any of the types. */
  genes: Uint32Array;
  /** nTypes × genes, relative to the average cell; the last type is that of none, in which every gene is average. */
  levels: Float64Array;
  nTypes: number;
}

/** Levels of the types' genes, in the order of `types` and then none. O(listed genes · types). */
export function expectedLevels(
  types: readonly MarkerSet[],
  species: Species,
  index: ReadonlyMap<string, number>,
): ExpectedLevels {
  const found = types.map(({ markers, some, absent }) =>
    [markers, some, absent].map((symbols) =>
      symbols
        .filter((symbol) => !CYCLE.has(symbol))
        .flatMap((symbol) => genesOf(symbol, species, index)),
    ),
  );
  const genes = Uint32Array.from(new Set(found.flatMap(([high, some]) => [...high, ...some])));
  genes.sort();
  const at = new Map(Array.from(genes, (gene, place) => [gene, place]));
  const nTypes = types.length + 1;
  const levels = new Float64Array(nTypes * genes.length).fill(1);
  found.forEach(([high, some, absent], t) => {
    const put = (list: readonly number[], level: number): void => {
      for (const gene of list) {
        const place = at.get(gene);
        if (place !== undefined) levels[t * genes.length + place] = level;
      }
    };
    put(some, SOME);
    put(absent, ABSENT);
    put(high, HIGH);
  });
  return { genes, levels, nTypes };
}

/**
 * Levels of a reference's labels relative to their mean, in the order of its labels and then none, in all its genes or in
 * those at the `chosen` places. Differences in capture between reference and sample are up to the bases, which are fitted
 * to the sample. O(labels · genes).
 */
export function referenceLevels(
  { labels, genes, profiles }: LabelProfiles,
  chosen: Iterable<number> = genes.keys(),
): ExpectedLevels {
  const nGenes = genes.length;
  const nLabels = labels.length;
  const mean = new Float64Array(nGenes);
  profiles.forEach((share, i) => (mean[i % nGenes] += share / nLabels));
  const used = Array.from(chosen).filter((at) => mean[at] > 0);
  used.sort((a, b) => genes[a] - genes[b]);
  const nTypes = nLabels + 1;
  const levels = new Float64Array(nTypes * used.length).fill(1);
  for (let t = 0; t < nLabels; t++) {
    used.forEach((at, place) => {
      const level = (profiles[t * nGenes + at] / mean[at] + PRIOR_SHARE) / (1 + PRIOR_SHARE);
      levels[t * used.length + place] = Math.min(MAX_LEVEL, Math.max(MIN_LEVEL, level));
    });
  }
  return { genes: Uint32Array.from(used, (at) => genes[at]), levels, nTypes };
}
