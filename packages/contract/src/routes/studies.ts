import * as z from "zod/mini";
import { defineRoute } from "./define.ts";
import { projectStatus } from "./projects.ts";

export const MAX_STUDY_SAMPLES = 100;
/** Name of the table of samples, their design, and their quality, among a study's files. */
export const STUDY_TABLE = "study.csv";
export const MAX_STUDY_COLUMNS = 20;

/** Equal texts are the same: macOS writes ö as two characters. */
const cell = z.string().check(z.normalize("NFC"), z.trim(), z.maxLength(200));

/** What a sample is: the columns of the design. */
const design = {
  condition: cell,
  patient: cell,
  batch: cell,
  /** The study's further columns, by name. */
  more: z.record(cell, cell),
};

const sample = z.object({
  /** Null once the project has been deleted. */
  project_id: z.nullable(z.string()),
  name: z.string(),
  status: z.nullable(projectStatus),
  storage_expiry: z.nullable(z.string()),
  /** Whether its run starts once the account's earlier ones have ended. */
  waits: z.boolean(),
  /** Why its run was not started when its turn came. */
  refusal: z.nullable(z.string()),
  ...design,
});

const study = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.string(),
  /** Names of further columns of the design. */
  columns: z.array(z.string()),
  samples: z.array(sample),
  /** Equal for equal designs. */
  version: z.string(),
  /** That of the sample which is deleted first. */
  storage_expiry: z.nullable(z.string()),
});
export type Study = z.infer<typeof study>;
export type StudySample = z.infer<typeof sample>;

const listed = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.string(),
  samples: z.int(),
  storage_expiry: z.nullable(z.string()),
});
export type ListedStudy = z.infer<typeof listed>;

/** Additive, as are all calls about studies. */
export const listStudies = defineRoute("GET", "/studies", "session", {
  summary: "The caller's studies, newest first.",
  answers: { 200: z.array(listed) },
});

export const createStudy = defineRoute("POST", "/studies", "session", {
  summary: "Create a study of some of the caller's projects.",
  body: z.object({ name: z.string(), project_ids: z.array(z.string()) }),
  answers: { 201: z.object({ id: z.string() }) },
});

export const readStudy = defineRoute("GET", "/studies/:id", "session", {
  summary: "A study: its samples, and what each is.",
  answers: { 200: study },
});

export const changeStudy = defineRoute("POST", "/studies/:id", "session", {
  summary:
    "Replace the samples and the design of a study. With `version`: only those that were read with it.",
  body: z.object({
    version: z.optional(z.string()),
    columns: z.array(cell).check(z.maxLength(MAX_STUDY_COLUMNS)),
    samples: z
      .array(z.object({ project_id: z.nullable(z.string()), name: z.string(), ...design }))
      .check(z.maxLength(MAX_STUDY_SAMPLES)),
  }),
  answers: { 200: study },
});

export const renameStudy = defineRoute("POST", "/studies/:id/name", "session", {
  summary: "Give a study another name.",
  body: z.object({ name: z.string() }),
  answers: { 200: z.object({ message: z.string() }) },
});

export const deleteStudy = defineRoute("DELETE", "/studies/:id", "session", {
  summary: "Delete a study; its projects stay.",
  answers: { 200: z.object({ message: z.string() }) },
});

const figure = z.nullable(z.number());

const quality = z.object({
  verdict: z.string(),
  spots: z.number(),
  cells: z.number(),
  genes: z.number(),
  median_umis_per_spot: z.number(),
  median_genes_per_spot: z.number(),
  reliable_genes: z.number(),
  heldout_correlation: figure,
  /** Share of the tissue that is in focus, and neither too dark nor under ink. */
  clear_image: figure,
  spots_on_tissue: figure,
});
export type StudyQuality = z.infer<typeof quality>;

/** Columns of the study's table after those of the design. */
export const STUDY_MEASURES: readonly string[] = [...Object.keys(quality.shape), "failure"];

export const studyQuality = defineRoute("GET", "/studies/:id/quality", "session", {
  summary: "The quality of a study's samples side by side, and which of them stand out.",
  answers: {
    200: z.object({
      samples: z.array(z.object({ name: z.string(), quality: z.nullable(quality) })),
      /** A sentence each. */
      outliers: z.array(z.string()),
    }),
  },
});

/** A unit's value, and which group (0 or 1) and patient it is of. */
const unitValue = z.object({ value: z.number(), group: z.int(), patient: z.string() });

/** A spatial statistic, compared. */
const spatialAnswer = z.object({
  title: z.string(),
  /** Whether its rows are genes or pairs of types. */
  of: z.enum(["genes", "types"]),
  measure: z.string(),
  /** What was found; null where it was refused. */
  sentence: z.nullable(z.string()),
  refusal: z.nullable(z.string()),
  reliability: z.string(),
  /** The most certain ones. */
  rows: z.array(
    z.object({
      name: z.string(),
      means: z.tuple([z.number(), z.number()]),
      units: z.array(unitValue),
      difference: figure,
      low: figure,
      high: figure,
      p: figure,
      fdr: figure,
    }),
  ),
});

