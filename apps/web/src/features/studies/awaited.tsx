import { errorText } from "../../app/api.ts";
import { LoadFailure } from "../../components/load-failure.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { STUDIES_TEXTS } from "./texts.ts";
import { Notice } from "../../components/notice.tsx";

/** In place of an answer that is being computed, or whose computation failed. */
export function Awaited({
  error,
  texts,
  className,
  onRetry,
}: {
  error: Error | null;
  texts: { failed: string; computing: string };
  /** Height of the placeholder. */
  className: string;
  onRetry: () => void;
}) {
  return (
    <div className="px-4 pb-6 md:px-6">
      {error ? (
        <LoadFailure text={errorText(error, texts.failed)} onRetry={onRetry} />
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

/** Why a study has no answer, and for guests who can do something about it. */
export function RefusalNotice({
  title,
  refusal,
  isShared,
}: {
  title: string;
  refusal: string | null;
  isShared: boolean;
}) {
  return (
    <Notice tone="warn" title={title} className="mx-4 mb-6 md:mx-6">
      <p>{refusal}</p>
      {isShared && <p className="mt-1">{STUDIES_TEXTS.ownerChanges}</p>}
    </Notice>
  );
}
