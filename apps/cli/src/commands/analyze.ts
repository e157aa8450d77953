import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import {
  binnedPlatforms,
  FIRST_STEP,
  LAST_STEP,
  PLATFORM_IDS,
  platformById,
  RESOLUTIONS,
  type PlatformId,
  type Resolution,
  type StepNumber,
} from "@stipple/contract";
import { knownTissue, tissueNames } from "@stipple/contract/tissues";
import { InputError } from "@stipple/pipeline/errors";
import type { AnalysisSettings } from "@stipple/pipeline/settings";
import { InvalidArgumentError, Option, type Command } from "commander";
import type { StepParameters } from "@stipple/pipeline/parameters";
import { forceOption } from "./force-option.ts";
import { givenFile } from "./given-file.ts";
import { numberBetween, seedOption, threadsOption } from "./number-option.ts";
import { outFolder } from "./out-folder.ts";
import { parameterOption } from "./parameter-option.ts";
import { referenceFile } from "./reference-file.ts";

interface AnalyzeOptions {
  input: string;
  image?: string;
  fineBins?: string;
  platform: PlatformId;
  staining: "h_and_e" | "if";
  analysisType: "basic" | "advanced";
  resolution?: Resolution;
  channelNames?: string;
  /** A method, or a file with outlines. */
  segmentation?: string;
  species?: "human" | "mouse";
  tissue?: AnalysisSettings["tissue"];
  reference?: string;
  referenceLabels?: string;
  regions?: string;
  exclude?: string;
  crop?: string;
  alignment?: string;
  annotations?: string;
  out: string;
  startStep: number;
  threads: number;
  seed: number;
  force?: boolean;
  set: StepParameters;
  json?: boolean;
}

const METHODS = ["network", "space_ranger"] as const;
/** Platforms that take --resolution. */
const BINNED = binnedPlatforms()
  .map(({ label }) => label)
  .join(", ");

export function addAnalyze(program: Command): void {
  const command = program
    .command("analyze")
    .description("turn spot counts and a tissue image into single cells");
  runOptions(choiceOptions(sampleOptions(command))).action(analyze);
}

/** The sample, and how it was made. */
function sampleOptions(command: Command): Command {
  return command
    .requiredOption(
      "--input <dir>",
      "Space Ranger outs folder, or a folder with the sample's files",
    )
    .option("--image <file>", "full-resolution tissue image, if not in the input folder")
    .option(
      "--fine-bins <file>",
      `counts of the 2 µm bins (H5), if not in the input folder, ${BINNED} only`,
    )
    .addOption(
      new Option("--platform <name>", "capture technology")
        .choices(PLATFORM_IDS)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option("--staining <name>", "tissue staining")
        .choices(["h_and_e", "if"])
        .default("h_and_e"),
    )
    .option(
      "--channel-names <names>",
      "names of a fluorescence image's channels in their order, separated by commas (DAPI,CD3,PanCK); taken from the file by default",
    )
    .addOption(
      new Option("--analysis-type <name>", "depth of the analysis")
        .choices(["basic", "advanced"])
        .default("basic"),
    )
    .addOption(
      new Option("--resolution <um>", `bin size in µm, ${BINNED} only`).choices(RESOLUTIONS),
    );
}

/** What to use in addition. */
function choiceOptions(command: Command): Command {
  return command
    .option(
      "--segmentation <method|file>",
      "how to find nuclei: network (neural network, recommended), space_ranger (Space Ranger outlines), or a file with cells outlined by another program (GeoJSON, label image as TIFF or .npy, Parquet with corners)",
    )
    .addOption(
      new Option(
        "--species <name>",
        "species for marker genes; detected from the genes by default",
      ).choices(["human", "mouse"]),
    )
    .option(
      "--tissue <name>",
      "tissue whose cell types to consider in addition to common ones; detected from the data by default",
      tissueOption,
    )
    .option(
      "--reference <file>",
      "labeled single cells (h5ad) used to assign cell types, or the name of a kept reference (stipple reference list)",
    )
    .option(
      "--reference-labels <column>",
      "the reference's obs column with the labels, if its name is not recognized",
    )
    .option(
      "--regions <file>",
      "regions drawn on the full-resolution image (GeoJSON, as QuPath exports annotations, or a label image as TIFF): the results say which cells lie in each region and how far they are from its border",
    )
    .option(
      "--exclude <file>",
      "regions (GeoJSON or label image) to leave out, such as folds and debris: their spots and cells are not used",
    )
    .option(
      "--crop <file>",
      "regions (GeoJSON or label image) to keep, such as one piece of several on the slide (stipple pieces): spots and cells outside are not used",
    )
    .option(
      "--alignment <file>",
      "where the spots belong on the image (JSON): an alignment saved by Loupe Browser, landmarks, or a matrix",
    )
    .option(
      "--annotations <file>",
      "annotations saved in the interactive view (JSON), for the report and the files: names, assigned types, groups, clusterings, gene lists, and notes",
    );
}

function runOptions(command: Command): Command {
  return command
    .requiredOption("--out <dir>", "folder for the results")
    .option(
      "--start-step <n>",
      `first step to run, ${FIRST_STEP}-${LAST_STEP}; earlier results in the folder are reused`,
      numberBetween(FIRST_STEP, LAST_STEP, "whole"),
      FIRST_STEP,
    )
    .addOption(threadsOption())
    .addOption(
      new Option(
        "--set <parameter=value>",
        "change a step parameter, for example cluster-analysis.resolution=0.8; can be repeated (stipple steps lists them)",
      )
        .argParser(parameterOption)
        .default({}, "none"),
    )
    .addOption(forceOption())
    .option("--seed <n>", "random seed", seedOption, 0)
    .option("--json", "print results and verdict as JSON; progress goes to stderr");
}

