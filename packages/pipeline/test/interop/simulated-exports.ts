import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { step as projectionAnalysis } from "../../src/steps/6-projection-analysis/step.ts";
import { step as finalization } from "../../src/steps/7-finalization/step.ts";
import { runStepOn, writeSimulatedResults } from "../../src/store/testing/simulated-results.ts";

/** Writes the exports of a small made-up sample and gives the folders of its results and of its exports. */
export async function writeSimulatedExports(
  folder: string,
): Promise<{ results: string; output: string }> {
  const { results, files } = await writeSimulatedResults(folder, {
    cells: 200,
    spots: 20,
    genes: 50,
  });
  await runStepOn(projectionAnalysis, results, files, {
    params: { figureSidePx: 100, geneFigures: 0 },
  });
  await runStepOn(finalization, results, files, { params: { selfTest: false } });
  return { results, output: join(results, "analysis_results/output") };
}

/** Whether a Python with this package is at hand; nothing else of Stipple needs one. */
export function pythonHas(name: string): boolean {
  const script = `import importlib.util, sys; sys.exit(importlib.util.find_spec('${name}') is None)`;
  return spawnSync("python3", ["-c", script]).status === 0;
}

/** Whether R with this package is at hand. */
export function rHas(name: string): boolean {
  const script = `quit(status = !requireNamespace("${name}", quietly = TRUE))`;
  return spawnSync("Rscript", ["-e", script]).status === 0;
}
