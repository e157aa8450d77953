import { expect, it } from "vitest";
import { MARKER_SETS } from "../markers/index.ts";
import type { ScoredSet } from "./score-clusters.ts";
import type { ResolvedSet } from "./resolve-sets.ts";
import { shownCandidates } from "./shown-candidates.ts";

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
