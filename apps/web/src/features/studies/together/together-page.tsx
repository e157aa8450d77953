import type { Study } from "@stipple/contract/routes/studies";
import { graphics } from "@stipple/viewer";
import { useMemo, useState, type ReactNode } from "react";
import { useParams } from "wouter";
import { usePageTitle } from "../../../app/use-page-title.ts";
import { ButtonLink } from "../../../components/button.tsx";
import { LoadFailure } from "../../../components/load-failure.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { ToastRegion } from "../../../components/toast.tsx";
import { STUDIES_TEXTS } from "../texts.ts";
import { useStudy } from "../use-studies.ts";
import { TOGETHER_TEXTS as TEXTS } from "./texts.ts";
import { Together } from "./together.tsx";
import type { SectionLink } from "./use-sections.ts";
import { useViews } from "./use-views.ts";

/** The sections of a study side by side. */
export function TogetherPage() {
  const { id = "" } = useParams<{ id: string }>();
  const study = useStudy(id);
  const views = useViews(id);
  const [hasWebGl] = useState(() => graphics() !== "none");
  const links = useMemo(
    () => (study.data && views.data ? linksOf(study.data, views.data.views) : undefined),
    [study.data, views.data],
  );
  usePageTitle(study.data ? TEXTS.title(study.data.name) : STUDIES_TEXTS.title);
  if (study.data && views.data && links && links.length > 0 && hasWebGl) {
    return (
      <>
        <Together study={study.data} links={links} landmarks={views.data.landmarks} />
        <ToastRegion />
      </>
    );
  }
  const failed = [study, views].find(({ error }) => error);
  return (
    <Alone studyId={id}>
      {failed ? (
        <LoadFailure
          text={TEXTS.loadFailed}
          action={TEXTS.tryAgain}
          onRetry={() => void failed.refetch()}
        />
      ) : !hasWebGl ? (
        <Notice tone="warn">{TEXTS.noWebGl}</Notice>
      ) : links ? (
        <Notice tone="info">{TEXTS.none}</Notice>
      ) : (
        <>
          <p role="status" className="mb-3 text-ink-2">
            {TEXTS.loading}
          </p>
          <Skeleton className="h-96" />
        </>
      )}
    </Alone>
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

function Alone({ studyId, children }: { studyId: string; children: ReactNode }) {
  return (
    <main className="mx-auto w-full max-w-[1200px] p-6">
      <h1 className="sr-only">{TEXTS.page}</h1>
      <ButtonLink to={`/studies/${studyId}`} className="mb-6">
        {TEXTS.back}
      </ButtonLink>
      {children}
    </main>
  );
}
