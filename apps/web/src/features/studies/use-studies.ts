import { listProjects } from "@stipple/contract/routes/projects";
import { readStudy, type StudySample } from "@stipple/contract/routes/studies";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../app/api.ts";

const POLL_MS = 5_000;
export const STUDIES_KEY = ["studies"];
export const studyKey = (id: string): string[] => ["study", id];

export function useStudy(id: string) {
  return useQuery({
    queryKey: studyKey(id),
    queryFn: ({ signal }) => api(readStudy, { params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.samples.some(isUnderWay) ? POLL_MS : false),
  });
}

/** Whether a sample will change by itself. */
function isUnderWay({ status, waits }: StudySample): boolean {
  return waits || status === "pending" || status === "processing";
}

/** The account's projects, to choose from. */
export function useChoosableProjects() {
  return useQuery({
    queryKey: ["projects"],
    queryFn: ({ signal }) => api(listProjects, { signal }),
  });
}
