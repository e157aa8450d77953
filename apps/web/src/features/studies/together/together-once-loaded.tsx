import type { SectionMatch } from "@stipple/contract/routes/study-view";
import { graphics } from "@stipple/viewer";
import { useState } from "react";
import { usePageTitle } from "../../../app/use-page-title.ts";
import { ButtonLink } from "../../../components/button.tsx";
import { LoadFailure } from "../../../components/load-failure.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { ToastRegion } from "../../../components/toast.tsx";
import { STUDIES_TEXTS } from "../texts.ts";
import { TOGETHER_TEXTS as TEXTS } from "./texts.ts";
import { Together, type ShownStudy } from "./together.tsx";
import type { SectionLink } from "./use-sections.ts";

/** The sections, or why there are none. */
export function TogetherOnceLoaded({
  study,
  links,
  landmarks,
  retry,
}: {
  study: ShownStudy;
  /** Undefined until loaded. */
  links: readonly SectionLink[] | undefined;
  landmarks: readonly SectionMatch[];
  /** Given if loading failed. */
  retry: (() => void) | undefined;
}) {
  const [hasWebGl] = useState(() => graphics() !== "none");
  usePageTitle(study.name ? TEXTS.title(study.name) : STUDIES_TEXTS.title);
  if (links && links.length > 0 && hasWebGl) {
    return (
      <>
        <Together study={study} links={links} landmarks={landmarks} />
        <ToastRegion />
      </>
    );
  }
  return (
    <main className="mx-auto w-full max-w-[1200px] p-6">
      <h1 className="sr-only">{TEXTS.page}</h1>
      <ButtonLink to={study.page} className="mb-6">
        {TEXTS.back}
      </ButtonLink>
      {retry ? (
        <LoadFailure text={TEXTS.loadFailed} onRetry={retry} />
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
    </main>
  );
}
