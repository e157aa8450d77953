import type { AnalysisOptions } from "@stipple/contract";
import type { Database } from "../db/database.ts";
import type { Projects } from "../projects/projects.ts";
import type { Uploads } from "../uploads/uploads.ts";
import { markSampleDataset } from "../billing/analyzed-content.ts";
import { SAMPLE_PLATFORM, type SampleDataset } from "./sample-dataset.ts";

export const SAMPLE_NAME = "Sample dataset";
const SAMPLE_OPTIONS: AnalysisOptions = {
  platform: SAMPLE_PLATFORM,
  staining: "h_and_e",
  analysis_type: "advanced",
};

export interface SampleParts {
  database: Database;
  projects: Projects;
  sample: SampleDataset;
  uploads: Uploads;
}

/** Creates a project filled with the sample dataset, and returns its id. Throws projects_used_up. */
export async function newSampleProject(
  { database, projects, sample, uploads }: SampleParts,
  userId: string,
  name: string = SAMPLE_NAME,
): Promise<string> {
  const files = await sample.files();
  const projectId = await projects.create(userId, name, SAMPLE_OPTIONS);
  try {
    await uploads.fill(projectId, files);
    await markSampleDataset(database.db, projectId);
  } catch (error) {
    await projects.remove(userId, projectId).catch(() => undefined);
    throw error;
  }
  return projectId;
}
