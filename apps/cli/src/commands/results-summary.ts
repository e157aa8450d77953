import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  GRADE_WORDS,
  LAST_STEP,
  STEPS,
  stepKey,
  type StepKey,
  type StepNumber,
  type Verdict,
} from "@stipple/contract";

const OUTPUT = join("analysis_results", "output");

const STATISTICS = [
  ["total_spots", "Total Spots", 0],
  ["total_cells", "Total Cells", 0],
  ["total_genes", "Total Genes", 0],
  ["average_cells_per_spot", "Average Cells per Spot", 2],
] as const;

/** statistics.json as step 7 writes it. */
type StoredStatistics = Record<(typeof STATISTICS)[number][0], number> & { verdict: Verdict };

/** Where the results are, the four statistics, and how reliable the results are. */
export async function describeResults(results: string): Promise<string> {
  const statistics = await statisticsOf(results);
  const { verdict } = statistics;
  const lines = STATISTICS.map(
    ([key, label, digits]) => `  ${label.padEnd(22)} ${statistics[key].toFixed(digits)}`,
  );
  const { output, report, figures } = placesOf(results);
  return [
    `Results: ${output}`,
    `Report:  ${report}`,
    `Figures: ${figures}`,
    ...lines,
    `Verdict: ${GRADE_WORDS[verdict.grade]}. ${verdict.sentence}`,
    ...verdict.reasons.map(
      ({ grade, sentence }) => `  ${GRADE_WORDS[grade].padEnd(8)} ${sentence}`,
    ),
    ...(verdict.next === null ? [] : [`Next:    ${verdict.next}`]),
    "",
  ].join("\n");
}

/** Paths, seconds, and statistics as one JSON document. */
export async function resultsAsJson(results: string, seconds: number): Promise<string> {
  const summary = { ...placesOf(results), seconds, ...(await statisticsOf(results)) };
  return `${JSON.stringify(summary, null, 2)}\n`;
}

function placesOf(results: string): { output: string; report: string; figures: string } {
  const output = join(results, OUTPUT);
  return { output, report: join(output, "report.html"), figures: join(results, "figures") };
}

async function statisticsOf(results: string): Promise<StoredStatistics> {
  return JSON.parse(
    await readFile(join(results, OUTPUT, "statistics.json"), "utf8"),
  ) as StoredStatistics;
}

/** The first step that has no output yet. */
export function resumeStep(files: Record<StepKey, string[]>): StepNumber {
  return STEPS.find((step) => files[stepKey(step.number)].length === 0)?.number ?? LAST_STEP;
}
