import { expect, it } from "vitest";
import type { MarkerSet, Tissue } from "../markers/marker-set.ts";
import { guessTissue } from "./guess-tissue.ts";
import type { ScoredSet } from "./score-clusters.ts";

const setOf = (tissue: Tissue): MarkerSet =>
  ({ name: tissue, tissues: [tissue], markers: ["M"], absent: [] }) as unknown as MarkerSet;

/** Clusters with the raise of each type's markers; all standard errors are 0.1. */
function guess(clusters: Partial<Record<Tissue, number>>[], sizes: number[]): string {
  const sets = new Map(clusters.flatMap(Object.keys).map((key) => [key, setOf(key as Tissue)]));
  const scored = clusters.map((raises) =>
    Object.entries(raises).map(
      ([tissue, raise]) => ({ set: sets.get(tissue)!, raise, error: 0.1 }) as ScoredSet,
    ),
  );
  return guessTissue(scored, sizes).tissue;
}

it("names the tissue by the counts of its markers", () => {
  const other = { any: 0.3 };
  expect(guess([{ breast: 0.4, lung: 0.1 }, other], [100, 100])).toBe("breast");
  // Its types stand out in one cluster of three.
  expect(guess([{ breast: 0.4, lung: 0.1 }, other, other], [100, 100, 100])).toBe("breast");
  expect(guess([{ breast: 0.3, lung: 0.1 }, other, other], [100, 100, 100])).toBe("unknown");
});

it("names no tissue if another or ubiquitous types explain the counts nearly as well", () => {
  expect(guess([{ breast: 0.4, lung: 0.3 }], [100])).toBe("unknown");
  expect(guess([{ breast: 0.4, any: 0.35 }], [100])).toBe("unknown");
  expect(guess([], [])).toBe("unknown");
});
