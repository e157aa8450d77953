import * as z from "zod/mini";
import { analysisOptions } from "../analysis-options.ts";
import { projectStatus, waits } from "./projects.ts";
import { FIRST_STEP, perStep } from "../steps.ts";
import { defineRoute } from "./define.ts";

const files = z.array(z.string());

export const workflowStatus = z.object({
  status: projectStatus,
  waits,
  output_files: z.object(perStep(() => files)),
  /** True when an interactive visualization can be started. */
  shiny_app: z.boolean(),
  /** Slot id → the uploaded file's own name; a slot without a file is absent. */
  input_files: z.record(z.string(), z.string()),
  /** Additive: what the workflow page shows next to the steps. */
  project_name: z.string(),
  analysis_options: z.optional(analysisOptions),
  current_step: z.nullable(z.int()),
  /** 0–1 inside the current step. */
  step_progress: z.number(),
  /** 0–100 over all steps by their weights; never goes backward within a run. */
  percent: z.number(),
  /** Seconds each finished or running step has taken so far. */
  step_seconds: z.record(z.string(), z.number()),
  /** Seconds until the run is expected to end; null if none is active. */
  seconds_left: z.nullable(z.number()),
  started_at: z.nullable(z.string()),
  finished_at: z.nullable(z.string()),
  log: z.array(z.string()),
  error: z.nullable(z.string()),
});
export type WorkflowStatus = z.infer<typeof workflowStatus>;

export const status = defineRoute("GET", "/status", "session", {
  summary: "State of a project's workflow and the files of each step.",
  query: z.object({ project_id: z.string() }),
  answers: { 200: workflowStatus },
});

export const queueStatus = z.object({
  has_workflow: z.boolean(),
  project_id: z.nullable(z.string()),
  project_name: z.nullable(z.string()),
  status: z.nullable(z.enum(["pending", "running"])),
  position: z.nullable(z.int()),
  /** Minutes. */
  estimated_wait: z.nullable(z.number()),
});
export type QueueStatus = z.infer<typeof queueStatus>;

export const workflowQueueStatus = defineRoute("GET", "/workflow-queue-status", "session", {
  summary: "The caller's active workflow and its place in the queue.",
  answers: { 200: queueStatus },
});

/** What a user can choose for a run in addition to the project's options; anything omitted keeps its default. */
export const runChoices = z.object({
  /** Settings by name: species, tissue, segmentation … */
  settings: z.record(z.string(), z.unknown()),
  /** Step parameters that differ from their defaults: step id → name → value. */
  parameters: z.record(z.string(), z.record(z.string(), z.unknown())),
});
export type RunChoices = z.infer<typeof runChoices>;

/** A choice as JSON Schema with `title`, `description` and `default`. */
const choiceSchema = z.record(z.string(), z.unknown());

export const workflowChoices = defineRoute("GET", "/workflow_choices", "session", {
  summary:
    "Settings and parameters available for a run, and the project's current ones; without a project, the defaults of a new one.",
  query: z.object({ project_id: z.optional(z.string()) }),
  answers: {
    200: z.object({
      settings: choiceSchema,
      steps: z.array(
        z.object({ number: z.int(), id: z.string(), name: z.string(), parameters: choiceSchema }),
      ),
      chosen: runChoices,
      /** Additive: the project's analysis type. */
      analysis_type: analysisOptions.shape.analysis_type,
    }),
  },
});

/** What a run can change from the previous one; each part separately replaces the project's. */
const runChange = {
  /** Additive: otherwise the one the project was created with. */
  analysis_type: z.optional(analysisOptions.shape.analysis_type),
  settings: z.optional(runChoices.shape.settings),
  parameters: z.optional(runChoices.shape.parameters),
};
/** `runChange` as an object, for its type. */
export const runChangeBody = z.object(runChange);
export type RunChange = z.infer<typeof runChangeBody>;

