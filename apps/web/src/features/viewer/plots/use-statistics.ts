import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { KEPT } from "../../../project/view/query-options.ts";
import type { ViewStatistics } from "../../../project/view/view-server.ts";
import { useViewer } from "../state/viewer-context.tsx";

/** Markers and spatial statistics of the project, loaded once. */
export function useStatistics(): UseQueryResult<ViewStatistics> {
  const { server, projectId } = useViewer();
  return useQuery({
    queryKey: ["viewer-statistics", projectId],
    ...KEPT,
    queryFn: ({ signal }) => server.statistics(signal),
  });
}
