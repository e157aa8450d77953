import { Skeleton } from "../../../components/skeleton.tsx";
import { LoadFailure } from "../../../components/load-failure.tsx";

/** Replaces a card's list while it is loading or if it could not be loaded. */
export function ListWaiting({
  failed,
  texts,
  onRetry,
}: {
  failed: boolean;
  texts: { loadFailed: string; tryAgain: string };
  onRetry: () => void;
}) {
  return (
    <div className="px-6 pb-6">
      {failed ? (
        <LoadFailure text={texts.loadFailed} action={texts.tryAgain} onRetry={onRetry} />
      ) : (
        <Skeleton className="h-24" />
      )}
    </div>
  );
}
