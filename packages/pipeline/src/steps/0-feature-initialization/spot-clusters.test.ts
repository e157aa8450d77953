import { describe, expect, it } from "vitest";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { Random } from "@stipple/numerics/random";
import { rowSums } from "@stipple/numerics/sparse";
import { qualityReport, spotQuality } from "./quality.ts";
import { clusterSpots, N_COMPONENTS } from "./spot-clusters.ts";
import { uniqueNames } from "./name-genes.ts";

/**
 * Spots that cycle through `nGroups` kinds, each with ten genes of its own; spots are empty where `isEmpty` is
 * true.
 */
function spots(
  nSpots: number,
  nGroups: number,
  isEmpty: (spot: number) => boolean = () => false,
): SparseMatrix {
  const random = new Random(11);
  const nGenes = 120;
  const indptr = new Uint32Array(nSpots + 1);
  const indices: number[] = [];
  const data: number[] = [];
  for (let spot = 0; spot < nSpots; spot++) {
    for (let gene = 0; gene < nGenes && !isEmpty(spot); gene++) {
      const own = Math.floor(gene / 10) === spot % nGroups;
      const count = random.poisson(own ? 12 : 0.6);
      if (count === 0) continue;
      indices.push(gene);
      data.push(count);
    }
    indptr[spot + 1] = indices.length;
  }
  return {
    nRows: nSpots,
    nCols: nGenes,
    indptr,
    indices: Uint32Array.from(indices),
    data: Float32Array.from(data),
  };
}

const options = {
  threads: 1,
  seed: 0,
  signal: new AbortController().signal,
  progress: () => undefined,
};

describe("clusterSpots", () => {
  it("finds separate groups and centered components", async () => {
    const counts = spots(240, 3);
    const { cluster, nClusters, components } = await clusterSpots(counts, rowSums(counts), options);
    expect(nClusters).toBe(3);
    for (let spot = 0; spot < 240; spot++) expect(cluster[spot]).toBe(cluster[spot % 3]);
    for (let k = 0; k < N_COMPONENTS; k++) {
      let sum = 0;
      for (let spot = 0; spot < 240; spot++) sum += components.data[spot * N_COMPONENTS + k];
      expect(Math.abs(sum / 240)).toBeLessThan(1e-3);
    }
  });

  it("gives the same result again", async () => {
    const counts = spots(60, 2);
    const first = await clusterSpots(counts, rowSums(counts), options);
    const second = await clusterSpots(counts, rowSums(counts), options);
    expect(second).toEqual(first);
  });

  it.each([0, 1, 2, 3, 5, 12, 49])("handles %i spots", async (nSpots) => {
    const counts = spots(nSpots, 2);
    const { cluster, components } = await clusterSpots(counts, rowSums(counts), options);
    expect(cluster).toHaveLength(nSpots);
    expect(components.data.every(Number.isFinite)).toBe(true);
    expect(cluster.every((own) => own >= 0)).toBe(true);
  });

  it("handles spots without counts", async () => {
    const counts = spots(60, 2, (spot) => spot % 10 === 3);
    const { cluster, components } = await clusterSpots(counts, rowSums(counts), options);
    expect(components.data.every(Number.isFinite)).toBe(true);
    expect(cluster.every((own) => own >= 0)).toBe(true);
    const empty = spots(20, 2, () => true);
    expect((await clusterSpots(empty, rowSums(empty), options)).nClusters).toBe(1);
  });
});

describe("spotQuality", () => {
  it("counts UMIs, genes, and mitochondrial UMIs", () => {
    const counts: SparseMatrix = {
      nRows: 3,
      nCols: 3,
      indptr: Uint32Array.of(0, 2, 3, 3),
      indices: Uint32Array.of(0, 2, 1),
      data: Float32Array.of(3, 1, 6),
    };
    const quality = spotQuality(counts, ["Actb", "Mtor", "mt-Nd1"]);
    expect([...quality.totals]).toEqual([4, 6, 0]);
    expect([...quality.genes]).toEqual([2, 1, 0]);
    const extent = { nSpots: 3, nGenes: 3, nClusters: 1, spotsOnImage: 1 };
    const report = qualityReport(quality, extent, "spot");
    expect(report.totalCounts).toBe(10);
    expect(report.mitochondrialFraction).toBeCloseTo(0.1);
    expect(report.warnings).toContain("1 of 3 spots has no counts at all.");
    expect(qualityReport(quality, extent, "bin").warnings).toEqual([
      "1 of 3 bins has no counts at all.",
    ]);
  });

  it("warns of one spot that holds a large share of all UMIs", () => {
    const warningsOf = (highest: number): string[] => {
      const totals = Float64Array.from({ length: 40 }, (_, spot) => (spot === 3 ? highest : 100));
      const quality = { totals, genes: new Uint32Array(40), mitochondrial: new Float64Array(40) };
      const extent = { nSpots: 40, nGenes: 3, nClusters: 1, spotsOnImage: 1 };
      return qualityReport(quality, extent, "bin").warnings;
    };
    expect(warningsOf(900)).toEqual([]);
    expect(warningsOf(3900)[0]).toMatch(/^One bin holds 50% of all UMIs, .* region to exclude\.$/);
  });
});

describe("uniqueNames", () => {
  it("numbers duplicates as anndata does", () => {
    expect(uniqueNames(["a", "b", "a", "a", "a-1"])).toEqual(["a", "b", "a-2", "a-3", "a-1"]);
  });
});
