import { expect, it } from "vitest";
import { geneMatches } from "./gene-matches.ts";
import { genesInText } from "./match-genes.ts";

it("finds genes by exact name, then prefix, then substring", () => {
  const genes = ["ACTB", "Cd3e", "CD3", "XCD3", "CD34"];
  expect(geneMatches(genes, "cd3", 10)).toEqual(["CD3", "Cd3e", "CD34", "XCD3"]);
  expect(geneMatches(genes, "cd3", 2)).toEqual(["CD3", "Cd3e"]);
  expect(geneMatches(genes, " ", 2)).toEqual(["ACTB", "Cd3e"]);
});

it("reads genes from a pasted list and reports those missing from the sample", () => {
  const genes = ["CD3E", "H2-Ab1", "Actb", "ACTB"];
  expect(genesInText("cd3e, H2-Ab1;\nACTB\tnothing  cd3e", genes)).toEqual({
    known: ["CD3E", "H2-Ab1", "ACTB"],
    unknown: ["nothing"],
  });
});

it("reads names with other signs in them, as some species' genes have, if the sample has them", () => {
  const genes = ["si:dkey-21h14.12", "Su(var)3-9", "CD3E", "KRT6A"];
  expect(genesInText("['si:dkey-21h14.12', \"su(var)3-9\"] T:CD3E,KRT6A/B", genes)).toEqual({
    known: ["si:dkey-21h14.12", "Su(var)3-9", "CD3E", "KRT6A"],
    unknown: ["T", "B"],
  });
});
