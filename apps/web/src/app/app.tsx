import { Suspense } from "react";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Navigation } from "./location.tsx";
import { PageLoading } from "./page-loading.tsx";
import { AppRoutes } from "./router.tsx";
import { startSession } from "./session.ts";

startSession();

/** The whole web app. */
export function App() {
  return (
    <ErrorBoundary>
      <Navigation>
        <Suspense fallback={<PageLoading />}>
          <AppRoutes />
        </Suspense>
      </Navigation>
    </ErrorBoundary>
  );
}
