import { Button } from "./button.tsx";
import { joinClasses } from "./join-classes.ts";
import { Skeleton } from "./skeleton.tsx";
import { StatusMessage } from "./status-message.tsx";

/** Shown in place of content that could not be loaded. */
export function LoadFailure({
  text,
  action = "Try again",
  onRetry,
}: {
  text: string;
  action?: string | undefined;
  onRetry: () => void;
}) {
  return (
    <div className="flex flex-col items-start gap-3">
      <StatusMessage failed text={text} className="w-full" />
      <Button onClick={onRetry}>{action}</Button>
    </div>
  );
}

/** Shown in place of what a query has not brought: placeholders while it is on its way, or that it failed. */
export function Loading({
  query: { error, refetch },
  texts,
  height,
  rows = 1,
  flush = false,
}: {
  query: { error: Error | null; refetch: () => unknown };
  texts: { loadFailed: string; tryAgain?: string };
  /** Class with a placeholder's height. */
  height: string;
  /** Number of placeholders. */
  rows?: number;
  /** In a card without inner padding. */
  flush?: boolean;
}) {
  return (
    <div className={joinClasses("space-y-3", flush && "px-4 pb-6 md:px-6")}>
      {error ? (
        <LoadFailure
          text={texts.loadFailed}
          action={texts.tryAgain}
          onRetry={() => void refetch()}
        />
      ) : (
        Array.from({ length: rows }, (_, at) => <Skeleton key={at} className={height} />)
      )}
    </div>
  );
}
