import { describe, expect, it } from "vitest";
import { likeliestOf, nameOfNameless } from "./name-of-nameless.ts";

const SETS = [
  { name: "T cell", lineage: "Lymphocyte" },
  { name: "B cell", lineage: "Lymphocyte" },
  { name: "Fibroblast", lineage: "Stromal" },
];
const T_CELLS = { name: "T cell", lineage: "Lymphocyte", posterior: 0.9, margin: 0.8, genes: [3] };

/** The name of a cell of a cluster of T cells by its posteriors of the three types and none. */
function named(...posterior: number[]): string {
  return nameOfNameless(T_CELLS, likeliestOf(Float32Array.from(posterior), SETS)).name;
}

describe("name of a cell without one", () => {
  it("is its cluster's type where the fit finds that likeliest", () => {
    expect(named(0.4, 0.1, 0.3, 0.2)).toBe("T cell");
  });

  it("is the lineage where the fit finds another type of it likeliest", () => {
    expect(named(0.05, 0.4, 0.3, 0.25)).toBe("Lymphocyte");
  });

  it("is the lineage that the fit finds where it is another", () => {
    expect(named(0.25, 0.1, 0.45, 0.2)).toBe("Stromal");
  });

  it("is its cluster's type where the fit finds none of its types", () => {
    expect(named(0.05, 0, 0.35, 0.6)).toBe("T cell");
    expect(named(0.05, 0.35, 0, 0.6)).toBe("T cell");
  });

  it("has the posterior of what named it", () => {
    const other = likeliestOf(Float32Array.of(0.25, 0.1, 0.45, 0.2), SETS);
    expect(nameOfNameless(T_CELLS, other)).toMatchObject({ genes: [] });
    expect(nameOfNameless(T_CELLS, other).posterior).toBeCloseTo(0.45);
    expect(nameOfNameless(T_CELLS, other).margin).toBeCloseTo(0.1);
    expect(nameOfNameless(T_CELLS, undefined)).toMatchObject({ name: "T cell", posterior: 0.9 });
  });

  it("stays a lineage or class that the cluster was given", () => {
    const broad = { ...T_CELLS, name: "Lymphocyte" };
    const other = likeliestOf(Float32Array.of(0.1, 0.1, 0.45, 0.35), SETS);
    expect(nameOfNameless(broad, other).name).toBe("Lymphocyte");
  });

  it("sums up the types of a lineage", () => {
    const found = likeliestOf(Float32Array.of(0.3, 0.3, 0.35, 0.05), SETS)!;
    expect(found).toMatchObject({ type: "Fibroblast", lineage: "Stromal", margin: 0 });
    expect(likeliestOf(Float32Array.of(1), [])).toBeUndefined();
  });
});
