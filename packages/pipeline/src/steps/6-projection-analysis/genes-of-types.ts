import type { Matrix } from "@stipple/numerics/matrices";

/**
 * For each of the `count` largest cell types, the reliable gene whose mean rate stands out most from the next
 * highest type, by the difference of log(rate + floor). Returns fewer genes if types share one or have none
 * that stands out. Means per type need only the sums of M: O(nCells · nPrototypes + nTypes · nPrototypes ·
 * nGenes).
 */
export function genesOfTypes(
  membership: Matrix<Float32Array>,
  profile: Matrix<Float32Array>,
  typeOf: Int32Array,
  nTypes: number,
  reliable: Uint8Array,
  count: number,
): number[] {
  const [nPrototypes, nGenes] = [membership.nCols, profile.nCols];
  const sizes = new Float64Array(nTypes);
  const shares = new Float64Array(nTypes * nPrototypes);
  for (let cell = 0; cell < membership.nRows; cell++) {
    const type = typeOf[cell];
    if (type < 0) continue;
    sizes[type] += 1;
    for (let k = 0; k < nPrototypes; k++) {
      shares[type * nPrototypes + k] += membership.data[cell * nPrototypes + k];
    }
  }
  const present = [...sizes.keys()]
    .filter((type) => sizes[type] >= 5)
    .sort((a, b) => sizes[b] - sizes[a]);
  if (present.length < 2) return [];
  const means = new Float64Array(nTypes * nGenes);
  for (const type of present) {
    for (let k = 0; k < nPrototypes; k++) {
      const share = shares[type * nPrototypes + k] / sizes[type];
      for (let gene = 0; gene < nGenes; gene++) {
        means[type * nGenes + gene] += share * profile.data[k * nGenes + gene];
      }
    }
  }
  const genes: number[] = [];
  for (const type of present.slice(0, count)) {
    let [best, bestGap] = [-1, 0];
    for (let gene = 0; gene < nGenes; gene++) {
      if (!reliable[gene] || genes.includes(gene)) continue;
      let other = 0;
      for (const rival of present) {
        if (rival !== type) other = Math.max(other, means[rival * nGenes + gene]);
      }
      const mean = means[type * nGenes + gene];
      // The floor excludes genes that hardly any cell expresses; using the mean favors genes that are visible
      // on the map.
      const gap = Math.log((mean + 0.02) / (other + 0.02));
      if (gap > bestGap) [best, bestGap] = [gene, gap];
    }
    if (best >= 0) genes.push(best);
  }
  return genes;
}
