import { expect, it } from "vitest";
import type { MarkerSet } from "../markers/marker-set.ts";
import { indexSymbols, resolveSets } from "./resolve-sets.ts";

const genes = (prefix: string, n: number): string[] =>
  Array.from({ length: n }, (_, i) => `${prefix}${i + 1}`);

function set(name: string, lineage: string, markers: string[], parent?: string): MarkerSet {
  return {
    name,
    lineage,
    markers,
    some: [],
    absent: [],
    tissues: ["any"],
    ...(parent && { parent }),
  };
}

function candidates(sets: readonly MarkerSet[], symbols: readonly string[]): string[] {
  const varying = new Uint8Array(symbols.length).fill(1);
  const found = resolveSets(sets, {
    species: "human",
    index: indexSymbols(symbols, varying),
    varying,
    usable: () => true,
  });
  return found.map((one) => one.set.name);
}

it("uses a type with few of its markers in the data only when its lineage has no better one", () => {
  const vessel = set("Vessel", "Endothelial", genes("V", 30));
  const lymph = set("Lymph vessel", "Endothelial", genes("L", 5));
  const neuron = set("Neuron", "Neuron", genes("N", 5));
  const panel = [...genes("V", 4), ...genes("N", 5)];
  expect(candidates([vessel, neuron], panel)).toEqual(["Vessel", "Neuron"]);
  expect(candidates([vessel, lymph, neuron], [...panel, ...genes("L", 3)])).toEqual([
    "Lymph vessel",
    "Neuron",
  ]);
  // Two markers are not enough for a type, and subtypes are found among the cells of their type.
  expect(candidates([vessel, neuron], [...genes("V", 2), ...genes("N", 5)])).toEqual(["Neuron"]);
  const kind = set("Tip cell", "Endothelial", genes("V", 30), "Vessel");
  expect(candidates([kind, neuron], panel)).toEqual(["Neuron"]);
});
