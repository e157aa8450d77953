import type { ReactNode } from "react";
import { Redirect } from "wouter";
import { useBrowserLocation } from "./location.tsx";
import { PageLoading } from "./page-loading.tsx";
import { SESSION_TEXTS } from "./session-texts.ts";
import { useSession } from "./session.ts";

/** Shows its content only to signed-in users; while the session is unknown, it shows neither the page nor /login. */
export function Protected({ children }: { children: ReactNode }) {
  const { state } = useSession();
  const { pathname } = useBrowserLocation();
  if (state === "unknown") return <PageLoading slowly={SESSION_TEXTS.slow} />;
  if (state === "in") return children;
  // The key makes every URL redirect again: a redirect acts only when it is mounted.
  return <Redirect key={pathname} to="/login" replace state={{ from: pathname }} />;
}
