import { describe, expect, it } from "vitest";
import { markerSet } from "../markers/marker-set.ts";
import { Random } from "@stipple/numerics/random";
import type { ObservedSpots } from "./group-rates.ts";
import { scoreClusters, type NamedMarkers } from "./score-clusters.ts";
import { spotsOfWholeCells } from "./testing/spots-of-whole-cells.ts";

const [N_SPOTS, PER_SPOT, N_GENES, N_CLUSTERS] = [120, 5, 40, 4];
const N_CELLS = N_SPOTS * PER_SPOT;

const named = (name: string, lineage: string, genes: number[]): NamedMarkers => ({
  set: markerSet(name, lineage, ["any"], ""),
  genes,
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

/** Spots of five whole cells, each of one of four clusters. */
function mixed(): { spots: ObservedSpots; clusters: Int32Array } {
  const random = new Random(8);
  const clusters = Int32Array.from({ length: N_CELLS }, () => random.below(N_CLUSTERS));
  const spots = spotsOfWholeCells(
    { nSpots: N_SPOTS, perSpot: PER_SPOT, nGenes: N_GENES },
    (gene, cell) => (RAISED[clusters[cell]].includes(gene) ? 2.4 : 0.6),
    random,
  );
  return { spots, clusters };
}

const { spots, clusters } = mixed();
const pause = () => Promise.resolve();

describe("scores of clusters", () => {
  it("are highest for the type whose markers are raised", async () => {
    const scores = await scoreClusters(TYPES, { clusters, nClusters: N_CLUSTERS }, spots, pause);
    const best = scores.map((scored) =>
      scored.toSorted((a, b) => b.raise / b.error - a.raise / a.error).at(0)!,
    );
    expect(best[0].set.name).toBe("Neuron");
    expect(best[1].set.lineage).toBe("Lymphocyte");
    expect(best[2].set.name).toBe("Fibroblast");
    for (const { raise, error } of scores[3]) expect(raise).toBeLessThan(2 * error);
  });

  it("leave out types whose markers have no counts", async () => {
    const empty = {
      ...spots.byGene,
      indptr: spots.byGene.indptr.map((at, g) => (g > 37 ? spots.byGene.indptr[38] : at)),
    };
    const scored = await scoreClusters(
      [named("Glia", "Glia", [N_GENES - 1, N_GENES - 2])],
      { clusters, nClusters: N_CLUSTERS },
      { ...spots, byGene: empty },
      pause,
    );
    expect(scored).toEqual([[], [], [], []]);
  });
});
