import type { AnalysisOptions } from "@stipple/contract/analysis-options";
import { Button } from "../../components/button.tsx";
import { ChoiceGroup } from "../../components/choice-group.tsx";
import { LoadFailure } from "../../components/load-failure.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { errorText, api, apiResponse } from "../../app/api.ts";
import { SETUP_CHOICES } from "../texts.ts";
import { changeTexts as TEXTS } from "./texts.ts";
import { valueAt, withValue, type ChoiceSchema } from "../choices/choice-schema.ts";
import { PlanLines } from "./plan-lines.tsx";
import { useOwnFiles, type OwnFiles } from "../own-files/use-own-files.ts";
import { ReferenceSlot, useReference } from "./reference-slot.tsx";
import { SettingControls } from "./setting-controls.tsx";
import {
  runWorkflow,
  workflowChoices,
  type RunChange,
  type RunChoices,
} from "@stipple/contract/routes/workflow";
import { DETECTION_STEP, DetectionSection } from "../detection/detection-section.tsx";
import { MoreFiles } from "../own-files/more-files.tsx";
import { ownFileTexts } from "../own-files/texts.ts";
import { LAST_STEP } from "@stipple/contract/steps";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { useAttempt } from "../../app/use-attempt.ts";
import { analysisPath } from "../../app/use-project-id.ts";
import { useRunPlan } from "./use-run-plan.ts";

/** What outlines from another program are; cells are the default, which is not kept. */
const OUTLINES = [DETECTION_STEP, "outlinesAre"];

/**
 * Reruns a finished project with different choices: shows which steps will run before they run, and needs no upload.
 */
export function ChangeForm({
  projectId,
  proposed,
  hasCells,
  onClose,
}: {
  projectId: string;
  /** An analysis type to begin with instead of the project's. */
  proposed: AnalysisOptions["analysis_type"] | undefined;
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
      <LoadFailure
        text={`Error: ${errorText(offered.error, TEXTS.failed)}`}
        onRetry={() => void offered.refetch()}
      />
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
      <StatusMessage failed text={failure} />
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

type Parameters = RunChoices["parameters"];

/** The files that a user may add, what outlines among them are, and, without outlines, how readily nuclei are found. */
function CellChoices({
  projectId,
  own,
  steps,
  parameters,
  onChange,
}: {
  projectId: string;
  own: OwnFiles;
  /** With the parameters on offer. */
  steps: readonly { id: string; parameters: object }[];
  parameters: Parameters;
  onChange: (parameters: Parameters) => void;
}) {
  const hasOutlines = own.filled.has("outlines");
  const schema = steps.find(({ id }) => id === DETECTION_STEP)!.parameters as ChoiceSchema;
  return (
    <>
      <MoreFiles projectId={projectId} own={own}>
        {hasOutlines && (
          <div className="px-6 py-4 max-sm:px-4">
            <ChoiceGroup
              legend={ownFileTexts.outlinesAre}
              choices={ownFileTexts.outlineKinds}
              value={valueAt(parameters, OUTLINES) === "nuclei" ? "nuclei" : "cells"}
              onChange={(kind) =>
                onChange(withValue(parameters, OUTLINES, kind === "nuclei" ? kind : undefined))
              }
            />
          </div>
        )}
      </MoreFiles>
      {!hasOutlines && (
        <DetectionSection
          projectId={projectId}
          schema={schema}
          choices={parameters[DETECTION_STEP] ?? {}}
          onChange={(choices) => onChange(withValue(parameters, [DETECTION_STEP], choices))}
        />
      )}
    </>
  );
}

/**
 * Choices for another run of a finished project, beginning with the project's own; what such a run would do, and its
 * start. `version` changes with the files that it would read.
 */
function useChange(
  projectId: string,
  proposed: AnalysisOptions["analysis_type"] | undefined,
  version: string,
) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const { attempt, busy, message } = useAttempt();
  const [changed, setChanged] = useState<RunChange>(proposed ? { analysis_type: proposed } : {});
  const offered = useQuery({
    queryKey: ["workflow-choices", projectId],
    queryFn: ({ signal }) => api(workflowChoices, { query: { project_id: projectId }, signal }),
    staleTime: 0,
  });
  const change: RunChange = {
    ...(offered.data?.analysis_type ? { analysis_type: offered.data.analysis_type } : {}),
    settings: offered.data?.chosen.settings ?? {},
    ...changed,
  };
  const planned = useRunPlan(projectId, change, { enabled: offered.data !== undefined, version });

  const run = (): Promise<boolean> =>
    attempt(
      async () => {
        await apiResponse(runWorkflow, {
          body: { project_id: projectId, start_step: LAST_STEP, ...change },
        });
        // The project's previous state and results are out of date.
        await client.invalidateQueries({ queryKey: ["projects"] });
        for (const key of ["workflow-choices", "workflow-status", "results-status"]) {
          client.removeQueries({ queryKey: [key, projectId] });
        }
        navigate(analysisPath(3, projectId), { state: { projectId, showProgress: true } });
      },
      (error) => `Error: ${errorText(error, TEXTS.runFailed)}`,
    );

  return {
    offered,
    change,
    setChange: (part: RunChange) => setChanged((before) => ({ ...before, ...part })),
    planned,
    run,
    busy,
    failure: message?.text,
  };
}
