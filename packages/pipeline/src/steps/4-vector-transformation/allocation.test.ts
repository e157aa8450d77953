import { expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { transpose } from "@stipple/numerics/sparse";
import { allocateCounts } from "./allocation.ts";

interface SpotCounts {
  seen: Float32Array;
  /** Cells × genes. */
  rates: Float32Array;
  capture: Float32Array;
}

/**
 * The rule written out for one spot: each UMI goes to the first of the cells that lag most, or several at once if they
 * all go to one. The totals of cells count less for genes with few UMIs per cell.
 */
function written({ seen, rates, capture }: SpotCounts): number[][] {
  const nGenes = seen.length;
  const cells = Array.from(capture.keys());
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  const size = cells.map(
    (c) => capture[c] * sum([...rates.subarray(c * nGenes, (c + 1) * nGenes)]),
  );
  const weight = cells.map(
    (c) => 0.7 / Math.max(1, sum(size) > 0 ? (sum([...seen]) * size[c]) / sum(size) : 0),
  );
  const totalLag = cells.map(() => 0);
  return Array.from(seen, (count, gene) => {
    const shares = cells.map((c) => rates[c * nGenes + gene] * capture[c]);
    const ofAll = sum(shares) > 0 ? shares : [...capture];
    const geneLag = cells.map((c) => (count * ofAll[c]) / sum(ofAll));
    const given = cells.map(() => 0);
    const part = count / (count + 0.3 * cells.length);
    cells.forEach((c) => (totalLag[c] += geneLag[c]));
    for (let left = count; left > 0;) {
      const lag = cells.map((c) => geneLag[c] + part * weight[c] * totalLag[c]);
      const best = lag.indexOf(Math.max(...lag));
      const taken = Math.min(left, Math.max(1, Math.floor(geneLag[best])));
      given[best] += taken;
      geneLag[best] -= taken;
      totalLag[best] -= taken;
      left -= taken;
    }
    return given;
  });
}

it.each([2, 3, 4, 7, 32, 33])("allocates to %i cells exactly as the formula does", async (n) => {
  const random = new Random(n);
  for (const nGenes of [1, 63, 64, 200, 130]) {
    // Genes with no counts, one, and many; genes without a rate in any cell, and identical cells.
    const seen = Float32Array.from({ length: nGenes }, () =>
      random.poisson(random.gamma(0.2) * 20),
    );
    const rates = Float32Array.from({ length: n * nGenes }, (_, i) =>
      (i % nGenes) % 9 === 0 ? 0 : i < 2 * nGenes ? 0.5 : random.gamma(0.3),
    );
    const capture = Float32Array.from({ length: n }, (_, c) => (c < 2 ? 1 : random.uniform()));
    const genes = [...seen.keys()].filter((gene) => seen[gene] > 0);
    const counts = {
      nRows: 1,
      nCols: nGenes,
      indptr: Uint32Array.of(0, genes.length),
      indices: Uint32Array.from(genes),
      data: Float32Array.from(genes, (gene) => seen[gene]),
    };
    // Each cell is a prototype of its own.
    const membership = new Float32Array(n * n);
    for (let c = 0; c < n; c++) membership[c * n + c] = 1;
    const { counts: given } = await allocateCounts(transpose(counts), {
      overlap: {
        nRows: 1,
        nCols: n,
        indptr: Uint32Array.of(0, n),
        indices: Uint32Array.from({ length: n }, (_, c) => c),
        data: capture,
      },
      membership,
      profile: rates,
      k: n,
    });
    const found = new Float32Array(n * nGenes);
    for (let c = 0; c < n; c++) {
      for (let e = given.indptr[c]; e < given.indptr[c + 1]; e++) {
        found[given.indices[e] * n + c] = given.data[e]!;
      }
    }
    expect([...found]).toEqual(written({ seen, rates, capture }).flat());
  }
});
