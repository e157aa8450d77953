import { overallPercent, type StepNumber } from "@stipple/contract/steps";
import type { WorkflowStatus } from "@stipple/contract/routes/workflow";
import { finishedSteps } from "../../project/phase.ts";

/** Percent (0–100) from the steps' weights, or the server's own figure if higher. */
export function percentOf(status: WorkflowStatus): number {
  const finished: StepNumber[] = finishedSteps(status);
  const counted = overallPercent(finished, status.current_step === null ? 0 : status.step_progress);
  return Math.min(100, Math.max(counted, status.percent));
}

/** Remembers the furthest percentage of a run: `run` names it (its start time), and another run starts over. */
export function monotonicPercent(): (run: string, percent: number) => number {
  let current = "";
  let furthest = 0;
  return (run, percent) => {
    if (run !== current) {
      current = run;
      furthest = 0;
    }
    furthest = Math.max(furthest, percent);
    return furthest;
  };
}

/** Time as "42 s", "3 min 05 s" or "1 h 04 min". */
export function elapsedText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const pad = (value: number) => String(value).padStart(2, "0");
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${pad(whole % 60)} s`;
  return `${Math.floor(whole / 3600)} h ${pad(Math.floor((whole % 3600) / 60))} min`;
}

/** Minutes of waiting in words. */
export function waitText(minutes: number | null): string {
  if (minutes === null) return "The wait time is not known yet.";
  if (minutes < 1) return "Estimated wait: less than a minute.";
  const whole = Math.ceil(minutes);
  return `Estimated wait: ${whole} ${whole === 1 ? "minute" : "minutes"}.`;
}
