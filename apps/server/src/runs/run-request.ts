import {
  type AnalysisOptions,
  FIRST_STEP,
  type PlatformId,
  type RunChange,
  type RunChoices,
  type StepNumber,
  unmetRequirements,
} from "@stipple/contract";
import { isOwnFile } from "@stipple/contract/platforms/own-files";
import { steps } from "@stipple/pipeline/steps";
import type { OwnedProject } from "../access/opened-results.ts";
import { analyzedContent } from "../billing/analyzed-content.ts";
import { ApiError } from "../http/api-error.ts";
import { checkChoices, choicesOf } from "../projects/choices.ts";
import { MissingObjectError } from "../storage/storage.ts";
import { planRun } from "./plan-run.ts";
import type { QueuePlace } from "./queue/queue-place.ts";
import type { Runs } from "./runs.ts";
import type { RunServices } from "./services.ts";
import type { RunOrder } from "./start-run.ts";

/** What judging a request for a run takes. */
export type RequestParts = Pick<
  RunServices,
  "database" | "entitlements" | "logger" | "outputs" | "uploads"
>;

/** Judges a request for a run and starts it. Its place in the queue; null if a worker is free. */
export async function requestRun(
  parts: RequestParts & { runs: Pick<Runs, "start"> },
  project: OwnedProject,
  order: { asked: StepNumber; change: RunChange } & Pick<RunOrder, "origin" | "ofWaiting">,
): Promise<{ place: QueuePlace | null }> {
  const { asked, change, ...how } = order;
  const type = change.analysis_type;
  const inputs = await parts.uploads.sizes(project.id);
  await assertFilled(parts, project);
  const choices = await chosenBy(parts, project, change);
  const { startStep, opens } = await firstStepOf(parts, project, { asked, choices, type });
  await assertUsable(parts, project, choices, { inputs, opens });
  return parts.runs.start(project, {
    startStep,
    inputs,
    choices,
    ...how,
    analysisType: type,
  });
}

/** Throws inputs_missing unless every file that the platform needs is there. */
export async function assertFilled(
  { uploads }: Pick<RequestParts, "uploads">,
  project: OwnedProject,
): Promise<void> {
  const filled = new Set(Object.keys(await uploads.complete(project.id)));
  const missing = missingInputs(project.options.platform, filled);
  if (missing.length === 0) return;
  throw new ApiError(
    "inputs_missing",
    `Input files are missing: ${missing.join("; ")}. Upload them first.`,
  );
}

/** Refuses files with which the run would fail, unless the plan refuses the run anyway. */
async function assertUsable(
  parts: RequestParts,
  project: OwnedProject,
  choices: RunChoices,
  of: RunFiles,
): Promise<void> {
  const { database, entitlements } = parts;
  const content = await analyzedContent(database.db, project.id);
  const { refusal } = await entitlements.counts(project.userId, project.id, content);
  const fault = refusal ? null : await faultOfFiles(parts, project, choices, of);
  if (fault !== null) throw new ApiError("inputs_unusable", fault);
}

interface RunFiles {
  inputs: readonly { slot: string }[];
  /** Whether the run opens them ({@link opensFiles}). */
  opens: boolean;
}

/** Why a run with these choices would fail with the project's files, in a sentence; null if nothing speaks against it. */
export async function faultOfFiles(
  { uploads }: Pick<RequestParts, "uploads">,
  project: Pick<OwnedProject, "id" | "name" | "options">,
  choices: RunChoices,
  { inputs, opens }: RunFiles,
): Promise<string | null> {
  const isOutlined = inputs.some(({ slot }) => slot === "cells" || slot === "outlines");
  if (choices.settings["segmentation"] === "space_ranger" && !isOutlined) {
    return "Space Ranger's outlines were chosen, but cell_segmentations.geojson is missing: upload it, or choose another segmentation.";
  }
  return opens ? uploads.faultOfSample(project, choices) : null;
}

/** The choices of the project's next run: its stored ones, or those that replace them. */
export async function chosenBy(
  parts: RequestParts,
  project: OwnedProject,
  change: RunChange,
): Promise<RunChoices> {
  const kept = await choicesOf(parts, project.id);
  const choices = {
    settings: change.settings ?? kept.settings,
    parameters: change.parameters ?? kept.parameters,
  };
  checkChoices(choices);
  return choices;
}

/** Whether a run with these steps opens the sample's files to judge them, or files that the user added to it. */
export function opensFiles(
  numbers: readonly number[],
  inputs: readonly { slot: string }[],
): boolean {
  const isOpened = (name: string): boolean =>
    isOwnFile(name) && inputs.some(({ slot }) => slot === name);
  return numbers.some((number) => number === FIRST_STEP || steps[number].inputs.some(isOpened));
}

/**
 * The first step that a run would repeat: the one asked for, or an earlier one whose result no longer fits; and whether
 * its steps open files. Known when the run is accepted, so that its progress does not begin with steps that it is about
 * to repeat.
 */
async function firstStepOf(
  { uploads, outputs }: Pick<RequestParts, "uploads" | "outputs">,
  project: OwnedProject,
  order: {
    asked: StepNumber;
    choices: RunChoices;
    type: AnalysisOptions["analysis_type"] | undefined;
  },
): Promise<{ startStep: StepNumber; opens: boolean }> {
  const { asked, choices, type } = order;
  try {
    const [inputs, records] = await Promise.all([
      uploads.inputs(project.id),
      outputs.steps(project.id),
    ]);
    const planned = await planRun(
      { name: project.name, options: withType(project.options, type), choices },
      { from: asked, inputs, records },
    );
    const numbers = [asked, ...planned.steps.map(({ number }) => number as StepNumber)];
    return { startStep: Math.min(...numbers) as StepNumber, opens: opensFiles(numbers, inputs) };
  } catch (error) {
    // The run itself says what is wrong with its files; or the project has just been deleted with them.
    if (error instanceof ApiError || error instanceof MissingObjectError) {
      return { startStep: asked, opens: asked === FIRST_STEP };
    }
    throw error;
  }
}

export function withType(
  options: AnalysisOptions,
  type: AnalysisOptions["analysis_type"] | undefined,
): AnalysisOptions {
  return type ? { ...options, analysis_type: type } : options;
}

/** The files without which a workflow cannot start, by their usual names. */
function missingInputs(platform: PlatformId, filled: ReadonlySet<string>): string[] {
  return unmetRequirements(platform, filled).flatMap(({ missing, otherwise }) => {
    const names = missing.map(({ fileName }) => fileName);
    return otherwise ? [`${new Intl.ListFormat("en-US").format(names)} (or ${otherwise})`] : names;
  });
}
