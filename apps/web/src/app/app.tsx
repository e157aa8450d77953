import { Suspense } from "react";
import { BrowserRouter } from "react-router";
import { ErrorBoundary } from "./error-boundary.tsx";
import { PageLoading } from "./page-loading.tsx";
import { AppRoutes } from "./router.tsx";
import { startSession } from "./session.ts";

startSession();

/** The whole web app. */
export function App() {
  return (
    <ErrorBoundary>
      <BrowserRouter>
        <Suspense fallback={<PageLoading />}>
          <AppRoutes />
        </Suspense>
      </BrowserRouter>
    </ErrorBoundary>
  );
}
