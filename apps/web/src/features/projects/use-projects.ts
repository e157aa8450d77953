import { listProjects } from "@stipple/contract/routes/projects";
import { STATUS_POLL_MS } from "@stipple/contract/business/intervals";
import { api } from "../../app/api.ts";
import { useSharedQuery } from "../../app/polling/use-shared-query.ts";
import { isBusy, shownStatus } from "../../project/project-facts.ts";

export const PROJECTS_KEY = ["projects"];

/** The user's projects, newest first; polled while one of them is busy, or waits for those that are. */
export function useProjects() {
  return useSharedQuery({
    queryKey: PROJECTS_KEY,
    queryFn: ({ signal }) => api(listProjects, { signal }),
    pollMs: ({ data }) =>
      data?.some((project) => isBusy({ status: shownStatus(project) })) ? STATUS_POLL_MS : false,
  });
}
