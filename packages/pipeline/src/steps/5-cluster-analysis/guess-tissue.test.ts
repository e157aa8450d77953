import { expect, it } from "vitest";
import type { MarkerSet, Tissue } from "../../markers/marker-set.ts";
import type { GeneStatistics } from "./gene-statistics.ts";
import { guessTissue, guessTissueByCounts } from "./guess-tissue.ts";
import type { ScoredSet } from "./name-clusters.ts";
import type { ResolvedSet } from "./resolve-sets.ts";

const setOf = (tissue: Tissue): MarkerSet =>
  ({ name: tissue, tissues: [tissue], markers: ["M"], absent: [] }) as unknown as MarkerSet;

/** One type per tissue, with one marker whose mean in the only cluster is the tissue's gain. */
function guess(gains: Partial<Record<Tissue, number>>): string {
  const sets = Object.keys(gains).map((tissue, gene): ResolvedSet => ({
    set: setOf(tissue as Tissue),
    present: [{ gene, weight: 1 }],
    absent: [],
    markers: [gene],
    nReliable: 1,
  }));
  const statistics = new Map(
    Object.values(gains).map((gain, gene) => [
      gene,
      { clusterMean: Float32Array.of(gain) } as GeneStatistics,
    ]),
  );
  return guessTissue(sets, statistics, [100]).tissue;
}

/** Clusters with the raise of each type's markers; all standard errors are 0.1. */
function guessByCounts(clusters: Partial<Record<Tissue, number>>[], sizes: number[]): string {
  const sets = new Map(clusters.flatMap(Object.keys).map((key) => [key, setOf(key as Tissue)]));
  const scored = clusters.map((raises) =>
    Object.entries(raises).map(
      ([tissue, raise]) => ({ set: sets.get(tissue)!, raise, error: 0.1 }) as ScoredSet,
    ),
  );
  return guessTissueByCounts(scored, sizes).tissue;
}

it("names a tissue only if its own types clearly raise the clusters' scores", () => {
  expect(guess({ breast: 0.6, lung: 0.55 })).toBe("breast");
  expect(guess({ breast: 0.45, lung: 0.1 })).toBe("unknown");
  expect(guess({})).toBe("unknown");
});

it("names the tissue of a whole transcriptome by the counts of its markers", () => {
  const other = { any: 0.3 };
  expect(guessByCounts([{ breast: 0.4, lung: 0.1 }, other], [100, 100])).toBe("breast");
  // Its types stand out in one cluster of three.
  expect(guessByCounts([{ breast: 0.4, lung: 0.1 }, other, other], [100, 100, 100])).toBe("breast");
  expect(guessByCounts([{ breast: 0.3, lung: 0.1 }, other, other], [100, 100, 100])).toBe(
    "unknown",
  );
});

it("names no tissue if another or ubiquitous types explain the counts nearly as well", () => {
  expect(guessByCounts([{ breast: 0.4, lung: 0.3 }], [100])).toBe("unknown");
  expect(guessByCounts([{ breast: 0.4, any: 0.35 }], [100])).toBe("unknown");
  expect(guessByCounts([], [])).toBe("unknown");
});
