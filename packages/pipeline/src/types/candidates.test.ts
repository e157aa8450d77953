import { expect, it } from "vitest";
import { MARKER_SETS } from "../markers/index.ts";
import type { ScoredSet } from "./score-clusters.ts";
import type { ResolvedSet } from "./resolve-sets.ts";
import { countedMarkers, shownCandidates } from "./fit-types.ts";

const setOf = (name: string) => MARKER_SETS.find((set) => set.name === name)!;

/** Names that remain; every row is a cluster with the raises of types in standard errors. */
function shown(clusters: Record<string, number>[]): string[] {
  const names = ["T cell", "Mast cell", "Endothelial", "Fibroblast", "Excitatory neuron"];
  const candidates = names.map((name) => ({ set: setOf(name) }) as ResolvedSet);
  const scored = clusters.map((raises) =>
    Object.entries(raises).map(
      ([name, raise]) => ({ set: setOf(name), raise, error: 1, isType: true }) as ScoredSet,
    ),
  );
  return shownCandidates(candidates, scored).map(({ set }) => set.name);
}

it("keeps a type that need not be in the tissue only if the counts of a cluster show it", () => {
  expect(shown([{ "T cell": 0.3, "Mast cell": 1.9 }, { "T cell": 2.5 }])).toEqual([
    "T cell",
    "Endothelial",
    "Fibroblast",
    "Excitatory neuron",
  ]);
});

it("keeps the tissue's own types, vessels, and connective tissue without evidence", () => {
  expect(shown([])).toEqual(["Endothelial", "Fibroblast", "Excitatory neuron"]);
});

/** Genes × 3 spots: the first three genes have counts of 19, 20, and 0. */
function counts(nRows: number) {
  return {
    nRows,
    nCols: 3,
    indptr: new Uint32Array(nRows + 1).fill(4).fill(0, 0, 1).fill(2, 1, 2),
    indices: Uint32Array.of(0, 1, 1, 2),
    data: Float32Array.of(10, 9, 10, 10),
  };
}

it("drops markers with hardly any counts unless the data is a panel", () => {
  const tellsOf = (nRows: number): boolean[] => [0, 1, 2].map(countedMarkers(counts(nRows)));
  expect(tellsOf(1_001)).toEqual([false, true, false]);
  expect(tellsOf(1_000)).toEqual([true, true, true]);
});
