import { writeFile } from "node:fs/promises";
import { InputError } from "../errors.ts";
import { compareSamples, type Comparison } from "./compare-samples.ts";
import { qualityOf } from "./quality.ts";
import { studyReport } from "./study-report.ts";
import type { StudyRow } from "./study-table.ts";
import { sumSample } from "./sum-sample.ts";

/** A study's finished samples: folders of results, and rows of the design. */
export interface StudyToReport {
  title: string;
  samples: readonly { name: string; results: string; design: Readonly<Record<string, string>> }[];
  /** Columns of the design; those called condition, patient, and batch are compared. */
  design: readonly string[];
  notes: readonly string[];
}

/** Writes the report of a study: quality side by side, and the comparison of its two conditions, or why there is none. */
export async function writeStudyReport(
  path: string,
  { title, samples, design, notes }: StudyToReport,
  signal: AbortSignal,
): Promise<void> {
  const rows: StudyRow[] = [];
  for (const { name, results, design: own } of samples) {
    rows.push({ name, design: own, quality: await qualityOf(results), failure: "" });
  }
  const comparison = await comparisonOf(samples, design, signal);
  await writeFile(path, studyReport({ title, design, rows, notes, comparison }));
}

async function comparisonOf(
  samples: StudyToReport["samples"],
  columns: readonly string[],
  signal: AbortSignal,
): Promise<Comparison | { refusal: string }> {
  const of = (design: Readonly<Record<string, string>>, name: string): string =>
    design[columns.find((column) => column.toLowerCase() === name) ?? ""] ?? "";
  const studied = [];
  for (const { name, results, design } of samples) {
    studied.push({
      ...{ name, condition: of(design, "condition"), patient: of(design, "patient") },
      ...{ batch: of(design, "batch"), sums: await sumSample(results, { signal }) },
    });
  }
  try {
    return compareSamples(studied, null);
  } catch (error) {
    if (error instanceof InputError) return { refusal: error.message };
    throw error;
  }
}
