import { ProgressBar } from "../../components/progress-bar.tsx";
import { StatusPill, type Tone } from "../../components/status-pill.tsx";
import { ConfigurationLink } from "../../project/configuration-link.tsx";
import { ProjectLine } from "../../project/project-line.tsx";
import { controlsDisabled, type Phase } from "../../project/start-label.ts";
import { runTexts } from "../../project/texts.ts";
import { waitText } from "./progress.ts";
import { workflowTexts } from "./texts.ts";
import { TimeLeft } from "./time-left.tsx";
import type { Workflow } from "./use-workflow.ts";

const PHASE_TONES: Record<Phase, Tone> = {
  idle: "neutral",
  queued: "info",
  processing: "info",
  completed: "ok",
  failed: "bad",
  canceled: "warn",
};

/** Which project it is, and how far its run has come. */
export function RunSummary({
  workflow,
  percent,
  projectId,
}: {
  workflow: Workflow;
  percent: number;
  projectId: string;
}) {
  const { status, phase, position, estimatedWait } = workflow;
  const shown: Phase = status?.waits ? "queued" : phase;
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="min-w-0 text-lg [overflow-wrap:anywhere]">
            {status?.project_name || "Project"}
          </h2>
          <StatusPill tone={PHASE_TONES[shown]} pulse={shown === "processing"}>
            {workflowTexts.phases[shown]}
          </StatusPill>
        </div>
        <p className="text-2xl font-semibold">{Math.floor(percent)}%</p>
      </div>
      <div className="flex flex-wrap items-baseline">
        <ProjectLine options={status?.analysis_options} finishedAt={null} />
        {!controlsDisabled(phase) && <ConfigurationLink projectId={projectId} />}
      </div>
      <ProgressBar
        className="mt-4"
        value={percent}
        label={workflowTexts.overall}
        active={phase === "processing"}
        tone={phase === "completed" ? "ok" : phase === "failed" ? "bad" : "primary"}
      />
      {phase === "processing" && <TimeLeft className="mt-2" seconds={status?.seconds_left} />}
      {shown === "queued" && (
        <p role="status" className="mt-3 text-ink-2">
          {status?.waits
            ? runTexts.waits
            : `${workflowTexts.queuePosition(position)}. ${waitText(estimatedWait)}`}
        </p>
      )}
    </>
  );
}
