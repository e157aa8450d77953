import { describe, expect, it } from "vitest";
import { markerSet } from "../markers/marker-set.ts";
import { Random } from "../numerics/random.ts";
import type { ObservedSpots } from "./group-rates.ts";
import { nameOfCluster, scoreClusters, type NamedMarkers } from "./name-clusters.ts";
import { supportNames } from "../steps/5-cluster-analysis/support-names.ts";
import { spotsOfWholeCells } from "./testing/spots-of-whole-cells.ts";

const [N_SPOTS, PER_SPOT, N_GENES, N_CLUSTERS] = [120, 5, 40, 4];
const N_CELLS = N_SPOTS * PER_SPOT;

const named = (name: string, lineage: string, genes: number[]): NamedMarkers => ({
  set: markerSet(name, lineage, ["any"], ""),
  genes,
});
/** Markers: two of neurons, two of each of two lymphocytes, one of both, four of fibroblasts, two of pericytes. */
const CLASSES = [
  named("Neuron", "Neuron", [0, 1]),
  named("Lymphocyte", "Lymphocyte", [2, 3, 4, 5, 6]),
];
const TYPES = [
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
const scores = await scoreClusters(
  { types: TYPES, classes: CLASSES },
  { clusters, nClusters: N_CLUSTERS },
  spots,
  pause,
);
const names = (broad: boolean): (string | undefined)[] =>
  scores.map((scored) => nameOfCluster(scored, { broad })?.name);

describe("naming clusters as a whole", () => {
  it("names a broad class from two markers, and a type from its own markers", () => {
    expect(names(false)).toEqual(["Neuron", "Lymphocyte", "Fibroblast", undefined]);
  });

  it("names only lineages when nothing more specific is requested", () => {
    expect(names(true)).toEqual(["Neuron", "Lymphocyte", "Stromal", undefined]);
  });

  it("gives no name when markers have no counts", async () => {
    const genes = [N_GENES - 1, N_GENES - 2];
    const empty = {
      ...spots.byGene,
      indptr: spots.byGene.indptr.map((at, g) => (g > 37 ? spots.byGene.indptr[38] : at)),
    };
    const scored = await scoreClusters(
      { types: [], classes: [named("Glia", "Glia", genes)] },
      { clusters, nClusters: N_CLUSTERS },
      { ...spots, byGene: empty },
      pause,
    );
    expect(scored.map((one) => nameOfCluster(one, { broad: true }))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("names only unnamed cells that are eligible", async () => {
    const type = Int32Array.from(clusters, (cluster) => (cluster === 2 ? 0 : -1));
    const given = {
      type,
      posterior: new Float32Array(N_CELLS).fill(0.9),
      margin: new Float32Array(N_CELLS),
      names: ["Fibroblast"],
    };
    const eligible = Uint8Array.from({ length: N_CELLS }, (_, cell) => (cell < 10 ? 0 : 1));
    const { chosen, byCluster, clusterMarkers } = await supportNames(
      given,
      TYPES,
      spots,
      { signal: new AbortController().signal },
      {
        clusters,
        eligible,
        classes: CLASSES,
        names: scores.map((scored) => nameOfCluster(scored, { broad: false })),
      },
    );
    const count = (name: string, cluster: number): number =>
      chosen.type.filter((own, cell) => clusters[cell] === cluster && chosen.names[own] === name)
        .length;
    const size = (cluster: number): number => clusters.filter((own) => own === cluster).length;
    // Single spots may contradict a name.
    expect(count("Neuron", 0)).toBeGreaterThan(0.8 * size(0));
    expect(count("Lymphocyte", 1)).toBeGreaterThan(0.8 * size(1));
    expect(count("Fibroblast", 2)).toBeGreaterThan(0.8 * size(2));
    for (let cell = 0; cell < 10; cell++) expect(byCluster[cell]).toBe(0);
    expect(byCluster.every((by, cell) => by === 0 || [0, 1].includes(clusters[cell]))).toBe(true);
    expect(chosen.type.every((own, cell) => clusters[cell] !== 3 || own < 0)).toBe(true);
    expect(clusterMarkers.get("Neuron")).toEqual(new Set([0, 1]));
  });
});
