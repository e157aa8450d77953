import type { StepNumber } from "@stipple/contract";
import { CancelledError, InputError, isDiskFull } from "@stipple/pipeline/errors";
import { DamagedFileError } from "../../storage/damage-errors.ts";
import type { StepOutcome } from "./step-messages.ts";

/** How a step ended that threw an error. */
export function outcomeOf(step: StepNumber, error: unknown): StepOutcome {
  if (error instanceof CancelledError) return { kind: "cancelled" };
  // The pipeline's own sentence names the folder and is for whoever can free space there.
  const cause = error instanceof InputError ? error.cause : undefined;
  if (isDiskFull(error) || isDiskFull(cause)) return diskFull(step);
  if (error instanceof InputError) {
    return { kind: "failed", fault: "data", cause: "data", message: error.message };
  }
  return {
    kind: "failed",
    fault: "server",
    cause: "unexpected",
    message: `Step ${step} failed because of a problem on our side, not because of your data. Please try again.`,
  };
}

/** The files that a step needs could not be fetched. */
export function notProvided(step: StepNumber, error: unknown): StepOutcome {
  return ofStorage(step, error, `The files for step ${step} could not be fetched from storage.`);
}

/** What a step has made could not be stored. */
export function notStored(step: StepNumber, error: unknown): StepOutcome {
  return ofStorage(step, error, `Step ${step} could not be stored.`);
}

function ofStorage(step: StepNumber, error: unknown, sentence: string): StepOutcome {
  if (isDiskFull(error)) return diskFull(step);
  const message =
    error instanceof DamagedFileError ? error.message : `${sentence} Please resume from this step.`;
  return { kind: "failed", fault: "server", cause: "storage", message };
}

function diskFull(step: StepNumber): StepOutcome {
  const message = `The server's disk is full: resume from step ${step} once there is free space; finished steps are kept.`;
  return { kind: "failed", fault: "server", cause: "disk_full", message };
}
