import { describe, expect, it } from "vitest";
import type { FittedTypes } from "../types/fit-types.ts";
import { nameByFit } from "./name-by-fit.ts";

function fitted(types: FittedTypes["report"]["types"], posterior: number[]): FittedTypes {
  return {
    report: { species: "human", tissue: "pancreas", tissueScores: {}, candidates: [], types },
    posterior: Float32Array.from(posterior),
  };
}
const sample = { lookGain: 0.05, nucleated: true };
const namesOf = (given: FittedTypes, nucleated = true): (string | undefined)[] => {
  const { chosen } = nameByFit(given, { ...sample, nucleated });
  return Array.from(chosen.type, (type) => chosen.names[type]);
};

describe("names by the types fitted to spots", () => {
  it("are those that the profiles support, even for cells that were most likely of none", () => {
    const types = [
      { name: "Fibroblast", markers: [] },
      { name: "Macrophage", markers: [] },
    ];
    expect(namesOf(fitted(types, [0.9, 0.05, 0.05, 0.1, 0.3, 0.6]))).toEqual([
      "Fibroblast",
      "Macrophage",
    ]);
  });

  it("are those of the types whose profiles they have", () => {
    const types = [
      { name: "Fibroblast", markers: [] },
      { name: "Smooth muscle", markers: [], sameAs: "Fibroblast" },
      { name: "Macrophage", markers: [] },
    ];
    const given = fitted(types, [0.1, 0.8, 0.1, 0, 0.8, 0.1, 0.1, 0]);
    expect(namesOf(given)).toEqual(["Fibroblast", "Fibroblast"]);
    expect(nameByFit(given, sample).takenBack).toEqual({ "Smooth muscle": 1 });
  });

  it("are lineages where no type is likely enough", () => {
    const types = [
      { name: "T cell", markers: [] },
      { name: "B cell", markers: [] },
    ];
    expect(namesOf(fitted(types, [0.5, 0.4, 0.1]))).toEqual(["Lymphocyte"]);
  });

  it("are those of types that were not fitted, if profiles say so", () => {
    const types = [
      { name: "Mast cell", markers: [], sameAs: "Fibroblast" },
      { name: "Macrophage", markers: [] },
    ];
    expect(namesOf(fitted(types, [0.9, 0.1, 0]))).toEqual(["Fibroblast"]);
  });

  it("are missing where cells are of a component of no type", () => {
    const types = [
      { name: "Plasmacytoid dendritic cell", markers: [], sameAs: null },
      { name: "Macrophage", markers: [] },
    ];
    const given = fitted(types, [0.8, 0.2, 0, 0.1, 0.9, 0]);
    expect(namesOf(given)).toEqual([undefined, "Macrophage"]);
    expect(nameByFit(given, sample).takenBack).toEqual({ "Plasmacytoid dendritic cell": 1 });
  });

  it("are not those of cells without a nucleus, if cells were found by theirs", () => {
    const types = [
      { name: "Fibroblast", markers: [] },
      { name: "Erythroid", markers: [] },
    ];
    const given = fitted(types, [0.1, 0.9, 0]);
    expect(namesOf(given)).toEqual(["Fibroblast"]);
    expect(namesOf(given, false)).toEqual(["Erythroid"]);
  });
});
