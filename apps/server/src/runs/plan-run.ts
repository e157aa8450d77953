import { STEP_NUMBERS, STEPS, type StepNumber, type WorkflowPlan } from "@stipple/contract";
import { planSteps } from "@stipple/pipeline/parameters";
import { InputError } from "@stipple/pipeline/errors";
import { steps } from "@stipple/pipeline/steps";
import { ApiError } from "../http/api-error.ts";
import { knownInputs } from "./step/step-needs.ts";
import type { StepRecord } from "../outputs/read.ts";
import type { InputFile } from "../outputs/input-reads.ts";
import { estimatedStepSeconds } from "./estimate/estimate.ts";
import { runSettings } from "../projects/run-settings.ts";
import { sizeOf } from "./estimate/run-size.ts";

/**
 * What a run of a project would do now, by the same rules as the worker's plan, but reading only rows. `from` forces a
 * step and all after it; null = only what has changed. Throws invalid_request if the files do not make up a sample.
 */
export async function planRun(
  project: Parameters<typeof runSettings>[0],
  parts: { from: StepNumber | null; inputs: readonly InputFile[]; records: readonly StepRecord[] },
): Promise<Pick<WorkflowPlan, "steps" | "seconds" | "is_measured">> {
  const { from, inputs, records } = parts;
  const settings = runSettings(project, inputs);
  const { digests } = await knownInputs({ input: "input", inputs, settings }).catch(
    (error: unknown) => {
      if (error instanceof InputError) throw new ApiError("invalid_request", error.message);
      throw error;
    },
  );
  const recordOf = (number: StepNumber): StepRecord | undefined =>
    records.find(({ step }) => step === number);
  const planned = planSteps(steps, from, {
    settings,
    parameters: project.choices.parameters,
    inputs: digests,
    manifests: STEP_NUMBERS.map((number) => recordOf(number) ?? null),
  });
  const size = sizeOf(inputs);
  const expected = planned.map((number) => ({
    number,
    name: STEPS[number].name,
    ...estimatedStepSeconds(number, {
      size,
      record: recordOf(number),
      analysisType: settings.analysisType,
    }),
  }));
  return {
    steps: expected.map(({ number, name, seconds }) => ({ number, name, seconds })),
    seconds: Math.round(expected.reduce((sum, { seconds }) => sum + seconds, 0)),
    is_measured: expected.every(({ isMeasured }) => isMeasured),
  };
}
