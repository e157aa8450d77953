import { Navigate, Outlet, useLocation } from "react-router";
import { PageLoading } from "./page-loading.tsx";
import { useSession } from "./session.ts";

/** Lets only signed-in people through; while the session is unknown it shows neither the page nor /login. */
export function Protected() {
  const { state } = useSession();
  const location = useLocation();
  if (state === "unknown") return <PageLoading />;
  if (state === "out") return <Navigate to="/login" replace state={{ from: location.pathname }} />;
  return <Outlet />;
}
