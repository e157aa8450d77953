import { describe, expect, it } from "vitest";
import { markerSet } from "../markers/marker-set.ts";
import { scoreClusters, type CellGroups } from "./score-clusters.ts";

const named = (name: string, lineage: string, markers: number[]) => ({
  set: markerSet(name, lineage, ["any"], ""),
  markers,
});
const TYPES = [
  named("Neuron", "Neuron", [0, 1]),
  named("T cell", "Lymphocyte", [2, 3, 6]),
  named("B cell", "Lymphocyte", [4, 5, 6]),
  named("Fibroblast", "Stromal", [7, 8, 9, 10]),
  named("Pericyte", "Stromal", [11, 12]),
];
/** Genes raised fourfold in each cluster: neurons, both lymphocyte types equally, fibroblasts, none. */
const RAISED = [[0, 1], [2, 3, 4, 5, 6], [7, 8, 9, 10], []];

function groups(sizes: number[]): CellGroups {
  return {
    sizes: Float64Array.from(sizes),
    ratesOf: (gene) =>
      Float64Array.from(RAISED, (raised) => (gene > 30 ? 0 : raised.includes(gene) ? 2.4 : 0.6)),
  };
}

describe("scores of clusters", () => {
  it("are highest for the type whose markers are raised", () => {
    const scores = scoreClusters(TYPES, groups([200, 100, 200, 100]));
    const best = scores.map((scored) =>
      scored.toSorted((a, b) => b.raise / b.error - a.raise / a.error).at(0)!,
    );
    expect(best[0].set.name).toBe("Neuron");
    expect(best[1].set.lineage).toBe("Lymphocyte");
    expect(best[2].set.name).toBe("Fibroblast");
    for (const { raise, error } of scores[3]) expect(raise).toBeLessThan(2 * error);
  });

  it("leave out types whose markers have no rates", () => {
    const scored = scoreClusters([named("Glia", "Glia", [38, 39])], groups([1, 1, 1, 1]));
    expect(scored).toEqual([[], [], [], []]);
  });

  it("are zero for clusters without cells", () => {
    const [, , scored] = scoreClusters(TYPES, groups([200, 100, 0, 100]));
    for (const { raise } of scored) expect(raise).toBe(0);
  });
});
