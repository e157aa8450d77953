import { expect, it } from "vitest";
import { MARKER_SETS } from "../markers/index.ts";
import { likeliestTissue, onlyTissue, tissueShares, typeWeights } from "./type-prior.ts";

const TYPES = MARKER_SETS.filter(({ parent }) => parent === undefined);
const place = (name: string): number => TYPES.findIndex((type) => type.name === name);

it("A tissue with cells of its own outweighs stray cells of others", () => {
  const mass = new Float64Array(TYPES.length + 1);
  mass[place("Acinar cell")] = 100;
  mass[place("Hepatocyte")] = 10;
  mass[place("Fibroblast")] = 1000;
  const shares = tissueShares(TYPES, mass);
  expect(shares.get("pancreas")).toBeGreaterThan(0.95);
  const weights = typeWeights(TYPES, shares, false);
  expect(weights[place("Beta cell")]).toBeGreaterThan(0.9);
  expect(weights[place("Hepatocyte")]).toBeLessThan(0.05);
  // Evidence can still override the tissue.
  expect(weights[place("Photoreceptor")]).toBeGreaterThan(0);
  expect(weights[place("Fibroblast")]).toBe(1);
  expect(weights.at(-1)).toBe(1);
});

it("The likeliest tissue is that of the type that fits, not the one with the most types", () => {
  const width = TYPES.length + 1;
  const cellsLike = (...names: string[]): Float64Array => {
    const likelihoods = new Float64Array(names.length * width).fill(1);
    names.forEach((name, cell) => (likelihoods[cell * width + place(name)] = 20));
    return likelihoods;
  };
  expect(likeliestTissue(TYPES, cellsLike("Luminal epithelial", "Fibroblast"))).toBe("breast");
  // Each of many types of the brain fits some cell by chance.
  const chance = ["Excitatory neuron", "Astrocyte", "Oligodendrocyte"];
  const own = ["Luminal epithelial", "Luminal epithelial", "Myoepithelial"];
  expect(likeliestTissue(TYPES, cellsLike(...own, ...chance))).toBe("breast");
  expect(likeliestTissue(TYPES, cellsLike(...chance, ...chance))).toBe("brain");
});

it("Types that cannot be in the tissue, or be found by a nucleus, have hardly any weight", () => {
  const brain = typeWeights(TYPES, onlyTissue("brain"), true);
  expect(brain[place("Adipocyte")]).toBeLessThan(0.05);
  expect(brain[place("Erythroid")]).toBeLessThan(0.05);
  expect(typeWeights(TYPES, onlyTissue("bone"), true)[place("Erythroid")]).toBe(1);
  expect(typeWeights(TYPES, onlyTissue("brain"), false)[place("Erythroid")]).toBe(1);
  expect(tissueShares(TYPES, new Float64Array(TYPES.length + 1)).size).toBe(0);
});
