import type { WorkflowPlan } from "@stipple/contract/routes/workflow";
import { durationText } from "../../components/duration-text.ts";

/** Sentences of "Change and run again", and of what a run would do. */
export const changeTexts = {
  button: "Change and Run Again",
  title: "Change and run again",
  text: "Choose what to change. Your files stay in place, and only the steps that the change affects run again.",
  analysisType: "Analysis type",
  reference: "Reference",
  loading: "Loading",
  failed: "We couldn't load the options.",
  run: "Run Again",
  keep: "Keep Results",
  runFailed: "We couldn't start the run.",
  unchanged: "You haven't changed anything yet, so no step would run again.",
  planning: "Working out which steps run again…",
  planFailed: (reason: string) => `We couldn't work out which steps to run: ${reason}`,
  steps: (plan: Pick<WorkflowPlan, "steps">, all: number) =>
    plan.steps.length === all
      ? "All steps run"
      : plan.steps.length === 1
        ? "1 step runs again"
        : `${plan.steps.length} steps run again`,
  about: (plan: Pick<WorkflowPlan, "seconds" | "is_measured">) =>
    plan.is_measured
      ? `About ${durationText(plan.seconds)}, based on the last run.`
      : `About ${durationText(plan.seconds)} (estimated).`,
  notCounted: "This won't use one of your analyses.",
  counted: "This uses one of your analyses, because this project's gene counts were replaced.",
  firstCounted: "This uses one of your analyses. Later runs of this project won't.",
  endsShareLinks: (count: number) =>
    count === 1
      ? "Its share link will stop working, because it shows the previous sample."
      : `Its ${count} share links will stop working, because they show the previous sample.`,
  cellAnnotations: (count: number) =>
    count === 1
      ? "A group, assigned type, or clustering refers to the current cells. If the run finds other cells, it is kept, but not shown or used."
      : `${count} groups, assigned types, or clusterings refer to the current cells. If the run finds other cells, they are kept, but not shown or used.`,
  replaces: "This replaces the current results.",
  seePlans: "See plans",
} as const;
