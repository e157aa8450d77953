import { listProjects } from "@stipple/contract/routes/projects";
import { listStudies, readStudy, studyQuality } from "@stipple/contract/routes/studies";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../app/api.ts";

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
  });
}

export function useQuality(id: string) {
  return useQuery({
    queryKey: [...studyKey(id), "quality"],
    queryFn: ({ signal }) => api(studyQuality, { params: { id }, signal }),
  });
}

/** The account's projects, to choose from. */
export function useChoosableProjects(enabled: boolean) {
  return useQuery({
    queryKey: ["projects"],
    queryFn: ({ signal }) => api(listProjects, { signal }),
    enabled,
  });
}
