import { STEPS } from "@stipple/contract";
import type { StepDefinition } from "../step.ts";

/** Folder of a step's code, next to this file. */
export function codeFolder(step: { number: number; id: string }): string {
  return `${step.number}-${step.id}`;
}

/** The steps in the contract's order; `steps[n].number === n`. */
export const steps: readonly StepDefinition[] = await Promise.all(
  STEPS.map(async (listed) => {
    const module = (await import(`./${codeFolder(listed)}/step.ts`)) as { step: StepDefinition };
    return module.step;
  }),
);
