import {
  LAST_STEP,
  overallPercent,
  stepKey,
  STEPS,
  type StepNumber,
  type WorkflowStatus,
} from "@stipple/contract";
import type { Clock } from "../clock.ts";
import type { StepRecord } from "../outputs/read.ts";
import type { OwnedProject } from "../projects/projects.ts";
import type { Run } from "./runs.ts";

/** The status answer of a project, from its newest run and the steps that are there. */
export function workflowStatus(parts: {
  project: OwnedProject;
  run: Run | null;
  inputFiles: Record<string, string>;
  /** The project's finished steps. */
  steps: readonly StepRecord[];
  clock: Clock;
}): WorkflowStatus {
  const { project, run, clock } = parts;
  const isActive = run?.status === "pending" || run?.status === "running";
  // What an accepted run is going to replace is no longer an output, although it is there until a worker begins.
  const kept = parts.steps.filter(({ step }) => !isActive || run.prepared || step < run.start_step);
  const outputFiles = Object.fromEntries(
    STEPS.map(({ number }) => [stepKey(number), [] as string[]]),
  ) as WorkflowStatus["output_files"];
  const stepSeconds: Record<string, number> = {};
  const finished: StepNumber[] = [];
  for (const { step, entries, seconds } of kept) {
    outputFiles[stepKey(step)] = entries;
    stepSeconds[stepKey(step)] = seconds;
    finished.push(step);
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
