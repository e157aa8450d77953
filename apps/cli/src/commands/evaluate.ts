import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Command } from "commander";

interface EvaluateOptions {
  truth: string;
  results: string;
  json?: string;
}

export function addEvaluate(program: Command): void {
  program
    .command("evaluate")
    .description(
      "compare results with the ground truth of a simulated tissue, along with baselines and controls",
    )
    .requiredOption("--truth <dir>", "truth folder of a simulated tissue, or its parent folder")
    .requiredOption("--results <dir>", "results folder of stipple analyze")
    .option("--json <file>", "also write the results as JSON")
    .action(evaluate);
}

async function evaluate(options: EvaluateOptions): Promise<void> {
  const { evaluateResults, formatEvaluation } = await import("@stipple/tissue");
  const evaluation = await evaluateResults(resolve(options.truth), resolve(options.results));
  process.stdout.write(formatEvaluation(evaluation));
  if (options.json !== undefined) {
    await writeFile(options.json, `${JSON.stringify(evaluation, null, 2)}\n`);
  }
}
