/**
 * The steps of a workflow, in order: the only list of them. Names, order and weights are fixed by the specification.
 * Progress, the status answer, start choices, texts and the pipeline's own registry follow from it; the code of a step
 * is in `packages/pipeline/src/steps/<number>-<id>/step.ts`.
 */
export const STEPS = [
  { number: 0, id: "feature-initialization", name: "Feature Initialization", weight: 10 },
  { number: 1, id: "optical-decomposition", name: "Optical Decomposition", weight: 10 },
  { number: 2, id: "morphological-analysis", name: "Morphological Analysis", weight: 15 },
  { number: 3, id: "matrix-integration", name: "Matrix Integration", weight: 15 },
  { number: 4, id: "vector-transformation", name: "Vector Transformation", weight: 15 },
  { number: 5, id: "cluster-analysis", name: "Cluster Analysis", weight: 15 },
  { number: 6, id: "projection-analysis", name: "Projection Analysis & Visualization", weight: 15 },
  { number: 7, id: "finalization", name: "Finalization", weight: 5 },
] as const;

export type StepNumber = (typeof STEPS)[number]["number"];
export type StepName = (typeof STEPS)[number]["name"];
/** Stable name of a step, under which its parameters are given. */
export type StepId = (typeof STEPS)[number]["id"];
export type StepKey = `step_${StepNumber}`;

export const STEP_NUMBERS: readonly StepNumber[] = STEPS.map(({ number }) => number);
export const FIRST_STEP: StepNumber = STEP_NUMBERS[0]!;
export const LAST_STEP: StepNumber = STEP_NUMBERS.at(-1)!;

const TOTAL_WEIGHT = STEPS.reduce((sum, { weight }) => sum + weight, 0);

/** The current number of the step with this id. */
export function stepNumber(id: StepId): StepNumber {
  return STEPS.find((step) => step.id === id)!.number;
}

/** Whether a number from outside names a step. */
export function isStepNumber(number: number): number is StepNumber {
  return (STEP_NUMBERS as readonly number[]).includes(number);
}

/** Key of a step in `output_files` of the status answer, e.g. `step_3`. */
export function stepKey(step: StepNumber): StepKey {
  return `step_${step}`;
}

/** A value for each step, by its key. */
export function perStep<T>(value: (step: StepNumber) => T): Record<StepKey, T> {
  return Object.fromEntries(STEP_NUMBERS.map((step) => [stepKey(step), value(step)])) as Record<
    StepKey,
    T
  >;
}

/** Folder of a step's files inside a project's results, e.g. `step3_output`. */
export function stepFolder(step: StepNumber): `step${StepNumber}_output` {
  return `step${step}_output`;
}

/**
 * Overall progress in percent (0–100) of a run whose `finished` steps are done and whose current step is at `fraction`
 * (0–1).
 */
export function overallPercent(finished: readonly StepNumber[], fraction = 0): number {
  const done = STEPS.filter((step) => finished.includes(step.number));
  const current = STEPS.find((step) => !finished.includes(step.number));
  const sum = done.reduce((total, step) => total + step.weight, 0);
  const part = current ? current.weight * Math.min(1, Math.max(0, fraction)) : 0;
  return Math.min(100, (100 * (sum + part)) / TOTAL_WEIGHT);
}
