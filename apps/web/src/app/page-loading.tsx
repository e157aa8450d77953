import { useEffect, useState } from "react";
import { Skeleton } from "../components/skeleton.tsx";

/** A longer wait gets a message. */
const LONG_MS = 4_000;

/**
 * Gray placeholders while a page is loading or its session is being checked. The footer stays hidden until the page has
 * loaded (data-page-loading), so that nobody who has scrolled sees it jump. `slowly` is the message for a long wait.
 */
export function PageLoading({ slowly }: { slowly?: string }) {
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div
      data-page-loading
      role="status"
      className="mx-auto w-full max-w-[1200px] px-4 py-10 sm:px-6"
    >
      {long && slowly ? (
        <p className="mb-6 text-ink-2">{slowly}</p>
      ) : (
        <span className="sr-only">Loading</span>
      )}
      <Skeleton className="h-9 w-56" />
      <div className="mt-8 grid grid-cols-2 gap-4 lg:grid-cols-4">
        {[0, 1, 2, 3].map((at) => (
          <Skeleton key={at} className="h-24" />
        ))}
      </div>
      <Skeleton className="mt-6 h-64" />
    </div>
  );
}
