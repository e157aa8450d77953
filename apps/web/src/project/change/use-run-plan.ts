import { workflowPlan, type RunChange } from "@stipple/contract/routes/workflow";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "../../app/api.ts";

/** What a run that is about to be requested would do. */
export type RunPlan = ReturnType<typeof useRunPlan>;

/** How long typing must pause before the server is asked, ms. */
const PAUSE_MS = 300;

/**
 * Which steps of a project a run with this change would repeat. `startStep` forces a step and all after it; `version`
 * changes with anything else the plan depends on, such as a file. Nothing is requested while `enabled` is false.
 */
export function useRunPlan(
  projectId: string,
  change: RunChange,
  { enabled, startStep, version }: { enabled: boolean; startStep?: number; version?: string },
) {
  const asked = useSettled(JSON.stringify({ startStep, change }));
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey: ["workflow-plan", projectId, asked, version],
    queryFn: ({ signal }) => {
      const { startStep: start_step, change: body } = JSON.parse(asked) as {
        startStep?: number;
        change: RunChange;
      };
      return api(workflowPlan, {
        body: {
          project_id: projectId,
          ...(start_step === undefined ? {} : { start_step }),
          ...body,
        },
        signal,
      });
    },
    enabled,
    retry: false,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  const current = asked === JSON.stringify({ startStep, change });
  return {
    plan: error ? undefined : data,
    /** Whether `plan` is still of an earlier choice. */
    pending: !current || isPlaceholderData || (isFetching && !data),
    error: current ? error : null,
  };
}

/** The value once it has stayed the same for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
