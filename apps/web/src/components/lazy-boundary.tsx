import { Suspense, type ReactNode } from "react";
import { ErrorBoundary } from "./error-boundary.tsx";

/**
 * Shows a part whose code is loaded when it is first needed, and `waiting` until then and where it does not load, as
 * offline or after an update of the server.
 */
export function LazyBoundary({
  waiting = null,
  children,
}: {
  waiting?: ReactNode;
  children: ReactNode;
}) {
  return (
    <ErrorBoundary instead={waiting}>
      <Suspense fallback={waiting}>{children}</Suspense>
    </ErrorBoundary>
  );
}
