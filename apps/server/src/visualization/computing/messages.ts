import type { CellGrouping, DifferentialTable, GeneGroupMeans } from "@stipple/contract";
import type { OwnMarkerTable } from "@stipple/contract/statistical-facts";
import type {
  ClusterOrder,
  FoundClusters,
  GeneLayer,
  OwnGroups,
  SimilarGenes,
} from "@stipple/pipeline/view";

/** What a thread is asked to compute. */
export type Task =
  | { kind: "warm" }
  /** `packed`: rates in two bytes each, counts as they are. */
  | { kind: "gene"; name: string; layer: GeneLayer; packed: boolean }
  | { kind: "spotGene"; name: string }
  | { kind: "score"; genes: readonly string[]; layer: GeneLayer }
  | {
      kind: "means";
      genes: readonly string[];
      layer: GeneLayer;
      by: CellGrouping;
      within: Uint8Array | null;
    }
  | { kind: "compare"; a: Uint8Array; b: Uint8Array | null }
  | { kind: "clusters"; order: ClusterOrder }
  | { kind: "markers"; groups: OwnGroups }
  | { kind: "similar"; name: string; layer: GeneLayer };

export interface Order {
  /** Results folder of the files that the interactive view computes from; what is there never changes. */
  folder: string;
  task: Task;
}

export type Reply =
  | { kind: "values"; values: Float32Array | Uint16Array }
  | { kind: "means"; means: GeneGroupMeans[] }
  | { kind: "table"; table: DifferentialTable }
  | { kind: "clusters"; clusters: FoundClusters }
  | { kind: "markers"; markers: OwnMarkerTable }
  | { kind: "similar"; similar: SimilarGenes }
  | { kind: "warm" }
  /** A fault of the request, in words. */
  | { kind: "refused"; code: "not_found" | "invalid_request"; message: string }
  | { kind: "failed"; missing: boolean; detail: string };

/** What comes before the reply of a long computation: the share that is done, 0–1. */
export interface Progress {
  kind: "progress";
  done: number;
}
