import { Skeleton } from "../../../components/skeleton.tsx";
import { LoadFailure } from "../../../components/load-failure.tsx";

/** Instead of a card's list that is on its way, or that could not be loaded. */
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
