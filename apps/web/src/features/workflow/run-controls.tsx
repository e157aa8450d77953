import { STEPS } from "@stipple/contract/steps";
import { Play, RefreshCw, Ban } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { SelectField } from "../../components/field.tsx";
import { controlsDisabled, startLabel } from "../../project/start-label.ts";
import { workflowTexts } from "./texts.ts";
import type { Workflow } from "./use-workflow.ts";
import { ViewResultsButton } from "./view-results-button.tsx";
import { useState } from "react";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { Options } from "../../components/field.tsx";

/** Where the next run starts, and what can be done about the current one. */
export function RunControls({
  workflow,
  startStep,
  onStep,
  onStart,
  showsResults,
  projectId,
}: {
  workflow: Workflow;
  startStep: number;
  onStep: (step: number) => void;
  onStart: () => Promise<void>;
  /** Whether a completed run is linked from here. */
  showsResults: boolean;
  projectId: string;
}) {
  const { status, phase, position } = workflow;
  const disabled = controlsDisabled(phase);
  return (
    <div className="mt-5 flex flex-wrap items-end gap-3">
      <SelectField
        label={workflowTexts.startFrom}
        className="w-full sm:w-72"
        value={startStep}
        disabled={disabled || workflow.busy}
        onValue={(value) => onStep(Number(value))}
      >
        <Options of={STEPS.map(({ number, name }) => [number, `${number}. ${name}`])} />
      </SelectField>
      <Button
        variant="primary"
        className="max-sm:flex-1"
        icon={Play}
        disabled={disabled || status === undefined}
        busy={workflow.busy && !disabled}
        onClick={onStart}
      >
        {startLabel(phase, startStep, position)}
      </Button>
      <Button icon={RefreshCw} disabled={disabled} onClick={workflow.refresh}>
        {workflowTexts.refresh}
      </Button>
      {(phase === "queued" || phase === "processing" || status?.waits) && (
        <CancelButton busy={workflow.busy} onCancel={workflow.cancel} />
      )}
      {phase === "completed" && showsResults && <ViewResultsButton projectId={projectId} />}
    </div>
  );
}

/** Cancels a run, after asking. */
function CancelButton({ busy, onCancel }: { busy: boolean; onCancel: () => Promise<void> }) {
  const [confirming, setConfirming] = useState(false);
  return (
    <>
      <Button
        variant="ghost"
        className="text-bad"
        icon={Ban}
        disabled={busy}
        onClick={() => setConfirming(true)}
      >
        {workflowTexts.cancel}
      </Button>
      <ConfirmDialog
        open={confirming}
        onClose={() => setConfirming(false)}
        title={workflowTexts.cancelTitle}
        description={workflowTexts.cancelText}
        action={workflowTexts.cancel}
        cancel={workflowTexts.keepRunning}
        onConfirm={() => {
          setConfirming(false);
          void onCancel();
        }}
      />
    </>
  );
}
