import { STEPS } from "@stipple/contract/steps";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ProgressBar } from "../../components/progress-bar.tsx";
import { runTexts } from "../../project/texts.ts";
import { workflowTexts } from "./texts.ts";
import { LogPanel } from "../../project/log-panel.tsx";
import { waitText } from "./progress.ts";
import { TimeLeft } from "./time-left.tsx";
import { ViewResultsButton } from "./view-results-button.tsx";
import type { Workflow } from "./use-workflow.ts";

/** Overlay for a started workflow: its place in the queue, its progress, or a link to its results. */
export function RunOverlay({
  workflow,
  projectId,
  percent,
  open,
  onClose,
}: {
  workflow: Workflow;
  projectId: string;
  percent: number;
  open: boolean;
  onClose: () => void;
}) {
  const { phase, position, estimatedWait, status } = workflow;
  const hide = <Button onClick={onClose}>{workflowTexts.hide}</Button>;
  if (phase === "queued")
    return (
      <Dialog
        open={open}
        onClose={onClose}
        title={workflowTexts.queueTitle}
        description={workflowTexts.queueText}
        actions={hide}
      >
        <p className="text-2xl font-semibold">{workflowTexts.queuePosition(position)}</p>
        <p className="mt-1 text-ink-2">{waitText(estimatedWait)}</p>
      </Dialog>
    );
  if (phase === "completed")
    return (
      <Dialog
        open={open}
        onClose={onClose}
        title={workflowTexts.completedTitle}
        description={workflowTexts.completedText}
        actions={
          <>
            {hide}
            <ViewResultsButton projectId={projectId} />
          </>
        }
      />
    );
  const step = STEPS.find(({ number }) => number === status?.current_step);
  return (
    <Dialog
      open={open && phase === "processing"}
      onClose={onClose}
      wide
      title={workflowTexts.processingTitle}
      description={workflowTexts.processingText}
      actions={hide}
    >
      <p className="flex items-baseline justify-between gap-3">
        <span className="text-ink-2">
          {step ? `Step ${step.number}: ${step.name}` : "Starting…"}
        </span>
        <span className="text-2xl font-semibold">{Math.floor(percent)}%</span>
      </p>
      <ProgressBar className="mt-3" value={percent} label={workflowTexts.overall} active />
      <TimeLeft className="mt-1.5" seconds={status?.seconds_left} />
      <h3 className="mt-5 mb-2 text-[0.8125rem] font-medium text-ink-2">{runTexts.log}</h3>
      <LogPanel lines={status?.log ?? []} className="h-44" />
    </Dialog>
  );
}
