import { expect, it } from "vitest";
import type { MarkerSet } from "../markers/marker-set.ts";
import { indexSymbols, resolveSets } from "./resolve-sets.ts";

const genes = (prefix: string, n: number): string[] =>
  Array.from({ length: n }, (_, i) => `${prefix}${i + 1}`);

function set(name: string, lineage: string, markers: string[]): MarkerSet {
  return {
    name,
    lineage,
    markers,
    some: [],
    absent: [],
    tissues: ["any"],
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

it("uses a type with at least three of its markers and 15% of them in the data", () => {
  const vessel = set("Vessel", "Endothelial", genes("V", 30));
  const lymph = set("Lymph vessel", "Endothelial", genes("L", 5));
  const neuron = set("Neuron", "Neuron", genes("N", 5));
  const panel = [...genes("V", 4), ...genes("L", 2), ...genes("N", 3)];
  expect(candidates([vessel, lymph, neuron], panel)).toEqual(["Neuron"]);
  expect(candidates([vessel, lymph, neuron], [...panel, "V5", "L3"])).toEqual([
    "Vessel",
    "Lymph vessel",
    "Neuron",
  ]);
});
