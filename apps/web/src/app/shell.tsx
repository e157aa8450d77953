import { Suspense, useEffect, useRef, type ReactNode } from "react";
import { ToastRegion } from "../components/toast.tsx";
import { SHELL_TEXTS } from "../texts/shell.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import { useBrowserLocation } from "./location.tsx";
import { PageLoading } from "./page-loading.tsx";
import { SessionExpired } from "./session-expired.tsx";

/** What surrounds every page: navigation, footer, toasts, the Session Expired dialog. */
export function Shell({ children }: { children: ReactNode }) {
  const main = useNewPage();
  const { pathname } = useBrowserLocation();
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-control bg-primary px-4 py-2 font-medium text-primary-ink focus:translate-y-0"
      >
        {SHELL_TEXTS.skip}
      </a>
      <Header />
      <main
        id="main"
        ref={main}
        tabIndex={-1}
        className="peer flex min-h-[calc(100dvh-4rem)] flex-1 flex-col outline-none"
      >
        <ErrorBoundary at={pathname}>
          <Suspense fallback={<PageLoading />}>{children}</Suspense>
        </ErrorBoundary>
      </main>
      <Footer />
      <ToastRegion />
      <SessionExpired />
    </div>
  );
}

/** On a new page: to its top, with the keyboard at its content. Back and forward keep the browser's own place. */
function useNewPage() {
  const main = useRef<HTMLElement>(null);
  const { pathname, byBrowser } = useBrowserLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (!byBrowser) window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [pathname, byBrowser]);
  return main;
}
