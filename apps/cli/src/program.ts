import { Command } from "commander";
import manifest from "../package.json" with { type: "json" };
import { addAdmin } from "./commands/admin.ts";
import { addAnalyze } from "./commands/analyze.ts";
import { addBackup, addStorage } from "./commands/backup.ts";
import { addEvaluate } from "./commands/evaluate.ts";
import { addPieces } from "./commands/pieces.ts";
import { addPlatform } from "./commands/platform.ts";
import { addReference } from "./commands/reference.ts";
import { addSimulate } from "./commands/simulate.ts";
import { addStudy } from "./commands/study.ts";
import { addSteps } from "./commands/steps.ts";

/** The `stipple` command. Subcommands load what they need when they run, so that --help responds immediately. */
export function createProgram(): Command {
  const program = new Command("stipple")
    .description("From spot-based spatial transcriptomics and a tissue image to single cells.")
    .version(manifest.version)
    .option("--verbose", "show stack traces of errors")
    .configureHelp({ showGlobalOptions: true })
    .hook("preAction", (_program, command) => assertFilled(command));
  addAnalyze(program);
  addPieces(program);
  addStudy(program);
  addSimulate(program);
  addEvaluate(program);
  addSteps(program);
  addReference(program);
  addPlatform(program);
  addStorage(program);
  addAdmin(program);
  addBackup(program);
  return program;
}

/** An empty path, as of a variable that is not set, would mean the working directory. */
function assertFilled(command: Command): void {
  const empty = command.options.find((one) => command.getOptionValue(one.attributeName()) === "");
  if (empty) {
    command.error(`error: option '${empty.flags}' is empty: give it a value, or leave it out.`);
  }
  if (command.args.includes("")) command.error("error: an argument is empty: give it a value.");
}
