import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { LAST_STEP, STEPS, stepKey, type StepKey, type StepNumber } from "@stipple/contract";

const OUTPUT = join("analysis_results", "output");

const STATISTICS = [
  ["total_spots", "Total Spots", 0],
  ["total_cells", "Total Cells", 0],
  ["total_genes", "Total Genes", 0],
  ["average_cells_per_spot", "Average Cells per Spot", 2],
] as const;

/** Where the results are, and the four statistics. */
export async function describeResults(results: string): Promise<string> {
  const statistics = JSON.parse(
    await readFile(join(results, OUTPUT, "statistics.json"), "utf8"),
  ) as Record<string, number>;
  const lines = STATISTICS.map(
    ([key, label, digits]) => `  ${label.padEnd(22)} ${(statistics[key] ?? NaN).toFixed(digits)}`,
  );
  return `Results: ${join(results, OUTPUT)}\nReport:  ${join(results, OUTPUT, "report.html")}\nFigures: ${join(results, "figures")}\n${lines.join("\n")}\n`;
}

/** The first step that has no output yet. */
export function resumeStep(files: Record<StepKey, string[]>): StepNumber {
  return STEPS.find((step) => files[stepKey(step.number)].length === 0)?.number ?? LAST_STEP;
}
