import type { StepNumber } from "@stipple/contract";
import type { Logger } from "pino";
import { placesOfRun } from "../../operations/tracing.ts";
import type { RunServices } from "../services.ts";
import type { StepOrder, StepOutcome } from "../step/step-messages.ts";
import { loggerOfRun, type RunProject } from "./run-project.ts";

/** What an operator learns of one step of a run: log lines, metrics, and a span of its trace. */
export interface StepReport {
  logger: Logger;
  /** Notes how it ended; returns that. */
  ended(outcome: StepOutcome): StepOutcome;
  /** Notes that it will be done again, because of `cause`. */
  interrupted(cause: string): void;
  /** Notes an unexpected failure. */
  failure(detail: string): void;
}

export function beginStepReport(
  services: Pick<RunServices, "logger" | "metrics" | "tracing">,
  {
    runId,
    project,
    task,
    step,
  }: {
    runId: string;
    project: RunProject;
    task: StepOrder["task"];
    step: StepNumber;
  },
): StepReport {
  const { metrics, tracing } = services;
  const logger = loggerOfRun(services, runId, { project_id: project.id, ...project.origin });
  const places = placesOfRun({ id: runId, traceparent: project.origin.traceparent });
  const span = tracing.begin(task === "plan" ? "plan" : `step ${step}`, places.step);
  const began = performance.now();
  return {
    logger,
    ended(outcome) {
      const seconds = (performance.now() - began) / 1000;
      if (task === "step") {
        metrics.stepSeconds.observe({ step: `${step}`, outcome: outcome.kind }, seconds);
      }
      const cause = outcome.kind === "failed" ? outcome.cause : undefined;
      span.end({
        attributes: {
          "stipple.run_id": runId,
          "stipple.project_id": project.id,
          "stipple.step": step,
          "stipple.outcome": outcome.kind,
        },
        failure: cause,
      });
      logger.info(
        { task, step, outcome: outcome.kind, cause, seconds: Number(seconds.toFixed(3)) },
        "step ended",
      );
      return outcome;
    },
    interrupted: (cause) => span.end({ failure: cause }),
    failure: (detail) => logger.error({ step, detail }, "step failed"),
  };
}
