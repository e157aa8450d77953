import type { AlignmentScale, ImageFacts } from "../../../facts.ts";
import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import { colorBar } from "../../../figures/color-bar.ts";
import { writePng } from "../../../figures/figure.ts";
import { PANEL_SIDE_PX, tissuePanel } from "../../../figures/tissue-panel.ts";
import { viridis } from "../../../figures/palette.ts";
import { captureNoun } from "../../../model/row-noun.ts";
import { spotsLayer } from "../../../figures/spots-layer.ts";
import { tissueFrame } from "../../../figures/tissue-frame.ts";

/** Maps of rarer genes show only noise. */
const MIN_UMIS = 50;
const PER = 10_000;

export interface SpotGenes {
  xy: Matrix;
  /** nSpots × nGenes, UMIs. */
  counts: SparseMatrix;
  cluster: Int32Array;
  names: readonly string[];
  scale: AlignmentScale;
  facts: ImageFacts;
}

/**
 * Genes that distinguish clusters of spots: for each of the largest clusters, the gene whose mean (UMIs per
 * 10,000) is highest above the mean of all clusters, in standard deviations of the counting noise. Each gene is
 * used once. O(entries + clusters · genes).
 */
export function distinctiveSpotGenes(
  { counts, cluster }: Pick<SpotGenes, "counts" | "cluster">,
  most: number,
): number[] {
  const nClusters = cluster.reduce((largest, own) => Math.max(largest, own), -1) + 1;
  const means = Array.from({ length: nClusters }, () => new Float64Array(counts.nCols));
  const sizes = new Uint32Array(nClusters);
  const totals = new Float64Array(counts.nCols);
  for (let spot = 0; spot < counts.nRows; spot++) {
    const [from, to] = [counts.indptr[spot], counts.indptr[spot + 1]];
    let depth = 0;
    for (let k = from; k < to; k++) depth += counts.data[k];
    if (depth === 0 || cluster[spot] < 0) continue;
    sizes[cluster[spot]] += 1;
    for (let k = from; k < to; k++) {
      means[cluster[spot]][counts.indices[k]] += (PER * counts.data[k]) / depth;
      totals[counts.indices[k]] += counts.data[k];
    }
  }
  for (const [own, sums] of means.entries()) {
    for (let gene = 0; gene < sums.length; gene++) sums[gene] /= Math.max(1, sizes[own]);
  }
  const chosen: number[] = [];
  const order = [...sizes.keys()].sort((a, b) => sizes[b] - sizes[a]);
  for (const own of order.slice(0, most)) {
    let [best, height] = [-1, 0];
    for (let gene = 0; gene < counts.nCols; gene++) {
      if (totals[gene] < MIN_UMIS || chosen.includes(gene)) continue;
      const mean = means.reduce((sum, of) => sum + of[gene], 0) / nClusters;
      const above = (means[own][gene] - mean) / Math.sqrt(mean);
      if (above > height) [best, height] = [gene, above];
    }
    if (best >= 0) chosen.push(best);
  }
  return chosen;
}

/**
 * Draws gene maps by spot on a white background and returns their paths. `pathOf` maps a file name to a path.
 */
export async function writeSpotGeneFigures(
  sample: SpotGenes,
  genes: readonly number[],
  pathOf: (file: string) => string,
  signal: AbortSignal,
): Promise<string[]> {
  const { xy, counts, names, scale, facts } = sample;
  const panel = await tissuePanel(null, facts, xy, {
    longSidePx: PANEL_SIDE_PX,
    micronsPerPixel: scale.micronsPerPixel,
    signal,
  });
  const paths: string[] = [];
  for (const gene of genes) {
    const values = perSpot(counts, gene);
    const sorted = values.toSorted();
    const top = sorted[Math.floor((sorted.length - 1) * 0.99)] || sorted.at(-1) || 1;
    const figure = tissueFrame(
      panel,
      {
        title: names[gene],
        subtitle: `Measured: UMIs in ${PER.toLocaleString("en-US")} of each ${captureNoun(scale)}`,
      },
      (x, y) =>
        spotsLayer(panel, x, y, { xy, scale, colorOf: (spot) => viridis(values[spot] / top) }),
      colorBar("UMIs", top),
    );
    const path = pathOf(`spot_gene_${names[gene].replace(/[^\w.-]/g, "_")}.png`);
    await writePng(path, figure);
    paths.push(path);
  }
  return paths;
}

/** Values of one gene in all spots: UMIs per 10,000. */
function perSpot(counts: SparseMatrix, gene: number): Float32Array {
  return Float32Array.from({ length: counts.nRows }, (_, spot) => {
    let [depth, own] = [0, 0];
    for (let k = counts.indptr[spot]; k < counts.indptr[spot + 1]; k++) {
      depth += counts.data[k];
      if (counts.indices[k] === gene) own = counts.data[k];
    }
    return depth === 0 ? 0 : (PER * own) / depth;
  });
}
