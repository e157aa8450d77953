import { createProgram } from "./program.ts";
import { describeFailure } from "./terminal/failure.ts";

const program = createProgram();
try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${describeFailure(error, process.argv.includes("--verbose"))}\n`);
  process.exitCode = 1;
}
