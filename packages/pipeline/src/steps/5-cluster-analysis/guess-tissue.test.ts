import { expect, it } from "vitest";
import type { MarkerSet, Tissue } from "../../markers/marker-set.ts";
import type { GeneStatistics } from "./gene-statistics.ts";
import { guessTissue } from "./guess-tissue.ts";
import type { ResolvedSet } from "./resolve-sets.ts";

/** One type per tissue, with one marker whose mean in the only cluster is the tissue's gain. */
function guess(gains: Partial<Record<Tissue, number>>, isWhole: boolean): string {
  const sets = Object.keys(gains).map((tissue, gene) =>
    setOf(tissue, tissue, [{ gene, weight: 1 }]),
  );
  const statistics = new Map(
    Object.values(gains).map((gain, gene) => [
      gene,
      { clusterMean: Float32Array.of(gain) } as GeneStatistics,
    ]),
  );
  return guessTissue(sets, statistics, [100], isWhole).tissue;
}

it("names a tissue only if its own types clearly raise the clusters' scores", () => {
  expect(guess({ breast: 0.6, lung: 0.55 }, false)).toBe("breast");
  expect(guess({ breast: 0.45, lung: 0.1 }, false)).toBe("unknown");
});

it("is not misled by sets of hardly counted markers in a whole transcriptome", () => {
  const sets = [
    setOf("breast", "breast", [
      { gene: 0, weight: 1 },
      { gene: 1, weight: 0.8 },
    ]),
    setOf("noise", "any", [
      { gene: 2, weight: 0.05 },
      { gene: 3, weight: 0.06 },
    ]),
  ];
  const statistics = new Map(
    [0.8, 0.6, 1, 1.2].map((mean, gene) => [
      gene,
      { clusterMean: Float32Array.of(mean) } as GeneStatistics,
    ]),
  );
  expect(guessTissue(sets, statistics, [100], true).tissue).toBe("breast");
  expect(guessTissue(sets, statistics, [100], false).tissue).toBe("unknown");
});

it("requires less in a whole transcriptome if no other tissue comes close", () => {
  expect(guess({ lung: 0.1, breast: 0.35 }, true)).toBe("breast");
  expect(guess({ lung: 0.2, breast: 0.35 }, true)).toBe("unknown");
  expect(guess({ lung: 0.1, breast: 0.25 }, true)).toBe("unknown");
  expect(guess({}, true)).toBe("unknown");
});

function setOf(name: string, tissue: string, present: ResolvedSet["present"]): ResolvedSet {
  const markers = present.map(({ gene }) => gene);
  const set = { name, tissues: [tissue], markers: markers.map(String), absent: [] };
  return { set: set as unknown as MarkerSet, present, absent: [], markers, nReliable: 1 };
}
