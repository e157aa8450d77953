import type { AnalysisOptions } from "@stipple/contract/analysis-options";
import { Button } from "../../components/button.tsx";
import { ChoiceGroup } from "../../components/choice-group.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { errorText } from "../../app/api.ts";
import { SETUP_CHOICES } from "../texts.ts";
import { changeTexts as TEXTS } from "./texts.ts";
import type { ChoiceSchema } from "../choices/choice-schema.ts";
import { CellChoices } from "./cell-choices.tsx";
import { PlanLines } from "./plan-lines.tsx";
import { useOwnFiles } from "../own-files/use-own-files.ts";
import { ReferenceSlot, useReference } from "./reference-slot.tsx";
import { SettingControls } from "./setting-controls.tsx";
import { useChange } from "./use-change.ts";

type AnalysisType = AnalysisOptions["analysis_type"];

/**
 * Reruns a finished project with different choices: shows which steps will run before they run, and needs no upload.
 */
export function ChangeDialog({
  projectId,
  open,
  onClose,
  proposed,
  hasCells,
}: {
  projectId: string;
  open: boolean;
  onClose: () => void;
  /** An analysis type to begin with instead of the project's. */
  proposed?: AnalysisType | undefined;
  hasCells: boolean;
}) {
  return (
    <Dialog wide open={open} onClose={onClose} title={TEXTS.title} description={TEXTS.text}>
      {open && (
        <ChangeForm
          projectId={projectId}
          proposed={proposed}
          hasCells={hasCells}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

function ChangeForm({
  projectId,
  proposed,
  hasCells,
  onClose,
}: {
  projectId: string;
  proposed: AnalysisType | undefined;
  hasCells: boolean;
  onClose: () => void;
}) {
  const reference = useReference(projectId);
  const own = useOwnFiles(projectId, true);
  const { offered, change, setChange, planned, run, busy, failure } = useChange(
    projectId,
    proposed,
    `${reference.version} ${own.version}`,
  );
  const { plan } = planned;
  const isRunnable = plan && plan.steps.length > 0 && !plan.refusal;
  const uploading = own.isUploading || (reference.state.kind === "upload" && !reference.filled);

  if (offered.isError) {
    return (
      <div className="flex flex-col items-start gap-3">
        <StatusMessage failed text={`Error: ${errorText(offered.error, TEXTS.failed)}`} />
        <Button onClick={() => void offered.refetch()}>{TEXTS.retry}</Button>
      </div>
    );
  }
  if (!offered.data || !change.analysis_type) {
    return (
      <div role="status">
        <span className="sr-only">{TEXTS.loading}</span>
        <Skeleton className="h-96" />
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-5">
      <ChoiceGroup
        legend={TEXTS.analysisType}
        choices={SETUP_CHOICES.analysisType}
        value={change.analysis_type}
        onChange={(analysis_type) => setChange({ analysis_type })}
      />
      <SettingControls
        schema={offered.data.settings as ChoiceSchema}
        settings={change.settings ?? {}}
        onChange={(settings) => setChange({ settings })}
        hasReference={reference.filled}
        hasCells={hasCells}
      />
      <ReferenceSlot projectId={projectId} state={reference.state} />
      <CellChoices
        {...{ projectId, own }}
        steps={offered.data.steps}
        parameters={change.parameters ?? offered.data.chosen.parameters}
        onChange={(parameters) => setChange({ parameters })}
      />
      <PlanLines planned={planned} />
      <StatusMessage className="empty:absolute" failed text={failure} />
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:items-center sm:justify-end">
        {isRunnable && <p className="text-[0.8125rem] text-ink-3 sm:mr-auto">{TEXTS.replaces}</p>}
        <Button onClick={onClose}>{TEXTS.keep}</Button>
        <Button
          variant="primary"
          busy={busy}
          disabled={!isRunnable || planned.pending || uploading}
          onClick={() => void run()}
        >
          {TEXTS.run}
        </Button>
      </div>
    </div>
  );
}
