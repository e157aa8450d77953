import { expect, it } from "vitest";
import type { MarkerSet } from "../markers/marker-set.ts";
import { guessTissue, type TissueGuess } from "./guess-tissue.ts";
import type { ScoredSet } from "./score-clusters.ts";

const setOf = (name: string): MarkerSet =>
  ({ name, tissues: name.split(" "), markers: ["M"], absent: [] }) as unknown as MarkerSet;

/** Clusters with the raise of each type's markers; all standard errors are 0.1. Types are of the tissues in their names. */
function guess(clusters: Record<string, number>[], sizes: number[]): TissueGuess {
  const sets = new Map(clusters.flatMap(Object.keys).map((key) => [key, setOf(key)]));
  const scored = clusters.map((raises) =>
    Object.entries(raises).map(
      ([name, raise]) => ({ set: sets.get(name)!, raise, error: 0.1 }) as ScoredSet,
    ),
  );
  return guessTissue(scored, sizes);
}

it("names the tissue by the counts of its markers", () => {
  const other = { any: 0.3 };
  expect(guess([{ breast: 0.4, lung: 0.1 }, other], [100, 100]).likely).toEqual(["breast"]);
  // Its types stand out in one cluster of three.
  const third = guess([{ breast: 0.4, lung: 0.1 }, other, other], [100, 100, 100]);
  expect(third.tissue).toBe("breast");
  expect(third.scores.breast).toBeCloseTo(4 / 3);
});

it("names no tissue if ubiquitous types explain the counts nearly as well", () => {
  const none = { tissue: "unknown", likely: [] };
  expect(guess([{ breast: 0.4, any: 0.36 }], [100])).toMatchObject(none);
  expect(guess([], [])).toMatchObject(none);
});

it("keeps tissues that are close behind", () => {
  expect(guess([{ breast: 0.4, lung: 0.3, skin: 0.2 }], [100])).toMatchObject({
    tissue: "breast",
    likely: ["breast", "lung"],
  });
});

it("lets a type of two tissues speak half for each", () => {
  const shared = guess([{ "intestine stomach": 0.5, pancreas: 0.3 }], [100]);
  expect(shared.tissue).toBe("pancreas");
  expect(shared.scores).toMatchObject({ pancreas: 3, intestine: 2.5, stomach: 2.5 });
});
