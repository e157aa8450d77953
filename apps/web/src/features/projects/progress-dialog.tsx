import { QUEUE_POLL_MS, STATUS_POLL_MS } from "@stipple/contract/business/intervals";
import { STEPS } from "@stipple/contract/steps";
import type { Project, WorkflowStatus } from "@stipple/contract";
import { workflowQueueStatus } from "@stipple/contract/routes/workflow";
import { api, errorText, NetworkError } from "../../app/api.ts";
import { useSharedQuery } from "../../app/polling/use-shared-query.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ProgressBar } from "../../components/progress-bar.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { PROGRESS_TEXTS as TEXTS } from "./texts.ts";
import { fetchStatus } from "../../project/fetch-status.ts";
import { LogPanel } from "../../project/log-panel.tsx";
import { isOf } from "../../project/phase.ts";
import { ProjectPill } from "./project-pill.tsx";

/** Follows a queued or running project. Closing goes to its results, finished or not. */
export function ProgressDialog({
  project,
  onClose,
  onWorkflow,
}: {
  project: Project;
  onClose: () => void;
  onWorkflow: () => void;
}) {
  const { data, error } = useSharedQuery({
    queryKey: ["workflow-status", project.id],
    queryFn: ({ signal }) => fetchStatus(project.id, signal),
    pollMs: ({ data: last }) =>
      last && !["pending", "processing"].includes(last.status) ? false : STATUS_POLL_MS,
  });
  const now = data?.status ?? project.status;
  const ended = now === "completed" || now === "failed" || now === "cancelled";
  // An unreachable server is ignored: the next poll may reach it.
  const problem =
    error && !(error instanceof NetworkError) ? errorText(error, error.message) : null;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={project.name}
      description={TEXTS.mayLeave}
      actions={
        <>
          <Button onClick={onWorkflow}>{TEXTS.toWorkflow}</Button>
          {now === "completed" && (
            <Button variant="primary" onClick={onClose}>
              {TEXTS.toResults}
            </Button>
          )}
        </>
      }
    >
      <div className="flex items-center justify-between gap-3">
        <ProjectPill project={{ status: now }} />
        <span className="font-medium">{TEXTS.percent(Math.round(data?.percent ?? 0))}</span>
      </div>
      <ProgressBar
        className="mt-3"
        label={TEXTS.overall}
        value={data?.percent ?? 0}
        active={!ended}
        tone={now === "completed" ? "ok" : now === "failed" ? "bad" : "primary"}
      />
      <p role="status" className="mt-3 text-ink-2">
        {now === "pending" ? (
          <QueuePlace projectId={project.id} />
        ) : data ? (
          stateText(data)
        ) : (
          TEXTS.starting
        )}
      </p>
      {now !== "pending" && <LogPanel lines={data?.log ?? []} className="mt-4 h-44" />}
      <StatusMessage className="mt-3" text={problem && TEXTS.checkFailed(problem)} />
    </Dialog>
  );
}

function stateText(data: WorkflowStatus): string {
  if (data.status === "completed") return TEXTS.completed;
  if (data.status === "failed") return data.error ?? TEXTS.failed;
  if (data.status === "cancelled") return TEXTS.canceled;
  const step = STEPS.find(({ number }) => number === data.current_step);
  return step ? TEXTS.step(step.number, step.name) : TEXTS.starting;
}

/** Queue position and wait time; shown only when the queue's response is about this project. */
function QueuePlace({ projectId }: { projectId: string }) {
  const { data } = useSharedQuery({
    queryKey: ["workflow-queue"],
    queryFn: ({ signal }) => api(workflowQueueStatus, { signal }),
    pollMs: () => QUEUE_POLL_MS,
  });
  if (!data?.has_workflow || !isOf(projectId, data) || data.position == null) return TEXTS.queued;
  const wait = data.estimated_wait == null ? "" : `, ${TEXTS.wait(data.estimated_wait)}`;
  return `${TEXTS.position(data.position)}${wait}`;
}
