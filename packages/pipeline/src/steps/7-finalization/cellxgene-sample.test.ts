import { expect, it } from "vitest";
import { cellxgeneOf } from "./cellxgene-sample.ts";

it("names the assay by the narrowest term that is known", () => {
  const assayOf = (platform: "visium" | "hd_visium" | "st", lastColumn: number): unknown => {
    const context = { settings: { platform }, files: { root: "/Kidney" } };
    const results = {
      cells: { typeOf: Int32Array.of(0), typeNames: ["B cell"] },
      facts: { typing: { organism: "human" } },
      spots: { array: Int32Array.of(0, 0, 1, lastColumn) },
    };
    const { obs } = cellxgeneOf(
      context as unknown as Parameters<typeof cellxgeneOf>[0],
      results as unknown as Parameters<typeof cellxgeneOf>[1],
    );
    return obs.find(({ name }) => name === "assay_ontology_term_id")?.categories;
  };
  expect(assayOf("visium", 127)).toEqual(["EFO:0010961"]);
  expect(assayOf("visium", 223)).toEqual(["EFO:0022860"]);
  expect(assayOf("hd_visium", 837)).toEqual(["EFO:0920058"]);
  expect(assayOf("st", 32)).toEqual(["EFO:0008994"]);
});
