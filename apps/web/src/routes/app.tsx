import { Suspense } from "react";
import { ErrorBoundary } from "../components/error-boundary.tsx";
import { Navigation } from "../app/location.tsx";
import { PageLoading } from "../app/page-loading.tsx";
import { AppRoutes } from "./router.tsx";
import { startSession } from "../app/session.ts";

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
