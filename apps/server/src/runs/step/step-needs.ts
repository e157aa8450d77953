import { basename } from "node:path";
import type { StepNumber } from "@stipple/contract";
import {
  findSampleFiles,
  INPUT_NAMES,
  inputPaths,
  type SampleFiles,
} from "@stipple/pipeline/samples";
import type { InputDigests, RunRequest } from "@stipple/pipeline";
import { storedParts } from "@stipple/pipeline/fields";
import { steps } from "@stipple/pipeline/steps";
import { fieldFiles, readManifests } from "@stipple/pipeline/results";
import type { AnalysisSettings } from "@stipple/pipeline/settings";

/** What a step must find on the disk: input files by name, published files by their paths in the results. */
export interface StepNeeds {
  inputs: readonly string[];
  files: readonly string[];
}

/** A project's files, and how they are to be analyzed. */
interface Sample {
  /** Folder of the input files. */
  input: string;
  inputs: readonly { name: string; size: number; digest: string }[];
  settings: AnalysisSettings;
}

/** The project's recognized input files, with the digests of their contents; nothing is read from the disk. */
export async function knownInputs(order: Sample): Promise<NonNullable<RunRequest["known"]>> {
  const files = order.inputs.map(({ name, size }) => ({ path: name, size }));
  const digestOf = new Map(order.inputs.map(({ name, digest }) => [name, digest]));
  const paths = inputPaths(await recognize(order));
  const digests: InputDigests = {};
  for (const name of INPUT_NAMES) {
    digests[name] = paths[name].map((path) => digestOf.get(basename(path))!);
  }
  return { files, digests };
}

/** The input files that planned steps look at before the first of them starts. */
export async function neededByChecks(
  order: Sample,
  planned: readonly StepNumber[],
): Promise<StepNeeds> {
  const paths = inputPaths(await recognize(order));
  const checked = planned.map((number) => steps[number]!).filter(({ check }) => check !== null);
  const inputs = checked.flatMap((step) => step.inputs.flatMap((name) => paths[name]));
  return { inputs: inputs.map((path) => basename(path)), files: [] };
}

/** The files that the step declares it will open or read. */
export async function needsOf(
  order: Sample & { step: StepNumber; results: string },
): Promise<StepNeeds> {
  const step = steps[order.step]!;
  const paths = inputPaths(await recognize(order));
  const published = readManifests(order.results).flatMap((manifest) => manifest?.files ?? []);
  return {
    inputs: step.inputs.flatMap((name) => paths[name].map((path) => basename(path))),
    files: storedParts(step.reads)
      .flatMap((key) => fieldFiles(key, published))
      .map(({ path }) => path),
  };
}

/** Throws InputError if the files do not make up a sample. */
async function recognize(order: Sample): Promise<SampleFiles> {
  const { platform, resolution } = order.settings;
  const listing = order.inputs.map(({ name, size }) => ({ path: name, size }));
  return findSampleFiles(order.input, { platform, resolution, listing });
}
