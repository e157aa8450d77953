import type { CellGrouping, DifferentialTable, GeneGroupMeans } from "@stipple/contract";
import type { OwnMarkerTable } from "@stipple/contract/statistical-facts";
import type {
  ClusterOrder,
  FoundClusters,
  GeneLayer,
  OwnGroups,
  SimilarGenes,
} from "@stipple/pipeline/view";

type Numbers = Float32Array;

/** What a thread computes: from what, and what it gives. */
interface Computations {
  /** Loads what genes are computed from. */
  warm: { of: object; gives: null };
  /** `packed`: rates in two bytes each (see `packRates`), counts as they are. */
  gene: {
    of: { name: string; layer: GeneLayer; packed: boolean };
    gives: Numbers | Uint16Array;
  };
  spotGene: { of: { name: string }; gives: Numbers };
  score: { of: { genes: readonly string[]; layer: GeneLayer }; gives: Numbers };
  /** `within`: one bit per cell, null = all. */
  means: {
    of: {
      genes: readonly string[];
      layer: GeneLayer;
      by: CellGrouping;
      within: Uint8Array | null;
    };
    gives: GeneGroupMeans[];
  };
  compare: { of: { a: Uint8Array; b: Uint8Array | null }; gives: DifferentialTable };
  clusters: { of: { order: ClusterOrder }; gives: FoundClusters };
  markers: { of: { groups: OwnGroups }; gives: OwnMarkerTable };
  similar: { of: { name: string; layer: GeneLayer }; gives: SimilarGenes };
}
type Kind = keyof Computations;
export type Task = { [K in Kind]: { kind: K } & Computations[K]["of"] }[Kind];
export type Computed<T extends Task> = Computations[T["kind"]]["gives"];

export interface Order {
  /** Results folder of the files that the interactive view computes from; what is there never changes. */
  folder: string;
  task: Task;
}

export type Reply =
  | { kind: "done"; value: unknown }
  /** A fault of the request, in words. */
  | { kind: "refused"; code: "not_found" | "invalid_request"; message: string }
  | { kind: "failed"; missing: boolean; detail: string };

/** What comes before the reply of a long computation: the share that is done, 0–1. */
export interface Progress {
  kind: "progress";
  done: number;
}