const comparison = z.object({
  groups: z.tuple([z.string(), z.string()]),
  /** What was compared and what differs, a sentence each. */
  summary: z.array(z.string()),
  composition: z.array(
    z.object({
      type: z.string(),
      /** Mean share of all cells in each group. */
      shares: z.tuple([z.number(), z.number()]),
      /** Shares of the units. */
      units: z.array(unitValue),
      odds_ratio: figure,
      low: figure,
      high: figure,
      p: figure,
      fdr: figure,
    }),
  ),
  expression: z.array(
    z.object({
      type: z.string(),
      /** Why it was not compared. */
      refusal: z.nullable(z.string()),
      units: z.int(),
      genes: z.int(),
      /** Genes that differ at a false discovery rate of 5%. */
      different: z.int(),
      /** The most certain ones. */
      top: z.array(
        z.object({
          gene: z.string(),
          log2_fold_change: figure,
          low: figure,
          high: figure,
          p: figure,
          fdr: figure,
        }),
      ),
      /** For a plot, the most certain genes first: gene, log2 ratio, −log10 of p, and whether it differs. */
      points: z.array(z.tuple([z.string(), z.number(), z.number(), z.boolean()])),
    }),
  ),
  space: z.array(spatialAnswer),
  /** How far to trust the answers. */
  reliability: z.object({ composition: z.string(), expression: z.string() }),
  /** Tables, the report, and the R code that repeats it: names for `studyFile`. */
  files: z.array(z.string()),
});
export type StudyComparison = z.infer<typeof comparison>;

const yesOrNo = z.enum(["yes", "no"]);
const compared = z.object({
  /** Two conditions; needed where there are more than two. */
  baseline: z.optional(z.string()),
  other: z.optional(z.string()),
  /** Whether samples of a patient belong together, and whether batches are a covariate; by default both. */
  patients: z.optional(yesOrNo),
  batches: z.optional(yesOrNo),
  /** Name or class of regions that every sample has: only their cells are compared. */
  region: z.optional(z.string()),
});

export const compareStudy = defineRoute("GET", "/studies/:id/comparison", "session", {
  summary: "Compare two conditions of a study, with patients as units. While it is computed: 202.",
  query: compared,
  answers: {
    200: z.object({
      /** Names and classes of regions that every sample has; at most 200, those of the most regions. */
      regions: z.array(z.string()),
      /** Why these samples, or this design, allow no comparison. */
      refusal: z.nullable(z.string()),
      comparison: z.nullable(comparison),
    }),
    202: z.object({ computing: z.literal(true) }),
  },
});

const colored = z.object({ name: z.string(), color: z.string() });

const space = z.object({
  of: z.enum(["cells", "spots"]),
  on: z.enum(["counts", "rate"]),
  /** What was corrected over. */
  over: z.enum(["batch", "sample"]),
  /** What was found, and what correction should not be trusted with: a sentence each. */
  summary: z.array(z.string()),
  warnings: z.array(z.string()),
  /** In the order of the points: `studySpacePoints`. */
  samples: z.array(
    z.object({ name: z.string(), condition: z.string(), points: z.int(), color: z.string() }),
  ),
  conditions: z.array(colored),
  /** None for spots. */
  types: z.array(colored),
  /** Joint clusters, the largest first, and how many points of each sample they hold. */
  clusters: z.array(z.object({ color: z.string(), samples: z.array(z.int()) })),
  /** Tables: names for `studyFile`. */
  files: z.array(z.string()),
});
export type StudySpaceAnswer = z.infer<typeof space>;

const spaced = {
  of: z.enum(["cells", "spots"]),
  /** Observed counts by default. */
  on: z.optional(z.enum(["counts", "rate"])),
};

export const studySpace = defineRoute("GET", "/studies/:id/space", "session", {
  summary:
    "The cells or spots of a study's samples in one space, before and after correction. While it is computed: 202.",
  query: z.object(spaced),
  answers: {
    200: z.object({
      /** Why these samples have no joint space. */
      refusal: z.nullable(z.string()),
      space: z.nullable(space),
    }),
    202: z.object({ computing: z.literal(true) }),
  },
});

export const studySpacePoints = defineRoute("GET", "/studies/:id/space_points", "session", {
  summary:
    "The points of a joint space, twelve bytes each. Unless `studySpace` has been answered: 202.",
  query: z.object(spaced),
  answers: { 200: null, 202: z.object({ computing: z.literal(true) }) },
});

export const studyFile = defineRoute("GET", "/studies/:id/comparison_file", "session", {
  summary:
    "The table of a study (study.csv), or a table, the report, or the R code of a comparison that has been computed; with `of`, a table of a joint space.",
  query: z.extend(compared, { name: z.string(), of: z.optional(spaced.of), on: spaced.on }),
  answers: { 200: null },
});

/** What all samples of a study are written as, in one file. */
export const STUDY_DOWNLOADS = ["h5ad", "spatialdata", "seurat", "report"] as const;
export type StudyDownload = (typeof STUDY_DOWNLOADS)[number];

export const prepareStudyDownload = defineRoute("POST", "/studies/:id/download", "session", {
  summary:
    "All samples as one file, and a signed URL of it, valid for one minute. While the file is written: 202.",
  query: z.object({ part: z.enum(STUDY_DOWNLOADS) }),
  answers: {
    200: z.object({
      /** Why these samples cannot be combined. */
      refusal: z.nullable(z.string()),
      download: z.nullable(z.object({ url: z.string(), file_name: z.string(), size: z.int() })),
    }),
    202: z.object({ computing: z.literal(true) }),
  },
});
