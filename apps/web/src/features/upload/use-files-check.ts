import { workflowPlan } from "@stipple/contract/routes/workflow";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../app/api.ts";

/**
 * Whether a project's complete files fit together, as the server finds before a run: asked once all are there, and again
 * after each change.
 */
export function useFilesCheck(
  projectId: string,
  isComplete: boolean,
  /** Changes with the files that are added to the sample. */
  version: string,
): { isChecking: boolean; fault: string | null } {
  const { data, isFetching } = useQuery({
    queryKey: ["files-check", projectId, version],
    enabled: isComplete,
    staleTime: 0,
    refetchOnWindowFocus: false,
    queryFn: async ({ signal }) => {
      const body = { project_id: projectId };
      return (await api(workflowPlan, { body, signal })).files_fault;
    },
  });
  const isChecking = isComplete && isFetching;
  return { isChecking, fault: isComplete && !isFetching ? (data ?? null) : null };
}
