import { describe, expect, it } from "vitest";
import { nameCells, withhold } from "./name-cells.ts";

const SETS = [
  { name: "T cell", lineage: "Lymphocyte" },
  { name: "B cell", lineage: "Lymphocyte" },
  { name: "Macrophage", lineage: "Myeloid" },
  { name: "Endothelial", lineage: "Endothelial" },
  { name: "Lymphatic endothelial", lineage: "Endothelial" },
];

/** Name and confidence of a cell with these posteriors, the last of none; the confidence is the posterior. */
function named(...posterior: number[]): [string | undefined, number, number] {
  const chosen = nameCells(Float32Array.from(posterior), SETS, (posterior) => posterior);
  return [chosen.names[chosen.type[0]], chosen.confidence[0], chosen.margin[0]];
}

describe("names of cells", () => {
  it("are types, if these are likely enough", () => {
    const [name, confidence, margin] = named(0.7, 0.1, 0.1, 0, 0, 0.1);
    expect(name).toBe("T cell");
    expect(confidence).toBeCloseTo(0.7);
    expect(margin).toBeCloseTo(0.6);
  });

  it("are lineages if their types are equally likely, and classes if their lineages are", () => {
    expect(named(0.35, 0.35, 0.1, 0.1, 0.1, 0)[0]).toBe("Lymphocyte");
    expect(named(0.15, 0.15, 0.3, 0.1, 0.1, 0.2)[0]).toBe("Immune");
    expect(named(0.15, 0.15, 0.3, 0.1, 0.1, 0.2)[1]).toBeCloseTo(0.6);
  });

  it("include narrower types in a lineage that has the name of a type", () => {
    expect(named(0.1, 0.1, 0.1, 0.35, 0.35, 0)[0]).toBe("Endothelial");
    expect(named(0.1, 0.1, 0.1, 0.35, 0.35, 0)[1]).toBeCloseTo(0.7);
  });

  it("are missing if none of the types is the likeliest", () => {
    const [name, confidence, margin] = named(0.1, 0.05, 0.05, 0.1, 0, 0.7);
    expect(name).toBeUndefined();
    expect(confidence).toBeCloseTo(0.1);
    expect(margin).toBe(0);
  });

  it("can be withheld", () => {
    const chosen = nameCells(Float32Array.of(1, 0, 0, 0, 0, 0), SETS, (posterior) => posterior);
    withhold(chosen, Uint8Array.of(1));
    expect(chosen.type[0]).toBe(-1);
  });
});
