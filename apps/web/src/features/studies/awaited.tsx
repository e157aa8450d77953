import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { errorText } from "../../app/api.ts";
import { LoadFailure } from "../../components/load-failure.tsx";
import { Notice } from "../../components/notice.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { STUDIES_TEXTS } from "./texts.ts";

/** What was found: an answer, or why there is none. */
interface Found {
  refusal: string | null;
}

/**
 * An answer of a study once it has been computed, or why there is none, and for guests who can do something about it.
 * Until then, or if it failed, what stands in for it.
 */
export function Awaited<Answer extends Found>({
  query: { data, error, refetch },
  isShared,
  texts,
  className,
  children,
}: {
  query: Pick<UseQueryResult<Answer | null>, "data" | "error" | "refetch">;
  isShared: boolean;
  texts: { failed: string; computing: string; refused: string };
  /** Height of the placeholder. */
  className: string;
  children: (found: Extract<Answer, { refusal: null }>) => ReactNode;
}) {
  if (data && !error) {
    if (data.refusal === null) return children(data as Extract<Answer, { refusal: null }>);
    return (
      <Notice tone="warn" title={texts.refused} className="mx-4 mb-6 md:mx-6">
        <p>{data.refusal}</p>
        {isShared && <p className="mt-1">{STUDIES_TEXTS.ownerChanges}</p>}
      </Notice>
    );
  }
  return (
    <div className="px-4 pb-6 md:px-6">
      {error ? (
        <LoadFailure text={errorText(error, texts.failed)} onRetry={() => void refetch()} />
      ) : (
        <>
          <p role="status" className="mb-3 text-ink-2">
            {texts.computing}
          </p>
          <Skeleton className={className} />
        </>
      )}
    </div>
  );
}
