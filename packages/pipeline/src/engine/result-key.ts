import { createHash } from "node:crypto";
import { STEP_NUMBERS, type StepNumber } from "@stipple/contract";
import { FIELDS } from "../fields.ts";
import { storedParts } from "../views.ts";
import { ADDED_INPUTS, type InputName } from "../readers/sample-files.ts";
import { onlySettings, type AnalysisSettings } from "../settings.ts";
import type { StepDefinition } from "../step.ts";
import type { StepManifest } from "../store/manifest.ts";
import { parametersOf, type StepParameters } from "./parameters.ts";

/** Content digests of the input files, by role (see store/input-digests.ts). */
export type InputDigests = Partial<Record<InputName, readonly string[]>>;

/** What the results of a run depend on. */
export interface RunIdentity {
  settings: AnalysisSettings;
  parameters?: StepParameters | undefined;
  inputs: InputDigests;
  /** The last result of each step, by number; null if it is not done. */
  manifests: readonly (Pick<StepManifest, "key" | "fields"> | null)[];
}

/** Inputs that steps have read since there were results: those made without them stay valid. */
const LATER_INPUTS: readonly InputName[] = ADDED_INPUTS.filter((name) => name !== "reference");

/**
 * Identity of a step's result: equal keys mean that the stored output can be reused, wherever it was made. Hashes the
 * step's version, its parameters, and the content of its declared inputs: no path, no time, no other step.
 */
export function resultKey(step: StepDefinition, run: RunIdentity): string {
  const fields = storedParts(step.reads)
    .sort()
    .map((key) => [key, run.manifests[FIELDS[key].step]?.fields[key] ?? null]);
  const inputs = step.inputs
    .filter((name) => !LATER_INPUTS.includes(name) || run.inputs[name]?.length)
    .map((name) => [name, [...(run.inputs[name] ?? [])].sort()]);
  const earlier = step.history
    ? STEP_NUMBERS.filter((number) => number < step.number).map(
        (number) => run.manifests[number]?.key ?? null,
      )
    : [];
  const parts = [
    step.id,
    step.version,
    parametersOf(step, run.parameters),
    onlySettings(run.settings, step.settings),
    inputs,
    fields,
    earlier,
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/**
 * The steps that a run started at `requested` has to execute, ascending: that step and all later ones, plus earlier
 * ones that are not done, were made from something different, or read what will be recomputed. If `requested` is null,
 * only steps that meet one of the last three conditions.
 */
export function planSteps(
  steps: readonly StepDefinition[],
  requested: StepNumber | null,
  run: RunIdentity,
): StepNumber[] {
  const planned = new Set<StepNumber>();
  for (const step of steps) {
    const current = run.manifests[step.number];
    const followsAnother =
      storedParts(step.reads).some((key) => planned.has(FIELDS[key].step)) ||
      (step.history && planned.size > 0);
    if (
      (requested !== null && step.number >= requested) ||
      followsAnother ||
      !current ||
      current.key !== resultKey(step, run)
    ) {
      planned.add(step.number);
    }
  }
  return [...planned];
}
