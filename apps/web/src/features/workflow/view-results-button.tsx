import { ChartNoAxesColumn } from "lucide-react";
import { useLocation } from "wouter";
import { analysisPath } from "../../app/use-project-id.ts";
import { Button } from "../../components/button.tsx";
import { workflowTexts } from "./texts.ts";

/** Leads to the results of a completed project. */
export function ViewResultsButton({ projectId }: { projectId: string }) {
  const [, navigate] = useLocation();
  return (
    <Button
      variant="primary"
      icon={ChartNoAxesColumn}
      onClick={() => navigate(analysisPath(4, projectId), { state: { projectId } })}
    >
      {workflowTexts.viewResults}
    </Button>
  );
}
