import { Outlet } from "react-router";

export function AnalysisLayout() {
  return <Outlet />;
}
