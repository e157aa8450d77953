import {
  LAST_STEP,
  overallPercent,
  stepKey,
  STEPS,
  type StepNumber,
  type WorkflowStatus,
} from "@stipple/contract";
import type { ExpressionBuilder } from "kysely";
import { jsonArrayFrom, jsonObjectFrom } from "kysely/helpers/postgres";
import type { Clock } from "../clock.ts";
import type { ReadBy } from "../db/prepared.ts";
import type { Schema } from "../db/schema.ts";
import { lastRun, projectStatusOf, waitsNow } from "../projects/project-list.ts";
import { secondsLeft } from "./estimate/time-left.ts";

/** A person's project with its last run, its complete files and its finished steps; null when it is not theirs. */
export function statusRead(users: ExpressionBuilder<Schema, "users">, projectId: string) {
  return jsonObjectFrom(
    users
      .selectFrom("projects")
      .select((project) => [
        "projects.name",
        "projects.options",
        waitsNow(project).as("waits"),
        jsonObjectFrom(
          lastRun(project)
            .select(["status", "prepared", "start_step", "step", "step_fraction", "percent"])
            .select(["step_started_at", "started_at", "finished_at", "log", "error", "estimate"]),
        ).as("run"),
        jsonArrayFrom(
          project
            .selectFrom("uploads")
            .select(["slot", "file_name"])
            .whereRef("uploads.project_id", "=", "projects.id")
            .where("file_name", "is not", null)
            .orderBy("slot"),
        ).as("uploads"),
        jsonArrayFrom(
          project
            .selectFrom("step_results")
            .select(["step", "entries", "seconds"])
            .whereRef("step_results.project_id", "=", "projects.id")
            .orderBy("step"),
        ).as("steps"),
      ])
      .where("projects.id", "=", projectId)
      .whereRef("projects.user_id", "=", "users.id"),
  );
}
export type StatusJson = NonNullable<ReadBy<typeof statusRead>>;

/** The status answer of a project. */
export function workflowStatus(read: StatusJson, clock: Clock): WorkflowStatus {
  const { run } = read;
  const isActive = run?.status === "pending" || run?.status === "running";
  // Outputs that an accepted run will replace no longer count, although they exist until a worker starts.
  const kept = read.steps.filter(({ step }) => !isActive || run.prepared || step < run.start_step);
  const outputFiles = Object.fromEntries(
    STEPS.map(({ number }) => [stepKey(number), [] as string[]]),
  ) as WorkflowStatus["output_files"];
  const stepSeconds: Record<string, number> = {};
  const finished: StepNumber[] = [];
  for (const { step, entries, seconds } of kept) {
    const number = step as StepNumber;
    outputFiles[stepKey(number)] = entries;
    stepSeconds[stepKey(number)] = seconds;
    finished.push(number);
  }
  const isRunning = run?.status === "running" && run.step !== null;
  if (isRunning && run.step !== null && run.step_started_at) {
    const running = stepKey(run.step as StepNumber);
    stepSeconds[running] ??= Math.max(
      0,
      (clock.now().getTime() - new Date(run.step_started_at).getTime()) / 1000,
    );
  }
  return {
    status: projectStatusOf(run?.status ?? null),
    ...(read.waits && { waits: true as const }),
    output_files: outputFiles,
    shiny_app: outputFiles[stepKey(LAST_STEP)].length > 0,
    input_files: Object.fromEntries(
      read.uploads.map(({ slot, file_name }) => [slot, file_name ?? ""]),
    ),
    project_name: read.name,
    analysis_options: read.options,
    current_step: isRunning ? run.step : null,
    step_progress: isRunning ? run.step_fraction : 0,
    // A run that ended early keeps its percentage; results without a run count by their files.
    percent: run && (isActive || run.prepared) ? run.percent : overallPercent(finished),
    step_seconds: stepSeconds,
    seconds_left: isRunning ? leftOf(run, clock) : null,
    started_at: isoTime(run?.started_at),
    finished_at: isoTime(run?.finished_at),
    log: run?.log ?? [],
    error: run?.error ?? null,
  };
}

/** Null for runs that an earlier version has accepted. */
function leftOf(run: NonNullable<StatusJson["run"]>, clock: Clock): number | null {
  if (!run.estimate?.steps || run.step === null || !run.started_at) return null;
  const since = (time: string | Date): number =>
    Math.max(0, (clock.now().getTime() - new Date(time).getTime()) / 1000);
  return Math.round(
    secondsLeft({
      steps: run.estimate.steps.expected,
      startStep: run.start_step as StepNumber,
      step: run.step as StepNumber,
      fraction: run.step_fraction,
      elapsed: since(run.started_at),
      stepElapsed: run.step_started_at ? since(run.step_started_at) : 0,
    }),
  );
}

/** Whether the response changes even if nothing is written: the time taken by a running step grows. */
export function changesByItself({ run }: StatusJson): boolean {
  return run?.status === "running" && run.step !== null;
}

/** PostgreSQL's JSON writes times in its own way. */
function isoTime(time: string | Date | null | undefined): string | null {
  return time ? new Date(time).toISOString() : null;
}
