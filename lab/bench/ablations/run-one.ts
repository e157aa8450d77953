/**
 * Runs steps 4 and 5 without one rule, which ABLATION names: node run-one.ts WORK SEED TISSUE… prints one line of
 * figures for each tissue.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { analysis, type AnalysisSettings } from "@stipple/pipeline";
import { assignTypes } from "@stipple/pipeline/internal/steps/5-cluster-analysis/assign-types";
import { typingInput } from "@stipple/pipeline/internal/steps/5-cluster-analysis/typing-input";
import { readResult, readResultIfAny } from "@stipple/pipeline/results";
import { judge, type Figures } from "./judge.ts";
import { TISSUES, type AblationTissue } from "./tissues.ts";

const [work, seed, ...names] = process.argv.slice(2) as [string, string, ...string[]];
for (const tissue of TISSUES) {
  if (!names.includes(tissue.name)) continue;
  const figures = await judged(tissue).catch((error: unknown) => ({ error: String(error) }));
  process.stdout.write(`\nfigures ${JSON.stringify([tissue.name, figures])}\n`);
}

async function judged(tissue: AblationTissue): Promise<Figures> {
  const { request, truth } = await tissue.prepare(work);
  const folder = mkdtempSync(join(work, "run-"));
  try {
    for (const step of [0, 1, 2, 3]) {
      execFileSync("cp", ["-rl", join(request.results, `step${step}_output`), folder]);
    }
    const own = {
      ...request,
      results: folder,
      settings: { ...request.settings, seed: Number(seed) },
      signal: new AbortController().signal,
    };
    const start = process.cpuUsage();
    await analysis.runStep(4, own);
    const names = await namesOf(folder, own.settings);
    const { user, system } = process.cpuUsage(start);
    return { ...(await judge(truth, folder, names)), seconds: (user + system) / 1e6 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Names of the cells as step 5 gives them, without clusters and the rest of that step. */
async function namesOf(folder: string, settings: AnalysisSettings): Promise<string[]> {
  const from: Parameters<typeof typingInput>[0] = {
    read: (key) => readResult(folder, key),
    readIfAny: (key) => readResultIfAny(folder, key),
  };
  const { names, cellType } = await assignTypes(
    await typingInput(from, settings, { typeBeyondReach: false }),
    { signal: new AbortController().signal, progress: () => undefined },
  );
  return Array.from(cellType, (type) => names[type]);
}
