import * as z from "zod/mini";
import { problem } from "../errors/problem.ts";
import { verdict } from "../verdict.ts";
import { viewerManifest } from "../viewer-manifest.ts";
import { defineRoute } from "./define.ts";

const layer = z._default(z.enum(["rate", "counts"]), "rate");

/**
 * A header with the manifest's `results`: a request that has it is refused (results_changed) once the project has others,
 * whose cells are not those that the page shows.
 */
export const RESULTS_HEADER = "stipple-results";

export const visualizationManifest = defineRoute(
  "GET",
  "/visualization/:token/manifest",
  "visualization",
  {
    summary: "What the interactive view of a project contains.",
    answers: {
      200: z.object({
        project_id: z.string(),
        project_name: z.string(),
        /** Its options, with the platform's name; without the list of platforms, which pages of a view do not need. */
        analysis: z.object({
          platform: z.string(),
          staining: z.enum(["h_and_e", "if"]),
          analysis_type: z.enum(["basic", "advanced"]),
          /** Bin size, µm; null without bins. */
          resolution: z.nullable(z.string()),
        }),
        /** When the results were completed; null if they are of an earlier, incomplete run. */
        analyzed_at: z.nullable(z.string()),
        /** A share link: can view but not save. */
        read_only: z.boolean(),
        /** Whether the page may save what it shows to files; not for results of a trial account. */
        may_export: z.boolean(),
        expires_at: z.string(),
        /**
         * How reliable the results are; missing before the last step is done, and in results from versions without
         * verdicts.
         */
        verdict: z.optional(verdict),
        /** Identifies these results; see `RESULTS_HEADER`. */
        results: z.string(),
        manifest: viewerManifest,
      }),
    },
  },
);

export const visualizationFile = defineRoute(
  "GET",
  "/visualization/:token/file/*",
  "visualization",
  {
    summary: "A column or image tile of the interactive view; supports HTTP ranges.",
    answers: { 200: null },
  },
);

export const visualizationGene = defineRoute("GET", "/visualization/:token/gene", "visualization", {
  summary:
    "One gene over all cells: little-endian float32, one value per cell; rates with packed=1 in two bytes each, accurate to 0.1% (see packed-rates.ts).",
  query: z.object({ name: z.string(), layer, packed: z.optional(z.literal("1")) }),
  answers: { 200: null },
});

export const visualizationSpotGene = defineRoute(
  "GET",
  "/visualization/:token/spot_gene",
  "visualization",
  {
    summary: "Counts of one gene over all spots: little-endian float32, one value per spot.",
    query: z.object({ name: z.string() }),
    answers: { 200: null },
  },
);

/** Most genes of one score. */
export const MAX_SCORE_GENES = 200;

export const visualizationScore = defineRoute(
  "GET",
  "/visualization/:token/score",
  "visualization",
  {
    summary:
      "A gene set over all cells: mean of the standardized log rates or counts of genes, separated by commas (\\, in a name), little-endian float32, one value per cell.",
    query: z.object({ genes: z.string(), layer }),
    answers: { 200: null },
  },
);

/** Which cells: base64 of one bit per cell, lowest bit of the first byte first. */
const cellSet = z.string();

/** Each array has one value per tested gene, best first (by p, then by effect). */
export const differentialTable = z.object({
  /** Compared cells: observed, with at least a tenth of the median counts; large sides are sampled (`sampled`). */
  cells_a: z.int(),
  cells_b: z.int(),
  sampled: z.boolean(),
  genes: z.array(z.string()),
  /** Spots that the p-values count (on bins: squares of 100 µm): those with most of their cells compared. */
  spots: z.int(),
  /** t of the rank correlation, over spots, between the gene's share of UMIs and a's share of cells. */
  t: z.array(z.number()),
  pvalue: z.array(z.number()),
  /** Benjamini–Hochberg over all tested genes. */
  fdr: z.array(z.number()),
  log2_fold_change: z.array(z.number()),
  /** Probability that a cell of a has more than a cell of b. */
  auc: z.array(z.number()),
  fraction_a: z.array(z.number()),
  fraction_b: z.array(z.number()),
  reliable: z.array(z.boolean()),
});
export type DifferentialTable = z.infer<typeof differentialTable>;

