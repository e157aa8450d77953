import {
  LAST_STEP,
  overallPercent,
  stepKey,
  STEPS,
  type StepNumber,
  type WorkflowStatus,
} from "@stipple/contract";
import { readManifest } from "@stipple/pipeline/store/manifest";
import { listOutputFiles } from "@stipple/pipeline/store/results-folder";
import type { Clock } from "../clock.ts";
import type { OwnedProject } from "../projects/projects.ts";
import type { Run } from "./runs.ts";

/** The status answer of a project, from its newest run and the files that are there. */
export async function workflowStatus(parts: {
  project: OwnedProject;
  run: Run | null;
  inputFiles: Record<string, string>;
  /** Local folder of the project's results. */
  results: string;
  clock: Clock;
}): Promise<WorkflowStatus> {
  const { project, run, results, clock } = parts;
  const isActive = run?.status === "pending" || run?.status === "running";
  const outputFiles = await listOutputFiles(results);
  const stepSeconds: Record<string, number> = {};
  const finished: StepNumber[] = [];
  for (const { number } of STEPS) {
    // What an accepted run is going to replace is no longer an output, although it lies there until a worker begins.
    if (isActive && !run.prepared && number >= run.start_step) outputFiles[stepKey(number)] = [];
    if (outputFiles[stepKey(number)].length === 0) continue;
    finished.push(number);
    const seconds = readManifest(results, number)?.seconds;
    if (seconds !== undefined) stepSeconds[stepKey(number)] = seconds;
  }
  const isRunning = run?.status === "running" && run.step !== null;
  if (isRunning && run.step !== null && run.step_started_at) {
    const running = stepKey(run.step as StepNumber);
    stepSeconds[running] ??= Math.max(
      0,
      (clock.now().getTime() - run.step_started_at.getTime()) / 1000,
    );
  }
  return {
    status: project.status,
    output_files: outputFiles,
    shiny_app: outputFiles[stepKey(LAST_STEP)].length > 0,
    input_files: parts.inputFiles,
    project_name: project.name,
    current_step: isRunning ? run.step : null,
    step_progress: isRunning ? run.step_fraction : 0,
    // A run that ended early stays where it stopped; a result made without one counts by its files.
    percent: run && (isActive || run.prepared) ? run.percent : overallPercent(finished),
    step_seconds: stepSeconds,
    started_at: run?.started_at?.toISOString() ?? null,
    finished_at: run?.finished_at?.toISOString() ?? null,
    log: run?.log ?? [],
    error: run?.error ?? null,
  };
}
