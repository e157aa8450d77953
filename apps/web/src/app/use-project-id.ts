import { useEffect } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";

const PARAMETER = "project_id";

/** Address of a page of the analysis flow for a project: the id in it survives a reload. */
export function analysisPath(step: 1 | 2 | 3 | 4, projectId?: string | null): string {
  const path = `/analysis/step${step}`;
  return projectId ? `${path}?${PARAMETER}=${encodeURIComponent(projectId)}` : path;
}

/** The project that a page of the analysis flow is about: from the navigation state, else from the address; null when neither names one. */
export function useProjectId(): string | null {
  const location = useLocation();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const inAddress = search.get(PARAMETER);
  const state = location.state as { projectId?: unknown } | null;
  const inState = typeof state?.projectId === "string" ? state.projectId : null;
  const projectId = inState ?? inAddress;

  useEffect(() => {
    if (projectId === null || projectId === inAddress) return;
    const next = new URLSearchParams(location.search);
    next.set(PARAMETER, projectId);
    void navigate({ search: next.toString() }, { replace: true, state: location.state as unknown });
  }, [projectId, inAddress, location, navigate]);

  return projectId;
}
