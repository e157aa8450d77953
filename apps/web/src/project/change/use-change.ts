import { LAST_STEP } from "@stipple/contract/steps";
import type { AnalysisOptions } from "@stipple/contract/analysis-options";
import { runWorkflow, workflowChoices, type RunChange } from "@stipple/contract/routes/workflow";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { api, apiResponse, errorText } from "../../app/api.ts";
import { useAttempt } from "../../app/use-attempt.ts";
import { analysisPath } from "../../app/use-project-id.ts";
import { changeTexts as TEXTS } from "./texts.ts";
import { useRunPlan } from "./use-run-plan.ts";

/**
 * Choices for another run of a finished project, beginning with the project's own; what such a run would do, and its
 * start. `version` changes with the files that it would read.
 */
export function useChange(
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

  const run = (): Promise<void> =>
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
