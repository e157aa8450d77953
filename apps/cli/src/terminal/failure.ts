import { CancelledError, InputError } from "@stipple/pipeline/errors";

/** What a person reads when a command fails: one sentence for a fault they can mend, a way to the details otherwise. */
export function describeFailure(error: unknown, verbose: boolean): string {
  if (error instanceof InputError || error instanceof CancelledError) {
    return verbose && error.stack ? error.stack : error.message;
  }
  if (!(error instanceof Error)) return String(error);
  if (verbose) return error.stack ?? error.message;
  return `Something went wrong inside Stipple: ${error.message}\nRun the same command with --verbose to see where.`;
}
