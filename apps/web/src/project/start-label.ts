/** Where a project's workflow stands, as the page shows it. */
export type Phase = "idle" | "queued" | "processing" | "completed" | "failed" | "canceled";

/** The text of the start button. */
export function startLabel(phase: Phase, startStep: number, position: number | null): string {
  if (phase === "queued") return `In Queue (Position: ${position ?? "–"})`;
  if (phase === "processing") return "Processing...";
  return startStep === 0 ? "Start Workflow" : "Resume Workflow";
}

/**
 * The controls (step selector, start, refresh, back) are disabled while the workflow is queued, running, or complete.
 */
export function controlsDisabled(phase: Phase): boolean {
  return phase === "queued" || phase === "processing" || phase === "completed";
}
