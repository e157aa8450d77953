import { LAST_STEP } from "@stipple/contract/steps";
import type { AnalysisOptions } from "@stipple/contract/analysis-options";
import { runWorkflow, workflowChoices, type RunChange } from "@stipple/contract/routes/workflow";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { api, apiResponse, errorText } from "../../app/api.ts";
import { analysisPath } from "../../app/use-project-id.ts";
import { Button } from "../../components/button.tsx";
import { ChoiceGroup } from "../../components/choice-group.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { SETUP_CHOICES } from "../texts.ts";
import { changeTexts as TEXTS } from "./texts.ts";
import type { ChoiceSchema, Choices } from "../choices/choice-schema.ts";
import { CellChoices } from "./cell-choices.tsx";
import { PlanLines } from "./plan-lines.tsx";
import { useOwnFiles } from "../own-files/use-own-files.ts";
import { ReferenceSlot, useReference } from "./reference-slot.tsx";
import { SettingControls } from "./setting-controls.tsx";
import { useRunPlan } from "./use-run-plan.ts";

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
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [type, setType] = useState(proposed);
  const [settings, setSettings] = useState<Choices>();
  const [parameters, setParameters] = useState<RunChange["parameters"]>();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const reference = useReference(projectId);
  const own = useOwnFiles(projectId, true);
  const offered = useQuery({
    queryKey: ["workflow-choices", projectId],
    queryFn: ({ signal }) => api(workflowChoices, { query: { project_id: projectId }, signal }),
    staleTime: 0,
  });
  const analysisType = type ?? offered.data?.analysis_type;
  const chosen = settings ?? offered.data?.chosen.settings ?? {};
  const change: RunChange = {
    ...(analysisType ? { analysis_type: analysisType } : {}),
    settings: chosen,
    ...(parameters ? { parameters } : {}),
  };
  const planned = useRunPlan(projectId, change, {
    enabled: offered.data !== undefined,
    version: `${reference.version} ${own.version}`,
  });
  const { plan } = planned;
  const uploading = own.isUploading || (reference.state.kind === "upload" && !reference.filled);

  async function run(): Promise<void> {
    setBusy(true);
    setFailure(undefined);
    try {
      await apiResponse(runWorkflow, {
        body: { project_id: projectId, start_step: LAST_STEP, ...change },
      });
      // The project's previous state and results are out of date.
      await client.invalidateQueries({ queryKey: ["projects"] });
      for (const key of ["workflow-choices", "workflow-status", "results-status"]) {
        client.removeQueries({ queryKey: [key, projectId] });
      }
      navigate(analysisPath(3, projectId), { state: { projectId, showProgress: true } });
    } catch (error) {
      setFailure(`Error: ${errorText(error, TEXTS.runFailed)}`);
      setBusy(false);
    }
  }

  if (offered.isError) {
    return (
      <div className="flex flex-col items-start gap-3">
        <StatusMessage failed text={`Error: ${errorText(offered.error, TEXTS.failed)}`} />
        <Button onClick={() => void offered.refetch()}>{TEXTS.retry}</Button>
      </div>
    );
  }
  if (!offered.data || !analysisType) {
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
        value={analysisType}
        onChange={setType}
      />
      <SettingControls
        schema={offered.data.settings as ChoiceSchema}
        settings={chosen}
        onChange={setSettings}
        hasReference={reference.filled}
        hasCells={hasCells}
      />
      <ReferenceSlot projectId={projectId} state={reference.state} />
      <CellChoices
        {...{ projectId, own }}
        steps={offered.data.steps}
        parameters={parameters ?? offered.data.chosen.parameters}
        onChange={setParameters}
      />
      <PlanLines planned={planned} />
      <StatusMessage className="empty:absolute" failed text={failure} />
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:items-center sm:justify-end">
        {plan && plan.steps.length > 0 && !plan.refusal && (
          <p className="text-[0.8125rem] text-ink-3 sm:mr-auto">{TEXTS.replaces}</p>
        )}
        <Button onClick={onClose}>{TEXTS.keep}</Button>
        <Button
          variant="primary"
          busy={busy}
          disabled={
            !plan ||
            planned.pending ||
            plan.steps.length === 0 ||
            plan.refusal !== null ||
            uploading
          }
          onClick={() => void run()}
        >
          {TEXTS.run}
        </Button>
      </div>
    </div>
  );
}
