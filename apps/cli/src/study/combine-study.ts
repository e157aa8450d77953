import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EXPORTS_FOLDER } from "@stipple/contract";
import { InputError } from "@stipple/pipeline/errors";
import {
  combinedStudy,
  combinePart,
  compareSamples,
  MEASURED_COLUMNS,
  qualityOf,
  STUDY_FILES,
  studyReport,
  sumSample,
  type Comparison,
  type StudyPart,
  type StudyRow,
} from "@stipple/pipeline/study";
import { finishedResults, readDesignTable, type DesignTable } from "./design-table.ts";

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
  say(`Writing ${join(out, "report.html")}`);
  const rows: StudyRow[] = [];
  for (const { name, results, design } of samples) {
    rows.push({ name, design, quality: await qualityOf(results), failure: "" });
  }
  const comparison = await comparisonOf(samples, table, signal);
  const report = { title: "Study", design: columns, rows, notes: study.notes, comparison };
  await writeFile(join(out, "report.html"), studyReport(report));
}

/** By the columns condition, patient, and batch, as far as there are any. */
async function comparisonOf(
  samples: readonly { name: string; results: string; design: Record<string, string> }[],
  { columns }: DesignTable,
  signal: AbortSignal,
): Promise<Comparison | { refusal: string }> {
  const of = (design: Record<string, string>, name: string): string =>
    design[columns.find((column) => column.toLowerCase() === name) ?? ""] ?? "";
  const studied = [];
  for (const { name, results, design } of samples) {
    studied.push({
      ...{ name, condition: of(design, "condition"), patient: of(design, "patient") },
      ...{ batch: of(design, "batch"), sums: await sumSample(results, signal) },
    });
  }
  try {
    return compareSamples(studied, null);
  } catch (error) {
    if (error instanceof InputError) return { refusal: error.message };
    throw error;
  }
}
