import { basename, join } from "node:path";
import type { StepNumber } from "@stipple/contract";
import { isOwnFile } from "@stipple/contract/platforms/own-files";
import {
  findSampleFiles,
  INPUT_NAMES,
  inputPaths,
  type AddedFiles,
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
  inputs: readonly { slot: string; name: string; size: number; digest: string }[];
  settings: AnalysisSettings;
}

/** The project's recognized input files, with the digests of their contents; nothing is read from the disk. */
export async function knownInputs(order: Sample): Promise<NonNullable<RunRequest["known"]>> {
  const files = sampleListing(order.inputs);
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
  const checked = planned.map((number) => steps[number]).filter(({ check }) => check !== null);
  const inputs = checked.flatMap((step) => step.inputs.flatMap((name) => paths[name]));
  return { inputs: inputs.map((path) => basename(path)), files: [] };
}

/** The files that the step declares it will open or read. */
export async function needsOf(
  order: Sample & { step: StepNumber; results: string },
): Promise<StepNeeds> {
  const step = steps[order.step];
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
  const listing = sampleListing(order.inputs);
  const files = await findSampleFiles(order.input, { platform, resolution, listing });
  return { ...files, ...ownFiles(order) };
}

/** The sample's own files, as recognizing them needs them: what the user added is never taken for one. */
function sampleListing(inputs: Sample["inputs"]): { path: string; size: number }[] {
  return inputs
    .filter(({ slot }) => !isOwnFile(slot))
    .map(({ name, size }) => ({ path: name, size }));
}

/** Paths of the files that the user added to the sample. */
export function ownFiles({ input, inputs }: Pick<Sample, "input" | "inputs">): AddedFiles {
  const added: AddedFiles = {};
  for (const { slot, name } of inputs) {
    if (isOwnFile(slot)) added[slot] = join(input, name);
  }
  return added;
}
