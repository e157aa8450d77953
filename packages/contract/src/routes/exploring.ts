import * as z from "zod/mini";
import { problem } from "../errors/problem.ts";
import { defineRoute } from "./define.ts";

/** What people compute in the interactive view: clusters of their own, their markers, genes like one gene. */

/** Base64 of deflated little-endian uint16, one per cell: index of its group, 65,535 = none. */
const labels = z.string().check(z.regex(/^[A-Za-z0-9+/]*={0,2}$/));

/** What describes a cell: its inferred rates, its own counts, or what the image shows of it. */
export const CLUSTER_FEATURES = ["rates", "counts", "looks"] as const;
export type ClusterFeatures = (typeof CLUSTER_FEATURES)[number];
export const CLUSTER_RESOLUTION = { least: 0.01, most: 20 };
/** Most genes that cells can be described by. */
export const MAX_CLUSTER_GENES = 500;

export const ownClusters = z.object({
  labels,
  /** Cells in each cluster, largest first. */
  sizes: z.array(z.int()),
  /** #rrggbb of each cluster. */
  colors: z.array(z.string()),
});
export type OwnClusters = z.infer<typeof ownClusters>;

/** One line of a stream: progress (0–1), and finally the clusters or why there are none. */
export const clustersLine = z.union([
  z.object({ done: z.number() }),
  z.object({ clusters: ownClusters }),
  z.object({ problem }),
]);
export type ClustersLine = z.infer<typeof clustersLine>;

export const visualizationClusters = defineRoute(
  "POST",
  "/visualization/:token/clusters",
  "visualization",
  {
    summary:
      "Cluster cells (within null = all) by chosen features with Leiden at a resolution, as JSON lines (`application/x-ndjson`): `{done}` while it runs, then `{clusters}` or `{problem}`. Closing the connection stops it.",
    body: z.object({
      /** Base64 of one bit per cell, lowest bit of the first byte first. */
      within: z.nullable(z.string()),
      features: z.enum(CLUSTER_FEATURES),
      resolution: z
        .number()
        .check(z.minimum(CLUSTER_RESOLUTION.least), z.maximum(CLUSTER_RESOLUTION.most)),
      /** Genes to describe the cells by; without them, the most variable ones. */
      genes: z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(MAX_CLUSTER_GENES))),
    }),
    answers: { 200: null },
  },
);

/** Most groups of one clustering. */
export const MAX_OWN_GROUPS = 200;

export const visualizationGroupMarkers = defineRoute(
  "POST",
  "/visualization/:token/group_markers",
  "visualization",
  {
    summary:
      "Markers of groups made in the view, each against all other cells in a group, as JSON lines (`application/x-ndjson`): `{done}` while it runs, then `{markers}` (an `OwnMarkerTable`) or `{problem}`. Closing the connection stops it.",
    body: z.object({
      labels,
      names: z
        .array(z.string().check(z.maxLength(500)))
        .check(z.minLength(2), z.maxLength(MAX_OWN_GROUPS)),
    }),
    answers: { 200: null },
  },
);

export const similarGenes = z.object({
  /** Cells that the correlations are of. */
  cells: z.int(),
  /** Most similar first. */
  genes: z.array(z.object({ gene: z.string(), correlation: z.number() })),
});
export type SimilarGenes = z.infer<typeof similarGenes>;

export const visualizationSimilarGenes = defineRoute(
  "GET",
  "/visualization/:token/similar_genes",
  "visualization",
  {
    summary: "The 50 genes whose values correlate most with those of one gene over the cells.",
    query: z.object({
      name: z.string(),
      layer: z._default(z.enum(["rate", "counts"]), "rate"),
    }),
    answers: { 200: similarGenes },
  },
);
