import { Suspense } from "react";
import { Outlet } from "react-router";
import { ToastRegion } from "../components/toast.tsx";
import { PageLoading } from "./page-loading.tsx";

/** What surrounds every page: navigation, footer, toasts, dialogs of the session. */
export function Shell() {
  return (
    <div className="flex min-h-dvh flex-col">
      <main id="main" className="flex-1">
        <Suspense fallback={<PageLoading />}>
          <Outlet />
        </Suspense>
      </main>
      <ToastRegion />
    </div>
  );
}
