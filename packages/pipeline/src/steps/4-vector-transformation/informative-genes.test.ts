import { expect, it } from "vitest";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { Random } from "@stipple/numerics/random";
import { geneExcess, informativeGenes, varyingGenes } from "./informative-genes.ts";

const N_SPOTS = 120;

/** Poisson counts, genes × spots, with the given mean of each gene in each spot. */
function countsOf(nGenes: number, mean: (gene: number, spot: number) => number): SparseMatrix {
  const random = new Random(3);
  const [indptr, indices, data]: [number[], number[], number[]] = [[0], [], []];
  for (let gene = 0; gene < nGenes; gene++) {
    for (let spot = 0; spot < N_SPOTS; spot++) {
      const count = random.poisson(mean(gene, spot));
      if (count > 0) {
        indices.push(spot);
        data.push(count);
      }
    }
    indptr.push(indices.length);
  }
  return {
    nRows: nGenes,
    nCols: N_SPOTS,
    indptr: Uint32Array.from(indptr),
    indices: Uint32Array.from(indices),
    data: Float32Array.from(data),
  };
}

const isMarker = (gene: number): boolean => gene < 40;
/** 40 marker genes three times as high in half of the spots, and many rare genes that are uniform. */
const transcriptome = countsOf(4000, (gene, spot) =>
  isMarker(gene) ? (spot % 2 === 0 ? 6 : 2) : 0.18,
);

it("finds variable genes among thousands of rare ones that vary only by chance", () => {
  const { genes, excess } = informativeGenes(transcriptome, 40);
  expect(genes.filter(isMarker).length).toBeGreaterThanOrEqual(36);
  expect(excess.every((value, i) => value > 0 && value <= (excess[i - 1] ?? Infinity))).toBe(true);
  const all = geneExcess(transcriptome);
  const flat = Array.from(all.keys()).filter((gene) => !isMarker(gene) && all[gene] > 0);
  // Some exceed two standard errors by chance, more often if counts are skewed.
  expect(flat.length / 4000).toBeLessThan(0.06);
});

it("gives a vote to genes that vary, or to all genes if hardly any does", () => {
  const excess = Float64Array.from({ length: 100 }, (_, gene) => (gene < 30 ? 1 : 0));
  const genes = Array.from({ length: 100 }, (_, gene) => gene);
  expect(varyingGenes(genes, excess)).toEqual(genes.slice(0, 30));
  expect(varyingGenes(genes.slice(15), excess)).toEqual(genes.slice(15));
});

it("uses the raw excess when hardly any gene clearly varies", () => {
  const alike = countsOf(30, () => 3);
  const excess = geneExcess(alike);
  const above = excess.filter((value) => value > 0).length;
  expect(above).toBeGreaterThan(5);
  expect(above).toBeLessThan(25);
});
