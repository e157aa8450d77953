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
