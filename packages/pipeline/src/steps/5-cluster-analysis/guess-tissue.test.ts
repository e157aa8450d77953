import { expect, it } from "vitest";
import type { MarkerSet, Tissue } from "../../markers/marker-set.ts";
import type { GeneStatistics } from "./gene-statistics.ts";
import { guessTissue } from "./guess-tissue.ts";
import type { ResolvedSet } from "./resolve-sets.ts";

/** One type per tissue, with one marker whose mean in the only cluster is the tissue's gain. */
function guess(gains: Partial<Record<Tissue, number>>, isWhole: boolean): string {
  const sets = Object.keys(gains).map((tissue, gene): ResolvedSet => {
    const set = { name: tissue, tissues: [tissue], markers: ["M"], absent: [] };
    return {
      set: set as unknown as MarkerSet,
      present: [{ gene, weight: 1 }],
      absent: [],
      markers: [gene],
      nReliable: 1,
    };
  });
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

it("requires less in a whole transcriptome if no other tissue comes close", () => {
  expect(guess({ lung: 0.1, breast: 0.35 }, true)).toBe("breast");
  expect(guess({ lung: 0.2, breast: 0.35 }, true)).toBe("unknown");
  expect(guess({ lung: 0.1, breast: 0.25 }, true)).toBe("unknown");
  expect(guess({}, true)).toBe("unknown");
});
