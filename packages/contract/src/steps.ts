/** The eight steps of a workflow: names, order and progress weights are part of the product's promise. */
export const STEPS = [
  { number: 0, name: "Feature Initialization", weight: 10 },
  { number: 1, name: "Optical Decomposition", weight: 10 },
  { number: 2, name: "Morphological Analysis", weight: 15 },
  { number: 3, name: "Matrix Integration", weight: 15 },
  { number: 4, name: "Vector Transformation", weight: 15 },
  { number: 5, name: "Cluster Analysis", weight: 15 },
  { number: 6, name: "Projection Analysis & Visualization", weight: 15 },
  { number: 7, name: "Finalization", weight: 5 },
] as const;

export type StepNumber = (typeof STEPS)[number]["number"];
export type StepName = (typeof STEPS)[number]["name"];
export type StepKey = `step_${StepNumber}`;

export const LAST_STEP = 7 satisfies StepNumber;

/** Key of a step in `output_files` of the status answer, e.g. `step_3`. */
export function stepKey(step: StepNumber): StepKey {
  return `step_${step}`;
}

/** Folder of a step's files inside a project's results, e.g. `step3_output`. */
export function stepFolder(step: StepNumber): `step${StepNumber}_output` {
  return `step${step}_output`;
}

/** Overall progress in percent (0–100) of a run whose `finished` steps are done and whose current step is at `fraction` (0–1). */
export function overallPercent(finished: readonly StepNumber[], fraction = 0): number {
  const done = STEPS.filter((step) => finished.includes(step.number));
  const current = STEPS.find((step) => !finished.includes(step.number));
  const sum = done.reduce((total, step) => total + step.weight, 0);
  return Math.min(100, sum + (current ? current.weight * Math.min(1, Math.max(0, fraction)) : 0));
}
