import { listProjects } from "@stipple/contract/routes/projects";
import { STATUS_POLL_MS } from "@stipple/contract/business/intervals";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../app/api.ts";
import { isBusy } from "./project-facts.ts";

export const PROJECTS_KEY = ["projects"];

/** The person's projects, newest first; asked again while one of them is busy. */
export function useProjects() {
  return useQuery({
    queryKey: PROJECTS_KEY,
    queryFn: ({ signal }) => api(listProjects, { signal }),
    refetchInterval: ({ state }) => (state.data?.some(isBusy) ? STATUS_POLL_MS : false),
  });
}
