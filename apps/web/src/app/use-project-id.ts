import { useEffect } from "react";
import { useLocation } from "wouter";
import { useBrowserLocation } from "./location.tsx";

const PARAMETER = "project_id";

/** Address of a page of the analysis flow for a project: the id in it survives a reload. */
export function analysisPath(step: 1 | 2 | 3 | 4, projectId?: string | null): string {
  const path = `/analysis/step${step}`;
  return projectId ? `${path}?${PARAMETER}=${encodeURIComponent(projectId)}` : path;
}

/** Address of a project's report. */
export function reportPath(projectId: string): string {
  return `/report?${PARAMETER}=${encodeURIComponent(projectId)}`;
}

/**
 * The project id of a page of the analysis flow: from the navigation state, otherwise from the URL; null if neither has
 * one.
 */
export function useProjectId(): string | null {
  const { pathname, search, state } = useBrowserLocation();
  const [, navigate] = useLocation();
  const inAddress = new URLSearchParams(search).get(PARAMETER);
  const handed = (state as { projectId?: unknown } | null)?.projectId;
  const inState = typeof handed === "string" ? handed : null;
  const projectId = inState ?? inAddress;

  useEffect(() => {
    if (projectId === null || projectId === inAddress) return;
    const next = new URLSearchParams(search);
    next.set(PARAMETER, projectId);
    navigate(`${pathname}?${next}`, { replace: true, state });
  }, [projectId, inAddress, pathname, search, state, navigate]);

  return projectId;
}
