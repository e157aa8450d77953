import type { WorkflowStatus } from "@stipple/contract/routes/workflow";
import { analysisPath } from "../../app/use-project-id.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { resultsTexts } from "./texts.ts";

/** Why a project has no results: it is still to run or running, it failed, or it was canceled. */
export function NoResultsYet({
  projectId,
  status: { status, error },
}: {
  projectId: string;
  status: Pick<WorkflowStatus, "status" | "error">;
}) {
  const { tone, title, text } =
    status === "failed"
      ? { tone: "bad" as const, title: resultsTexts.failed, text: error ?? resultsTexts.failedText }
      : status === "cancelled"
        ? { tone: "warn" as const, title: resultsTexts.canceled, text: resultsTexts.canceledText }
        : { tone: "info" as const, title: resultsTexts.notReady, text: resultsTexts.notReadyText };
  return (
    <Notice
      tone={tone}
      title={title}
      actions={
        <ButtonLink variant="primary" to={analysisPath(3, projectId)} state={{ projectId }}>
          {resultsTexts.toWorkflow}
        </ButtonLink>
      }
    >
      {text}
    </Notice>
  );
}
