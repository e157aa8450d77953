import { ApiError } from "../../app/api.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { resultsTexts } from "./texts.ts";

/** Whether a request was refused because the trial or plan has ended. */
export function isClosed(error: unknown): error is ApiError {
  return (
    error instanceof ApiError &&
    (error.code === "trial_ended" || error.code === "subscription_expired")
  );
}

/** Stands in place of results that open again with a plan. */
export function ClosedResults() {
  return (
    <Notice
      tone="warn"
      title={resultsTexts.closedTitle}
      actions={
        <ButtonLink variant="primary" to="/pricing">
          {resultsTexts.seePlans}
        </ButtonLink>
      }
    >
      {resultsTexts.closed}
    </Notice>
  );
}
