import { expect, it } from "vitest";
import { genesOf, joinedGenes } from "./gene-list.ts";

it("keeps names with commas and backslashes apart", () => {
  const names = ["CD3E", "1,3-BPG", "a\\b", ",", "x\\,y"];
  expect(genesOf(joinedGenes(names))).toEqual(names);
});

it("is plain for plain names, and reads them with blanks and empty places", () => {
  expect(joinedGenes(["CD3E", "CD4"])).toBe("CD3E,CD4");
  expect(genesOf("CD3E, CD4,, ,")).toEqual(["CD3E", "CD4"]);
  expect(genesOf("")).toEqual([]);
});
