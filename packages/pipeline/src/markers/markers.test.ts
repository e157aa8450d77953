import { knownTissue, TISSUES } from "@stipple/contract/tissues";
import { describe, expect, it } from "vitest";
import { cellOntologyTerm } from "./cell-ontology.ts";
import { MARKER_SETS } from "./index.ts";
import { coarserNames } from "./coarser-names.ts";
import { mouseSymbols } from "./mouse-symbols.ts";
import { isOutOfPlace } from "./out-of-place.ts";

describe("marker sets", () => {
  it("name at least sixty types once each, with eight or more markers and sixty or more genes", () => {
    expect(MARKER_SETS.length).toBeGreaterThanOrEqual(60);
    expect(new Set(MARKER_SETS.map(({ name }) => name)).size).toBe(MARKER_SETS.length);
    for (const { name, parent, markers, some, absent } of MARKER_SETS) {
      expect(markers.length, name).toBeGreaterThanOrEqual(8);
      const listed = [...markers, ...some];
      expect(new Set(listed).size, name).toBe(listed.length);
      if (parent === undefined) expect(listed.length, name).toBeGreaterThanOrEqual(55);
      expect(listed.length + absent.length, name).toBeGreaterThanOrEqual(60);
      expect(
        absent.filter((symbol) => listed.includes(symbol)),
        name,
      ).toEqual([]);
    }
  });

  it("each have a Cell Ontology term, in either spelling", () => {
    for (const { name } of MARKER_SETS) {
      expect(cellOntologyTerm(name)?.id, name).toMatch(/^CL:\d{7}$/);
    }
    // The ontology has no single term for the cells of a gonad.
    const wide = MARKER_SETS.flatMap(({ name, lineage }) => coarserNames(name, lineage));
    for (const name of new Set(wide)) {
      if (name !== "Gonadal") expect(cellOntologyTerm(name)?.id, name).toMatch(/^CL:\d{7}$/);
    }
    expect(cellOntologyTerm("Lung tumor epithelial")).toEqual(
      cellOntologyTerm("lung tumour epithelial"),
    );
    expect(cellOntologyTerm("Unknown")).toBeNull();
  });

  it("cover every tissue that can be selected, including by its alternative names", () => {
    for (const tissue of TISSUES) {
      const own = MARKER_SETS.filter(({ tissues }) => tissues.includes(tissue));
      expect(own.length, tissue).toBeGreaterThan(0);
      expect(knownTissue(` ${tissue.toUpperCase()}`)).toBe(tissue);
    }
    expect(["colon", "Lymph_node", "Skeletal-muscle", "any", "wood"].map(knownTissue)).toEqual([
      "intestine",
      "lymphoid",
      "skeletal muscle",
      undefined,
      undefined,
    ]);
  });

  it("are considered everywhere except where a type is out of place", () => {
    const progenitor = "Hematopoietic progenitor";
    expect(MARKER_SETS.map(({ name }) => name)).toEqual(
      expect.arrayContaining([progenitor, "Adipocyte", "Schwann cell"]),
    );
    const tissues = ["unknown", "bone", "brain", "breast"] as const;
    expect(tissues.map((tissue) => isOutOfPlace(progenitor, tissue))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(tissues.map((tissue) => isOutOfPlace("Adipocyte", tissue))).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });

  it("have parents that exist", () => {
    const names = new Set(MARKER_SETS.map(({ name }) => name));
    expect(MARKER_SETS.filter(({ parent }) => parent !== undefined && !names.has(parent))).toEqual(
      [],
    );
  });

  it("are spelled as in the mouse", () => {
    expect(["CD68", "HLA-DRA", "MS4A1", "CA2"].map(mouseSymbols)).toEqual([
      ["Cd68"],
      ["H2-Aa", "H2-Ea"],
      ["Ms4a1"],
      ["Car2"],
    ]);
  });
});
