import type { StepNumber } from "@stipple/contract";
import { isDiskFull } from "@stipple/pipeline/errors";
import { DamagedFileError } from "../../storage/damage-errors.ts";
import type { StepOutcome } from "./step-messages.ts";

/** The files that a step needs could not be fetched. */
export function notProvided(step: StepNumber, error: unknown): StepOutcome {
  return fault(step, error, `The files for step ${step} could not be fetched from storage.`);
}

/** What a step has made could not be stored. */
export function notStored(step: StepNumber, error: unknown): StepOutcome {
  return fault(step, error, `Step ${step} could not be stored.`);
}

function fault(step: StepNumber, error: unknown, sentence: string): StepOutcome {
  const isFull = isDiskFull(error);
  return {
    kind: "failed",
    fault: "server",
    cause: isFull ? "disk_full" : "storage",
    message: isFull
      ? `The server's disk is full: resume from step ${step} once there is free space; finished steps are kept.`
      : error instanceof DamagedFileError
        ? error.message
        : `${sentence} Please resume from this step.`,
  };
}
