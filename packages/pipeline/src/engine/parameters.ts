import { InputError } from "../errors.ts";
import type { StepDefinition } from "../step.ts";
import { valueFault } from "./value-fault.ts";

/** Parameters that differ from the defaults: step id → name → value. */
export type StepParameters = Record<string, Record<string, unknown>>;

/** A step's parameters with defaults filled in. Throws {@link InputError} for one that is unknown or out of range. */
export function parametersOf<P>(step: StepDefinition<P>, given: StepParameters | undefined): P {
  const result = step.params.safeParse(given?.[step.id] ?? {});
  if (result.success) return result.data;
  const { issues } = result.error;
  // The largest whole number there is comes before a parameter's own limit, and its issue alone has a note.
  const issue = issues.find((each) => !("note" in each)) ?? issues[0];
  const names = Object.keys(step.params.shape);
  if (issue?.code === "unrecognized_keys") {
    throw new InputError(
      `${step.name} has no parameter ${issue.keys[0]}: ${names.length > 0 ? `it has ${names.join(", ")}` : "it has none"}.`,
    );
  }
  // A parameter that depends on another one has its own words.
  const fault = issue?.code === "custom" ? issue.message : valueFault(issue);
  throw new InputError(`The parameter ${[step.id, ...(issue?.path ?? [])].join(".")} ${fault}.`);
}

/** Rejects parameters of unknown steps and invalid values. Throws {@link InputError}. */
export function checkParameters(steps: readonly StepDefinition[], given: StepParameters): void {
  for (const id of Object.keys(given)) {
    const step = steps.find((each) => each.id === id);
    if (!step) {
      throw new InputError(
        `Unknown step ${id}: the steps are ${steps.map((each) => each.id).join(", ")}.`,
      );
    }
    parametersOf(step, given);
  }
}