export const workflowPlanAnswer = z.object({
  /** Steps that run, in order, each with its expected seconds; none if nothing has changed. */
  steps: z.array(z.object({ number: z.int(), name: z.string(), seconds: z.number() })),
  /** Total, not counting time in the queue. */
  seconds: z.number(),
  /** Whether this was measured in this project before, rather than estimated. */
  is_measured: z.boolean(),
  /** Whether the run counts as an analysis. */
  counts_analysis: z.boolean(),
  /** Why the account's plan would refuse the run, in a sentence. */
  refusal: z.nullable(z.string()),
  /** How many share links the run would end because the files are of another sample. */
  ends_share_links: z.int(),
  /** Groups, assigned types, and clusterings that refer to the results' cells, if the run may find others. */
  cell_annotations: z.int(),
  /** Why the project's files cannot be analyzed together, in a sentence; null if the run does not begin with them. */
  files_fault: z.nullable(z.string()),
});
export type WorkflowPlan = z.infer<typeof workflowPlanAnswer>;

/** Additive. */
export const workflowPlan = defineRoute("POST", "/workflow_plan", "session", {
  summary:
    "Preview which steps a run with a change would rerun, about how long it would take, and whether it counts. Nothing is started or saved.",
  body: z.object({
    project_id: z.string(),
    /** First step to run, along with all later steps, regardless of what changed. */
    start_step: z.optional(z.number()),
    ...runChange,
  }),
  answers: { 200: workflowPlanAnswer },
});

export const runWorkflow = defineRoute("POST", "/run_workflow", "session", {
  summary: "Start or resume a workflow: 200 started, 202 queued.",
  body: z.object({
    project_id: z.string(),
    start_step: z._default(z.number(), FIRST_STEP),
    /** Additive; each separately replaces the project's, and anything omitted stays unchanged. */
    ...runChange,
  }),
  answers: {
    200: z.object({ message: z.string(), status: z.literal("running") }),
    202: z.object({
      message: z.string(),
      status: z.literal("pending"),
      position: z.int(),
      estimated_wait: z.number(),
    }),
  },
});

/** Additive. */
export const queueWorkflow = defineRoute("POST", "/queue_workflow", "session", {
  summary:
    "Start a project's workflow now, or once the caller's earlier ones have ended; several projects may wait. Says whether it waits.",
  body: z.object({ project_id: z.string() }),
  answers: { 202: z.object({ waits: z.boolean() }) },
});

/** Additive. Previewed like any other change by /workflow_plan: from the first step on, which reads them. */
export const useAnnotations = defineRoute("POST", "/projects/:id/use_annotations", "session", {
  summary:
    "Make the project's annotations those of the next run, in place of uploaded files: it leaves out the regions marked as excluded, compares the others, and puts names, groups, clusterings, gene lists, and notes into the report and the files.",
  answers: {
    200: z.object({
      compared: z.int(),
      left_out: z.int(),
      /** Names, groups, clusterings, gene lists, and notes. */
      others: z.int(),
      message: z.string(),
    }),
  },
});

/** Additive. */
export const nucleusEdits = defineRoute("GET", "/projects/:id/nucleus_edits", "session", {
  summary:
    "Whether the nuclei of a project's results can be edited, and what edits the project uses.",
  answers: {
    200: z.object({
      /** Why they cannot be edited, in one sentence; null if they can. */
      fault: z.nullable(z.string()),
      /** The edited nuclei that the project uses instead of those found: numbers and agreement; null if it uses none. */
      in_use: z.nullable(z.string()),
    }),
  },
});

/** Additive. Previewed like any other change by /workflow_plan: from step 2 on, which measures the nuclei. */
export const useNucleusEdits = defineRoute("POST", "/projects/:id/use_nucleus_edits", "session", {
  summary:
    "Make the nuclei of the results, with the edits made in the view, the outlines of the next run, which expands them to cells. Edits of other results are left out.",
  answers: {
    200: z.object({ before: z.int(), after: z.int(), left_out: z.int(), message: z.string() }),
  },
});

/** Additive. */
export const cancelWorkflow = defineRoute("POST", "/cancel_workflow", "session", {
  summary: "Stop a queued or running workflow; finished steps are kept.",
  body: z.object({ project_id: z.string() }),
  answers: { 200: z.object({ message: z.string() }) },
});
