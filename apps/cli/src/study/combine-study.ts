import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { EXPORTS_FOLDER } from "@stipple/contract";
import type { StudyDownload } from "@stipple/contract/routes/studies";
import { designColumns } from "@stipple/contract/sample-sheet";
import {
  combinedStudy,
  combinePart,
  cellFile,
  STUDY_FILES,
  writeStudyReport,
  type SampleToCombine,
} from "@stipple/pipeline/study";
import { annotationsIn, columnOf, finishedResults } from "./design-table.ts";
import { SPACE_FOLDER, type StudyFolder } from "./study-folder.ts";

export interface CombineStudyOptions extends StudyFolder {
  /** A folder that is there. */
  out: string;
  parts: readonly StudyDownload[];
  threads: number;
}

/** Writes all samples of a folder as one h5ad, one SpatialData, one folder for Seurat, and one report. */
export async function combineStudy(options: CombineStudyOptions): Promise<void> {
  const { folder, table, out, parts, say, signal } = options;
  const columns = designColumns(table.columns).map((name) => columnOf(table, name));
  const samples = table.rows.map(({ name, values }) => ({
    ...{ name, results: finishedResults(folder, name, table.file) },
    design: Object.fromEntries(columns.map((column) => [column, values[column]])),
  }));
  const exported = samples.map(({ name, results, design }) => ({
    ...{ name, design, exports: join(results, EXPORTS_FOLDER) },
  }));
  const space = await currentSpace(options, exported);
  const study = await combinedStudy(exported, columns, space);
  for (const sentence of study.notes) say(`Note: ${sentence}`);
  for (const part of parts) {
    if (part === "report") continue;
    say(`Writing ${join(out, STUDY_FILES[part])}`);
    await rm(join(out, STUDY_FILES[part]), { recursive: true, force: true });
    await combinePart(out, part, study, { signal, threads: options.threads });
  }
  if (!parts.includes("report")) return;
  const report = join(out, "report.html");
  say(`Writing ${report}`);
  const reported = [];
  for (const [i, row] of table.rows.entries()) {
    const annotations = await annotationsIn(table, row);
    reported.push({ ...samples[i], annotations });
  }
  const { notes } = study;
  const told = { title: "Study", samples: reported, design: columns, notes };
  await writeStudyReport(report, told, signal);
}

/** The table of cells in one space, unless there is none or a sample was analyzed since. */
async function currentSpace(
  { folder, signal, say }: StudyFolder,
  samples: readonly SampleToCombine[],
): Promise<{ path: string; signal: AbortSignal } | undefined> {
  const path = join(folder, SPACE_FOLDER, "cells.parquet");
  const placed = await stat(path).catch(() => null);
  if (!placed) return undefined;
  for (const sample of samples) {
    if ((await stat(cellFile(sample))).mtimeMs <= placed.mtimeMs) continue;
    say(
      `Note: The joint space is older than the results of ${sample.name} and is left out: run "stipple study embed" first to have it.`,
    );
    return undefined;
  }
  return { path, signal };
}
