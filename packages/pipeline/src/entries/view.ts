/** What the interactive view reads and computes. */
export * from "../viewed-files.ts";
export * from "../viewer-data.ts";
export type { ClusterOrder, FoundClusters } from "../exploring/find-clusters.ts";
export type { OwnGroups } from "../exploring/own-markers.ts";
export type { SimilarGenes } from "../exploring/similar-genes.ts";
export { categoryColors } from "../figures/palette.ts";
