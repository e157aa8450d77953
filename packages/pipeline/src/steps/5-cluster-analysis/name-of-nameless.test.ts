import { describe, expect, it } from "vitest";
import { likeliestOf, nameOfNameless } from "./name-of-nameless.ts";

const SETS = [
  { name: "T cell", lineage: "Lymphocyte" },
  { name: "B cell", lineage: "Lymphocyte" },
  { name: "Fibroblast", lineage: "Stromal" },
];
const T_CELLS = { name: "T cell", lineage: "Lymphocyte", posterior: 0.9, margin: 0.8, genes: [3] };

/** Name of a cell in a cluster of T cells, given its posteriors of the three types and of none. */
function named(...posterior: number[]): string {
  return nameOfNameless(T_CELLS, likeliestOf(Float32Array.from(posterior), SETS)).name;
}

describe("name of an unnamed cell", () => {
  it("is its cluster's type when the fit finds that likeliest", () => {
    expect(named(0.4, 0.1, 0.3, 0.2)).toBe("T cell");
  });

  it("is the lineage when the fit finds another of its types likeliest", () => {
    expect(named(0.05, 0.4, 0.3, 0.25)).toBe("Lymphocyte");
  });

  it("is the lineage found by the fit when that differs from the cluster's", () => {
    expect(named(0.25, 0.1, 0.45, 0.2)).toBe("Stromal");
  });

  it("is its cluster's type when the fit finds none of the types", () => {
    expect(named(0.05, 0, 0.35, 0.6)).toBe("T cell");
    expect(named(0.05, 0.35, 0, 0.6)).toBe("T cell");
  });

  it("has the posterior of its source", () => {
    const other = likeliestOf(Float32Array.of(0.25, 0.1, 0.45, 0.2), SETS);
    expect(nameOfNameless(T_CELLS, other)).toMatchObject({ genes: [] });
    expect(nameOfNameless(T_CELLS, other).posterior).toBeCloseTo(0.45);
    expect(nameOfNameless(T_CELLS, other).margin).toBeCloseTo(0.1);
    expect(nameOfNameless(T_CELLS, undefined)).toMatchObject({ name: "T cell", posterior: 0.9 });
  });

  it("stays a lineage or class if that is the cluster's name", () => {
    const broad = { ...T_CELLS, name: "Lymphocyte" };
    const other = likeliestOf(Float32Array.of(0.1, 0.1, 0.45, 0.35), SETS);
    expect(nameOfNameless(broad, other).name).toBe("Lymphocyte");
  });

  it("sums over the types of a lineage", () => {
    const found = likeliestOf(Float32Array.of(0.3, 0.3, 0.35, 0.05), SETS)!;
    expect(found).toMatchObject({ type: "Fibroblast", lineage: "Stromal", margin: 0 });
    expect(likeliestOf(Float32Array.of(1), [])).toBeUndefined();
  });
});
