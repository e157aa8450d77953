import { Suspense, useEffect, useRef, type ReactNode } from "react";
import { SkipLink } from "../components/skip-link.tsx";
import { ToastRegion } from "../components/toast.tsx";
import { SHELL_TEXTS } from "./shell-texts.ts";
import { ErrorBoundary } from "../components/error-boundary.tsx";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import { useBrowserLocation } from "./location.tsx";
import { PageLoading } from "./page-loading.tsx";
import { SessionExpired } from "./session-expired.tsx";

/** The frame of every page: navigation, footer, toasts, the Session Expired dialog. */
export function Shell({ children }: { children: ReactNode }) {
  const main = useNewPage();
  const { pathname } = useBrowserLocation();
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink to="main">{SHELL_TEXTS.skip}</SkipLink>
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

/**
 * Scrolls a new page to the top and focuses its content. Back and forward restore the browser's own scroll position.
 */
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
