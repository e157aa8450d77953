/** One step in a separate process, measured from outside. `node run-step.ts INPUT RESULTS SETTINGS STEP` */
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import type { StepNumber } from "@stipple/contract";
import { analysis } from "@stipple/pipeline";
import { analysisSettings } from "@stipple/pipeline/settings";

const [input, results, settings, step] = process.argv.slice(2);
const started = performance.now();
const progress: [seconds: number, fraction: number][] = [];
await analysis.runStep(Number(step) as StepNumber, {
  input,
  results,
  settings: analysisSettings.parse(JSON.parse(settings)),
  threads: availableParallelism(),
  signal: new AbortController().signal,
  listener: {
    stepProgress: (_step, fraction) =>
      progress.push([(performance.now() - started) / 1000, fraction]),
  },
});
const io = await readFile("/proc/self/io", "utf8");
const bytes = (name: string): number => Number(new RegExp(`^${name}: (\\d+)`, "m").exec(io)?.[1]);
process.send?.({ readBytes: bytes("rchar"), writtenBytes: bytes("wchar"), progress });
