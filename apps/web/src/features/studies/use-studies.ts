import { listProjects } from "@stipple/contract/routes/projects";
import {
  listStudies,
  readStudy,
  studyQuality,
  type Study,
  type StudySample,
} from "@stipple/contract/routes/studies";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../app/api.ts";

const POLL_MS = 5_000;
export const STUDIES_KEY = ["studies"];
export const studyKey = (id: string): string[] => ["study", id];

export function useStudies() {
  return useQuery({
    queryKey: STUDIES_KEY,
    queryFn: ({ signal }) => api(listStudies, { signal }),
  });
}

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

export function useQuality({ id, samples }: Study) {
  const finished = samples.filter(({ status }) => status === "completed").length;
  return useQuery({
    queryKey: [...studyKey(id), "quality", finished],
    queryFn: ({ signal }) => api(studyQuality, { params: { id }, signal }),
  });
}

/** The account's projects, to choose from. */
export function useChoosableProjects() {
  return useQuery({
    queryKey: ["projects"],
    queryFn: ({ signal }) => api(listProjects, { signal }),
  });
}