/** Throws what commander shows as one sentence. */
function tissueOption(name: string): AnalysisSettings["tissue"] {
  const tissue = knownTissue(name);
  if (tissue === undefined) throw new InvalidArgumentError(`Use one of ${tissueNames()}.`);
  return tissue;
}

async function analyze(options: AnalyzeOptions): Promise<void> {
  await using reference = await referenceFile(options.reference);
  const request = await checkedRequest(options, reference.path);
  const { analysis, listOutputFiles } = await import("@stipple/pipeline");
  if (!options.force) await (await import("./check-room.ts")).checkRoom(request);
  const { progressDisplay, formatSeconds } = await import("../terminal/progress-display.ts");
  const { cancelOnSignal } = await import("../terminal/cancellation.ts");
  const { describeResults, resultsAsJson, resumeStep } = await import("./results-summary.ts");
  using cancellation = cancelOnSignal(() => {
    process.stderr.write(
      "\nStopping after the current task; press Ctrl-C again to stop immediately.\n",
    );
  });
  const { signal } = cancellation;
  const display = options.json ? process.stderr : process.stdout;
  const run = { ...request, signal, listener: progressDisplay(display) };
  const startStep = options.startStep as StepNumber;
  const startedAt = performance.now();
  try {
    const [from = startStep] = await analysis.plan(startStep, run);
    if (from < startStep) {
      display.write(
        `Starting from step ${from}: its results are missing or were made from other files or settings.\n`,
      );
    }
    await analysis.run(run, startStep);
  } catch (error) {
    // A message must not follow the bar on its line.
    if (display.isTTY) display.write("\n");
    if (signal.aborted) {
      const next = resumeStep(await listOutputFiles(request.results));
      process.stderr.write(
        `The analysis was canceled. Finished steps are kept in ${request.results}: run the same command with --start-step ${next} to continue.\n`,
      );
      process.exitCode = 1;
      return;
    }
    throw error;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  process.stdout.write(
    options.json
      ? await resultsAsJson(request.results, seconds)
      : `Finished in ${formatSeconds(seconds)}.\n${await describeResults(request.results)}`,
  );
}

async function ownFiles({ regions, exclude, crop, alignment, annotations }: AnalyzeOptions) {
  return {
    regions: await givenFile(regions, "--regions"),
    excluded: await givenFile(exclude, "--exclude"),
    kept: await givenFile(crop, "--crop"),
    alignment: await givenFile(alignment, "--alignment"),
    annotations: await givenFile(annotations, "--annotations"),
  };
}

/** Checks everything that can be checked before the run. Throws {@link InputError} with one sentence. */
async function checkedRequest(options: AnalyzeOptions, reference: string | undefined) {
  const { platform, resolution } = options;
  const { label, resolutions } = platformById(platform);
  if (resolutions.length > 0 && !resolutions.includes(resolution ?? "")) {
    const sizes = resolutions.map((size) => `--resolution ${size}`).join(" or ");
    throw new InputError(`${label} needs a bin size: add ${sizes}.`);
  }
  if (resolutions.length === 0 && resolution !== undefined) {
    const ids = binnedPlatforms().map(({ id }) => id);
    throw new InputError(
      `Only ${BINNED} has bins: omit --resolution, or use --platform ${ids.join(" or ")}.`,
    );
  }
  const input = resolve(options.input);
  const folder = await stat(input).catch(() => undefined);
  if (!folder)
    throw new InputError(
      `The input folder ${options.input} does not exist: check the path after --input.`,
    );
  if (!folder.isDirectory()) {
    throw new InputError(`${options.input} is a file: use the folder that contains it as --input.`);
  }
  const image = options.image === undefined ? undefined : resolve(options.image);
  if (image !== undefined && !(await stat(image).catch(() => undefined))?.isFile()) {
    throw new InputError(
      `The image ${options.image} does not exist: check the path after --image.`,
    );
  }
  if (options.fineBins !== undefined && resolutions.length === 0) {
    throw new InputError(`Only ${BINNED} has bins: omit --fine-bins.`);
  }
  const fineBins = await givenFile(options.fineBins, "--fine-bins");
  if (options.referenceLabels !== undefined && options.reference === undefined) {
    throw new InputError("--reference-labels requires a reference: add --reference FILE.");
  }
  const own = await ownFiles(options);
  const method = METHODS.find((name) => name === options.segmentation);
  const outlines = method ? undefined : await givenFile(options.segmentation, "--segmentation");
  const results = outFolder(options.out);
  return {
    input,
    image,
    fineBins,
    reference,
    ...own,
    outlines,
    results,
    threads: options.threads,
    parameters: options.force
      ? parameterOption("optical-decomposition.acceptImage=true", options.set)
      : options.set,
    settings: {
      platform,
      staining: options.staining,
      analysisType: options.analysisType,
      seed: options.seed,
      ...(resolution === undefined ? {} : { resolution }),
      ...(options.species === undefined ? {} : { species: options.species }),
      ...(options.tissue === undefined ? {} : { tissue: options.tissue }),
      ...(options.referenceLabels === undefined
        ? {}
        : { referenceLabels: options.referenceLabels }),
      ...(options.channelNames === undefined ? {} : { channelNames: options.channelNames }),
      ...(method === undefined ? {} : { segmentation: method }),
    },
  };
}