export const visualizationDifferential = defineRoute(
  "POST",
  "/visualization/:token/differential",
  "visualization",
  {
    summary:
      "Differential expression of two sets of cells (b null = all others): effects on the counts of observed cells, p-values over spots.",
    body: z.object({ a: cellSet, b: z.nullable(cellSet) }),
    answers: { 200: differentialTable },
  },
);

/** One line of a streamed comparison: progress (0–1), and finally its table or why there is none. */
export const differentialLine = z.union([
  z.object({ done: z.number() }),
  z.object({ table: differentialTable }),
  z.object({ problem }),
]);
export type DifferentialLine = z.infer<typeof differentialLine>;

export const visualizationDifferentialProgress = defineRoute(
  "POST",
  "/visualization/:token/differential/progress",
  "visualization",
  {
    summary:
      "The same with progress, as JSON lines (`application/x-ndjson`): `{done}` while it runs, then `{table}` or `{problem}`. Closing the connection stops it.",
    body: z.object({ a: cellSet, b: z.nullable(cellSet) }),
    answers: { 200: null },
  },
);

/** What cells are grouped by; none = all in one group. */
export const cellGrouping = z.enum(["type", "cluster", "domain", "none"]);
export type CellGrouping = z.infer<typeof cellGrouping>;

/** Most genes per request for means. */
export const MAX_MEANS_GENES = 8;

/** One gene: a value for each group, in the manifest's order; null for groups without cells. */
export const geneGroupMeans = z.object({
  mean: z.array(z.nullable(z.number())),
  /** Share of the cells above a threshold: 0 for counts, the gene's mean over all included cells for rates. */
  fraction: z.array(z.nullable(z.number())),
});
export type GeneGroupMeans = z.infer<typeof geneGroupMeans>;

export const visualizationGroupMeans = defineRoute(
  "POST",
  "/visualization/:token/group_means",
  "visualization",
  {
    summary: `Mean and share of expressing cells for up to ${MAX_MEANS_GENES} genes in each group, over the cells of a set (within null = all).`,
    body: z.object({
      genes: z.array(z.string()).check(z.minLength(1), z.maxLength(MAX_MEANS_GENES)),
      layer,
      by: cellGrouping,
      within: z.nullable(cellSet),
    }),
    answers: { 200: z.array(geneGroupMeans) },
  },
);

export const visualizationStatistics = defineRoute(
  "GET",
  "/visualization/:token/statistics",
  "visualization",
  {
    summary:
      "Group markers and, for analysis type advanced, spatial statistics (`MarkerTable[]`, `SpatialStatistics`).",
    answers: { 200: z.object({ markers: z.unknown(), spatial: z.unknown() }) },
  },
);

/** A named view: everything the page needs to show it again. At most 1 MB of JSON. */
export const savedView = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.string(),
  state: z.record(z.string(), z.unknown()),
});
export type SavedView = z.infer<typeof savedView>;

export const visualizationViews = defineRoute(
  "GET",
  "/visualization/:token/views",
  "visualization",
  {
    summary: "The project's named views, oldest first.",
    answers: { 200: z.array(savedView) },
  },
);

export const saveView = defineRoute("POST", "/projects/:id/views", "session", {
  summary: "Save a named view of a project's results; replaces a view with the same name.",
  body: z.object({ name: z.string(), state: z.record(z.string(), z.unknown()) }),
  answers: { 201: savedView },
});

export const deleteView = defineRoute("DELETE", "/projects/:id/views/:view", "session", {
  summary: "Delete a named view.",
  answers: { 200: z.object({ message: z.string() }) },
});

export const shareLink = z.object({
  id: z.string(),
  /** Only in the response that creates it: it cannot be rebuilt from what is stored. */
  url: z.optional(z.string()),
  note: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
});
export type ShareLink = z.infer<typeof shareLink>;

export const SHARE_DAYS = [1, 7, 30] as const;

export const listShares = defineRoute("GET", "/projects/:id/shares", "session", {
  summary: "A project's active share links, newest first.",
  answers: { 200: z.array(shareLink) },
});

export const createShare = defineRoute("POST", "/projects/:id/shares", "session", {
  summary: "Create a read-only link to a project's interactive view, valid for a number of days.",
  body: z.object({
    days: z.literal(SHARE_DAYS),
    note: z._default(z.string(), ""),
  }),
  answers: { 201: shareLink },
});

export const revokeShare = defineRoute("DELETE", "/projects/:id/shares/:share", "session", {
  summary: "Revoke a share link immediately.",
  answers: { 200: z.object({ message: z.string() }) },
});
