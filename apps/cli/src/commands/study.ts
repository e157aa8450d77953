import { join } from "node:path";
import { STUDY_DOWNLOADS, STUDY_TABLE, type StudyDownload } from "@stipple/contract/routes/studies";
import { InvalidArgumentError, type Command } from "commander";
import type { CompareOptions } from "../study/compare-study.ts";
import { forceOption } from "./force-option.ts";
import { threadsOption } from "./number-option.ts";
import { outFolder } from "./out-folder.ts";
import { addEmbed } from "./study-embed.ts";

export function addStudy(program: Command): void {
  const study = program.command("study").description("several samples at once");
  study
    .command("run")
    .description(
      "analyze every sample of a sheet: a CSV with the columns sample, folder, and platform; settings (staining, resolution, tissue, …), files (image, fine_bins, reference, regions, exclude, crop, alignment, outlines, annotations), and the design (condition, patient, batch, …) as further columns",
    )
    .argument("<sheet>", "the sample sheet; folders and files are relative to it")
    .requiredOption(
      "--out <dir>",
      "folder for the results: a folder for each sample, and study.csv",
    )
    .addOption(threadsOption())
    .addOption(forceOption())
    .action(run);
  study
    .command("compare")
    .description(
      "compare two conditions, with patients as units: shares of cell types, and expression of each type (summed counts, voom); writes tables, a report, and R code that repeats it",
    )
    .argument("<dir>", "the folder that study run wrote")
    .option(
      "--design <csv>",
      "the table with the column sample and those named below (default: study.csv in the folder)",
    )
    .requiredOption("--condition <column>", "column with the conditions")
    .option(
      "--patient <column>",
      "column with the patients; without it, each sample is its own patient",
    )
    .option("--batch <column>", "column with the batches, used as a covariate")
    .option(
      "--groups <a,b>",
      "the two conditions to compare, the baseline first (default: the only two)",
      twoGroups,
    )
    .option(
      "--region <name>",
      "only the cells in regions of this name or class; the files of regions are in the table's column regions, as in a sample sheet",
    )
    .option("--out <dir>", "folder for the comparison (default: comparison in the folder)")
    .action(compare);
  study
    .command("combine")
    .description(
      "write all samples as one h5ad, one SpatialData, one folder for Seurat, and one report; the sample and the columns of the design are columns of obs",
    )
    .argument("<dir>", "the folder that study run wrote")
    .requiredOption("--out <dir>", "folder for what is written")
    .option(
      "--design <csv>",
      "the table with the column sample and the design (default: study.csv in the folder)",
    )
    .option(
      "--only <parts>",
      `any of ${STUDY_DOWNLOADS.join(", ")}, separated by commas`,
      someParts,
    )
    .addOption(threadsOption())
    .action(combine);
  addEmbed(study);
}

function someParts(value: string): StudyDownload[] {
  const names = value.split(",").map((name) => name.trim());
  return names.map((name) => {
    const part = STUDY_DOWNLOADS.find((one) => one === name);
    if (part) return part;
    throw new InvalidArgumentError(`"${name}" is not one of ${STUDY_DOWNLOADS.join(", ")}.`);
  });
}

async function combine(
  path: string,
  options: { out: string; design?: string; only?: StudyDownload[]; threads: number },
): Promise<void> {
  const { combineStudy } = await import("../study/combine-study.ts");
  const { inStudyFolder } = await import("../study/study-folder.ts");
  const { only: parts = STUDY_DOWNLOADS, threads } = options;
  await inStudyFolder(path, options, (study) =>
    combineStudy({ ...study, out: outFolder(options.out), parts, threads }),
  );
}

interface Compared extends CompareOptions {
  design?: string;
  out?: string;
}

async function compare(path: string, options: Compared): Promise<void> {
  const { compareStudy } = await import("../study/compare-study.ts");
  const { writeComparison, comparisonSummary } = await import("@stipple/pipeline/study");
  const { COMPARISON_FOLDER, inStudyFolder } = await import("../study/study-folder.ts");
  await inStudyFolder(path, options, async (study) => {
    const out = outFolder(options.out ?? join(study.folder, COMPARISON_FOLDER));
    const comparison = await compareStudy(study, options);
    await writeComparison(out, comparison);
    for (const sentence of comparisonSummary(comparison)) study.say(sentence);
    study.say(`Report, tables, and R code: ${out}`);
  });
}

/** All ways to read the value as two conditions, because names may contain commas. */
function twoGroups(value: string): [string, string][] {
  const parts = value.split(",");
  const nameOf = (some: string[]): string => some.join(",").trim();
  const ways = parts
    .slice(1)
    .map((_, i): [string, string] => [nameOf(parts.slice(0, i + 1)), nameOf(parts.slice(i + 1))]);
  if (ways.length > 0) return ways;
  throw new InvalidArgumentError("It takes two conditions separated by a comma.");
}

async function run(
  path: string,
  options: { out: string; threads: number; force?: boolean },
): Promise<void> {
  const { readSheet } = await import("../study/sheet.ts");
  const sheet = await readSheet(path);
  const { placeReferences } = await import("./reference-file.ts");
  await using references = new AsyncDisposableStack();
  await placeReferences(sheet.samples, references);
  const { runStudy } = await import("../study/run-study.ts");
  const { checkRoom } = await import("./check-room.ts");
  const { outliers } = await import("@stipple/pipeline/study");
  const { progressDisplay } = await import("../terminal/progress-display.ts");
  const { cancelOnSignal } = await import("../terminal/cancellation.ts");
  const out = outFolder(options.out);
  using cancellation = cancelOnSignal(() => {
    process.stderr.write(
      "\nStopping after the current task; press Ctrl-C again to stop immediately. The same command continues later.\n",
    );
  });
  const { signal } = cancellation;
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const outcomes = await runStudy(sheet, {
    ...{ out, threads: options.threads, force: options.force, checkRoom },
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
  const done = outcomes.flatMap((outcome) =>
    "quality" in outcome ? [{ name: outcome.sample.name, quality: outcome.quality }] : [],
  );
  for (const sentence of outliers(done)) say(`Note: ${sentence}`);
  if (failed.length > 0) process.exitCode = 1;
}
