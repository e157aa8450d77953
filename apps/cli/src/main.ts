import { createProgram } from "./program.ts";
import { CancelledError, InputError } from "@stipple/pipeline/errors";

/** Errors of the server whose message is a sentence for the user of the command. */
const SENTENCES = [
  "AdminError",
  "ApiError",
  "BackupError",
  "SettingsError",
  "SheetError",
  "StartRefused",
  "StorageError",
];

// A reader that has seen enough, such as head, closes the pipe: what we do goes on.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

const program = createProgram();
try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${describeFailure(error, process.argv.includes("--verbose"))}\n`);
  process.exitCode = 1;
}

/** The message for a failed command: one sentence for a fault the user can fix, otherwise how to see the details. */
function describeFailure(error: unknown, verbose: boolean): string {
  const isSentence = error instanceof Error && SENTENCES.includes(error.name);
  if (error instanceof CancelledError) return "The analysis was canceled. Finished steps are kept.";
  if (error instanceof InputError || isSentence) {
    return verbose && error.stack ? error.stack : error.message;
  }
  if (!(error instanceof Error)) return String(error);
  if (verbose) return error.stack ?? error.message;
  return `Something went wrong inside Stipple: ${error.message}\nRun the same command with --verbose for details.`;
}
