import { expect, it } from "vitest";
import { MARKER_SETS } from "../markers/index.ts";
import { likeliestTissue, typeWeights } from "./type-by-counts.ts";

const TYPES = MARKER_SETS.filter(({ parent }) => parent === undefined);
const place = (name: string): number => TYPES.findIndex((type) => type.name === name);

it("Types of the tissue, and those found everywhere, outweigh types of other tissues", () => {
  const weights = typeWeights(TYPES, "pancreas", false);
  expect(weights[place("Beta cell")]).toBe(1);
  expect(weights[place("Fibroblast")]).toBe(1);
  expect(weights.at(-1)).toBe(1);
  expect(weights[place("Hepatocyte")]).toBeLessThan(0.05);
  // Evidence can still override the tissue.
  expect(weights[place("Photoreceptor")]).toBeGreaterThan(0);
});

it("The likeliest tissue is that of the type that fits, not the one with the most types", () => {
  const cellsLike = (...names: string[]): Float64Array[] =>
    names.map((name) =>
      new Float64Array(TYPES.length + 1).fill(1).fill(20, place(name), place(name) + 1),
    );
  expect(likeliestTissue(TYPES, cellsLike("Luminal epithelial", "Fibroblast"))).toBe("breast");
  // Each of many types of the brain fits some cell by chance.
  const chance = ["Excitatory neuron", "Astrocyte", "Oligodendrocyte"];
  const own = ["Luminal epithelial", "Luminal epithelial", "Myoepithelial"];
  expect(likeliestTissue(TYPES, cellsLike(...own, ...chance))).toBe("breast");
  expect(likeliestTissue(TYPES, cellsLike(...chance, ...chance))).toBe("brain");
  // Types found everywhere speak for no tissue, and neither does one stray cell among many of theirs.
  const everywhere = Array.from({ length: 30 }, () => "Fibroblast");
  expect(likeliestTissue(TYPES, cellsLike(...everywhere, "Hepatocyte"))).toBe("unknown");
});

it("Types that cannot be in the tissue, or be found by a nucleus, have hardly any weight", () => {
  const brain = typeWeights(TYPES, "brain", true);
  expect(brain[place("Adipocyte")]).toBeLessThan(0.05);
  expect(brain[place("Erythroid")]).toBeLessThan(0.05);
  expect(typeWeights(TYPES, "bone", true)[place("Erythroid")]).toBe(1);
  expect(typeWeights(TYPES, "brain", false)[place("Erythroid")]).toBe(1);
  expect(typeWeights(TYPES, "unknown", true)[place("Erythroid")]).toBeLessThan(0.05);
});
