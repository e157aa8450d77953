import { stepKey, STEPS, type StepId } from "@stipple/contract/steps";
import type { WorkflowStatus } from "@stipple/contract/routes/workflow";
import { Check, CircleAlert, LoaderCircle } from "lucide-react";
import { joinClasses } from "../../components/join-classes.ts";
import { workflowTexts } from "./texts.ts";
import { elapsedText } from "./progress.ts";
import { stepState, type StepState } from "./step-state.ts";
import type { Phase } from "../../project/start-label.ts";
import { useEffect, useState } from "react";

/** What each step does, in one plain line. */
const STEP_LINES: Readonly<Record<StepId, string>> = {
  "feature-initialization":
    "Reads your files, checks that they fit together, and clusters the spots or bins.",
  "optical-decomposition": "Separates the stains in the image and finds the tissue.",
  "morphological-analysis": "Finds nuclei, draws cell outlines, and measures each cell.",
  "matrix-integration": "Works out how much of each cell each spot or bin captures.",
  "vector-transformation":
    "Estimates the expression of each cell, and tests the estimates on held-out counts.",
  "cluster-analysis": "Groups similar cells and names their types.",
  "projection-analysis":
    "Finds markers, lays out the UMAP, and prepares figures and the interactive view.",
  finalization: "Writes the report and all files to download.",
};

/** The steps from top to bottom: state, name, what it does, time taken, and how far the running one is. */
export function StepList({
  status,
  phase,
  updatedAt,
}: {
  status: WorkflowStatus | undefined;
  phase: Phase;
  updatedAt: number;
}) {
  const now = useTicking(phase === "processing");
  const sinceAnswer = phase === "processing" ? Math.max(0, (now - updatedAt) / 1000) : 0;
  return (
    <ol>
      {STEPS.map(({ number, id, name, weight }) => {
        const state = stepState(number, status, phase);
        const seconds = status?.step_seconds[stepKey(number)];
        const files = status?.output_files[stepKey(number)].length ?? 0;
        const fraction = status?.step_progress ?? 0;
        return (
          <li
            key={number}
            aria-current={state === "running" ? "step" : undefined}
            className="relative flex gap-3 pb-5 last:pb-0"
          >
            {number < STEPS.length - 1 && (
              <span
                aria-hidden
                className={joinClasses(
                  "absolute top-7 bottom-0 left-3.5 w-px",
                  state === "done" ? "bg-ok" : "bg-line",
                )}
              />
            )}
            <StateIcon state={state} number={number} />
            <div className="min-w-0 flex-1 pt-1">
              <p className="flex items-baseline justify-between gap-3">
                <span
                  className={joinClasses(
                    state === "waiting" ? "text-ink-2" : "font-medium",
                    state === "failed" && "text-bad",
                  )}
                >
                  {name}
                </span>
                <span className="shrink-0 text-[0.8125rem] text-ink-3">
                  {seconds !== undefined
                    ? elapsedText(state === "running" ? seconds + sinceAnswer : seconds)
                    : ""}
                </span>
              </p>
              <p className="text-[0.8125rem] text-ink-2">{STEP_LINES[id]}</p>
              <p className="text-[0.8125rem] text-ink-3">
                <span className="sr-only">{workflowTexts.stepStates[state]}, </span>
                {state === "running"
                  ? `${Math.round(fraction * 100)}% of this step`
                  : state === "done"
                    ? `${files} ${files === 1 ? "file" : "files"}`
                    : `${weight}% of the run`}
              </p>
              {state === "running" && (
                <div aria-hidden className="mt-1.5 h-1 overflow-hidden rounded-full bg-raised">
                  <div
                    className="h-full animate-pulse rounded-full bg-primary transition-[width] duration-1000"
                    style={{ width: `${Math.max(2, fraction * 100)}%` }}
                  />
                </div>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

const CIRCLE = "z-[1] grid size-7 shrink-0 place-items-center rounded-full text-xs font-semibold";

function StateIcon({ state, number }: { state: StepState; number: number }) {
  if (state === "done")
    return (
      <span className={joinClasses(CIRCLE, "bg-ok-tint text-ok")}>
        <Check aria-hidden className="size-4" />
      </span>
    );
  if (state === "running")
    return (
      <span className={joinClasses(CIRCLE, "bg-primary-tint text-primary")}>
        <LoaderCircle aria-hidden className="size-4 animate-spin" />
      </span>
    );
  if (state === "failed")
    return (
      <span className={joinClasses(CIRCLE, "bg-bad-tint text-bad")}>
        <CircleAlert aria-hidden className="size-4" />
      </span>
    );
  return (
    <span className={joinClasses(CIRCLE, "border border-line bg-card text-ink-3")}>{number}</span>
  );
}

/** The current time (ms since 1970), renewed every second while `active`. */
function useTicking(active: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!active) return;
    const tick = () => setNow(Date.now());
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [active]);
  return now;
}
