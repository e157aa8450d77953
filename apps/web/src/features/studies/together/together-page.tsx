import type { Study } from "@stipple/contract/routes/studies";
import { useMemo } from "react";
import { useParams } from "wouter";
import { useStudy } from "../use-studies.ts";
import { TogetherOnceLoaded } from "./together-once-loaded.tsx";
import type { SectionLink } from "./use-sections.ts";
import { viewsKey } from "./use-views.ts";
import { studyViews } from "@stipple/contract/routes/study-view";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../../app/api.ts";

/** The sections of a study side by side. */
export function TogetherPage() {
  const { id = "" } = useParams<{ id: string }>();
  const study = useStudy(id);
  const views = useQuery({
    queryKey: viewsKey(id),
    queryFn: ({ signal }) => api(studyViews, { params: { id }, signal }),
    // The links last half a day; other samples may have results at the next visit.
    staleTime: Infinity,
    gcTime: 0,
  });
  const links = useMemo(
    () => (study.data && views.data ? linksOf(study.data, views.data.views) : undefined),
    [study.data, views.data],
  );
  const lacking = study.data?.samples.filter(
    ({ project_id }) => !links?.some(({ projectId }) => projectId === project_id),
  );
  const failed = [study, views].find(({ error }) => error);
  const landmarks = views.data?.landmarks ?? [];
  return (
    <TogetherOnceLoaded
      study={{
        name: study.data?.name ?? "",
        page: `/studies/${id}`,
        lacking: lacking ?? [],
        own: { id, landmarks },
      }}
      {...{ links, landmarks, retry: failed && (() => void failed.refetch()) }}
    />
  );
}

/** The finished samples, in the order of the design. */
function linksOf(
  { samples }: Study,
  views: readonly { project_id: string; url: string }[],
): SectionLink[] {
  const urls = new Map(views.map(({ project_id, url }) => [project_id, url]));
  return samples.flatMap(({ project_id: projectId, name }) => {
    const url = projectId === null ? undefined : urls.get(projectId);
    return projectId !== null && url !== undefined ? [{ projectId, name, url }] : [];
  });
}
