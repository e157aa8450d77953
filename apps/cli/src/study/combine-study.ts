import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { EXPORTS_FOLDER } from "@stipple/contract";
import {
  combinedStudy,
  combinePart,
  MEASURED_COLUMNS,
  STUDY_FILES,
  writeStudyReport,
  type StudyPart,
} from "@stipple/pipeline/study";
import { finishedResults, readDesignTable } from "./design-table.ts";

export interface CombineStudyOptions {
  /** A folder with the results of each sample, by its name. */
  folder: string;
  /** The table of the design. */
  design: string;
  out: string;
  parts: readonly (StudyPart | "report")[];
  threads: number;
  signal: AbortSignal;
  say(line: string): void;
}

/** Writes all samples of a folder as one h5ad, one SpatialData, one folder for Seurat, and one report. */
export async function combineStudy(options: CombineStudyOptions): Promise<void> {
  const { folder, out, parts, say, signal } = options;
  const table = await readDesignTable(options.design);
  const columns = table.columns.filter((name) => !MEASURED_COLUMNS.includes(name));
  const samples = table.rows.map(({ name, values }) => ({
    ...{ name, results: finishedResults(folder, name, table.file) },
    design: Object.fromEntries(columns.map((column) => [column, values[column]])),
  }));
  const study = await combinedStudy(
    samples.map(({ results, ...sample }) => ({
      ...sample,
      exports: join(results, EXPORTS_FOLDER),
    })),
    columns,
  );
  for (const sentence of study.notes) say(`Note: ${sentence}`);
  await mkdir(out, { recursive: true });
  for (const part of parts) {
    if (part === "report") continue;
    say(`Writing ${join(out, STUDY_FILES[part])}`);
    await rm(join(out, STUDY_FILES[part]), { recursive: true, force: true });
    await combinePart(out, part, study, { signal, threads: options.threads });
  }
  if (!parts.includes("report")) return;
  const report = join(out, "report.html");
  say(`Writing ${report}`);
  const { notes } = study;
  await writeStudyReport(report, { title: "Study", samples, design: columns, notes }, signal);
}
