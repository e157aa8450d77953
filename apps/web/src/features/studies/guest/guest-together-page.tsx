import { useMemo } from "react";
import { Redirect, useParams } from "wouter";
import { TogetherOnceLoaded } from "../together/together-once-loaded.tsx";
import { useSharedStudy } from "./use-shared-study.ts";

/** The sections of a shared study side by side. */
export function GuestTogetherPage() {
  const { token = "" } = useParams<{ token: string }>();
  const { study, end, error, refetch } = useSharedStudy(token);
  const links = useMemo(
    () =>
      study?.samples.flatMap(({ project_id: projectId, name, view: url }) =>
        projectId !== null && url !== null ? [{ projectId, name, url }] : [],
      ),
    [study],
  );
  const page = `/study/${token}`;
  // It says why the link does not open any longer.
  if (end) return <Redirect to={page} replace />;
  return (
    <TogetherOnceLoaded
      study={{
        ...{ name: study?.name ?? "", page, own: null },
        lacking: study?.samples.filter(({ view }) => view === null) ?? [],
      }}
      links={links}
      landmarks={study?.landmarks ?? []}
      retry={!study && error ? () => void refetch() : undefined}
    />
  );
}
