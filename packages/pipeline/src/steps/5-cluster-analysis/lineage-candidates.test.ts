import { describe, expect, it } from "vitest";
import { markerSet } from "../../markers/marker-set.ts";
import { lineageCandidates } from "./lineage-candidates.ts";
import type { NamedMarkers } from "../../types/name-clusters.ts";
import type { ResolvedSet } from "../../types/resolve-sets.ts";

const named = (name: string, lineage: string, genes: number[]): NamedMarkers => ({
  set: markerSet(name, lineage, ["any"], ""),
  genes,
});
const candidate = ({ set, genes }: NamedMarkers): ResolvedSet => ({
  set,
  present: genes.map((gene) => ({ gene, weight: 1 })),
  absent: [],
  markers: [...genes],
  nReliable: 0,
});

describe("candidates for lineages", () => {
  const neuron = named("Inhibitory neuron", "Neuron", [0, 1, 2]);
  const vessel = named("Endothelial", "Endothelial", [3, 4]);
  const classes = [
    named("Neuron", "Neuron", [0, 1, 5]),
    named("Endothelial", "Endothelial", [4, 6, 7]),
    named("Stromal", "Stromal", [7, 8, 9]),
  ];
  const found = lineageCandidates([candidate(neuron)], { types: [neuron, vessel], classes });

  it("represent lineages without a type, using genes of the class and its types", () => {
    expect(found.map(({ set, markers }) => [set.name, markers])).toEqual([
      ["Endothelial", [4, 6, 3]],
    ]);
  });

  it("drop genes shared by two lineages and lineages with fewer than three of their own", () => {
    expect(found.flatMap(({ markers }) => markers)).not.toContain(7);
    expect(found.map(({ set }) => set.lineage)).not.toContain("Stromal");
  });
});
