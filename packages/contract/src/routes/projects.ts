import * as z from "zod/mini";
import { analysisOptions, chosenOptions } from "../analysis-options.ts";
import { defineRoute } from "./define.ts";

/** `cancelled`: the last run was stopped before it ended; its finished steps are kept. */
export const projectStatus = z.enum([
  "created",
  "pending",
  "processing",
  "completed",
  "failed",
  "cancelled",
]);

/** Additive: set while it is to run once the account's earlier runs have ended. */
export const waits = z.optional(z.literal(true));

export const project = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.string(),
  status: projectStatus,
  storage_expiry: z.nullable(z.string()),
  analysis_options: analysisOptions,
  /** Additive: names of the studies that it is in; left out if there are none. */
  studies: z.optional(z.array(z.string())),
  waits,
});
export type Project = z.infer<typeof project>;

export const listProjects = defineRoute("GET", "/projects", "session", {
  summary: "The caller's projects, newest first.",
  answers: { 200: z.array(project) },
});

const setup = { project_name: z.string(), analysis_options: chosenOptions };

export const createProject = defineRoute("POST", "/create_project", "session", {
  summary: "Create a project; its files are uploaded next.",
  body: z.object({
    ...setup,
    /** Additive: settings for its runs by name, as in /run_workflow. */
    settings: z.optional(z.record(z.string(), z.unknown())),
  }),
  answers: { 201: z.object({ project_id: z.string() }) },
});

/** Additive: a project filled with a small simulated tissue, ready to run. */
export const createSampleProject = defineRoute("POST", "/create_sample_project", "session", {
  summary: "Create a project with the simulated sample dataset, ready to run.",
  answers: { 201: z.object({ project_id: z.string(), project_name: z.string() }) },
});

/** Additive. Files stay as they are; results are of the options before until the next run. */
export const configureProject = defineRoute("POST", "/projects/:id/setup", "session", {
  summary:
    "Change a project's name and options, such as a wrong platform. Refused while it is queued or processing.",
  body: z.object(setup),
  answers: { 200: z.object({ message: z.string() }) },
});

/** Additive. The name in a report stays as it was when the report was written. */
export const renameProject = defineRoute("POST", "/projects/:id/name", "session", {
  summary: "Give a project another name.",
  body: z.object({ project_name: z.string() }),
  answers: { 200: z.object({ message: z.string() }) },
});

export const deleteProject = defineRoute("DELETE", "/projects/:id", "session", {
  summary: "Delete a project and its files. Refused while it is queued or processing.",
  answers: { 200: z.object({ message: z.string() }) },
});
