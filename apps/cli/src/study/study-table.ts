import { writeFile } from "node:fs/promises";
import { studyTable, type SampleQuality } from "@stipple/pipeline/study";
import type { SampleSheet, StudySample } from "./sheet.ts";

/** What became of a sample. */
export type Outcome =
  | { sample: StudySample; quality: SampleQuality }
  /** Why there are no results. */
  | { sample: StudySample; failure: string };

/** Writes the study's table: a row for each sample, its design, and its quality or why it failed. */
export async function writeStudyTable(
  path: string,
  { design }: SampleSheet,
  outcomes: readonly Outcome[],
): Promise<void> {
  const rows = outcomes.map((outcome) => ({
    name: outcome.sample.name,
    design: outcome.sample.design,
    quality: "quality" in outcome ? outcome.quality : null,
    failure: "failure" in outcome ? outcome.failure : "",
  }));
  await writeFile(path, studyTable(design, rows));
}
