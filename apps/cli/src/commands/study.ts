import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { numberBetween } from "./number-option.ts";

const MAX_THREADS = 256;

export function addStudy(program: Command): void {
  const study = program.command("study").description("several samples at once");
  study
    .command("run")
    .description(
      "analyze every sample of a sheet: a CSV with the columns sample, folder, and platform; settings (staining, resolution, tissue, …), files (image, reference, regions, exclude, alignment, outlines), and the design (condition, patient, batch, …) as further columns",
    )
    .argument("<sheet>", "the sample sheet; folders and files are relative to it")
    .requiredOption(
      "--out <dir>",
      "folder for the results: a folder for each sample, and study.csv",
    )
    .option(
      "--threads <n>",
      "worker threads",
      numberBetween(1, MAX_THREADS, "whole"),
      Math.min(MAX_THREADS, availableParallelism()),
    )
    .option("--verbose", "show stack traces of errors")
    .action(run);
}

async function run(path: string, options: { out: string; threads: number }): Promise<void> {
  const { readSheet } = await import("../study/sheet.ts");
  const sheet = await readSheet(path);
  const { runStudy, STUDY_TABLE } = await import("../study/run-study.ts");
  const { outliers } = await import("../study/quality.ts");
  const { makeFolders } = await import("@stipple/server/settings/make-folders");
  const { progressDisplay } = await import("../terminal/progress-display.ts");
  const { cancelOnSignal } = await import("../terminal/cancellation.ts");
  const out = resolve(options.out);
  makeFolders(out);
  const { signal, release } = cancelOnSignal(() => {
    process.stderr.write(
      "\nStopping after the current task; press Ctrl-C again to stop immediately. The same command continues later.\n",
    );
  });
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  try {
    const outcomes = await runStudy(sheet, {
      out,
      threads: options.threads,
      signal,
      listener: progressDisplay(process.stdout),
      say,
    });
    const failed = outcomes.filter((outcome) => "failure" in outcome);
    say(
      `${outcomes.length - failed.length} of ${outcomes.length} samples are analyzed. Table: ${join(out, STUDY_TABLE)}`,
    );
    for (const outcome of outcomes) {
      say(
        `  ${outcome.sample.name.padEnd(20)} ${"failure" in outcome ? outcome.failure : `${outcome.quality.verdict}: ${outcome.quality.cells.toLocaleString("en-US")} cells, ${outcome.quality.medianUmisPerSpot.toLocaleString("en-US")} UMIs per spot, ${outcome.quality.reliableGenes} reliable genes`}`,
      );
    }
    for (const sentence of outliers(outcomes)) say(`Note: ${sentence}`);
    if (failed.length > 0) process.exitCode = 1;
  } finally {
    release();
  }
}
