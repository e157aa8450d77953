import { QUEUE_POLL_MS, STATUS_POLL_MS } from "@stipple/contract/business/intervals";
import {
  cancelWorkflow,
  runWorkflow,
  workflowQueueStatus,
  type RunChoices,
  type QueueStatus,
  type WorkflowStatus,
} from "@stipple/contract/routes/workflow";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, ApiError, apiResponse, errorText, NetworkError } from "../../app/api.ts";
import { useSharedQuery } from "../../app/polling/use-shared-query.ts";
import { useSession } from "../../app/session.ts";
import { runTexts } from "../../project/texts.ts";
import { workflowTexts } from "./texts.ts";
import { fetchStatus } from "../../project/fetch-status.ts";
import { isFinal, isOf, phaseOf } from "../../project/phase.ts";
import { processingFlag } from "./processing-flag.ts";
import type { Phase } from "../../project/start-label.ts";

const QUEUE_KEY = ["workflow-queue"];

export interface WorkflowMessage {
  text: string;
  failed: boolean;
  /** Holds only while the workflow is queued or running. */
  passing?: true;
  /** Code of the server's reason, used to choose the link the page offers. */
  code?: string;
}

export interface Workflow {
  status: WorkflowStatus | undefined;
  /** Nothing is known yet: the first answer is in progress. */
  loading: boolean;
  /** Set while another project of the same user is active; each user has only one slot. */
  otherActive: QueueStatus | undefined;
  phase: Phase;
  position: number | null;
  /** Minutes. */
  estimatedWait: number | null;
  message: WorkflowMessage | null;
  busy: boolean;
  /** When `status` was received, ms since 1970. */
  updatedAt: number;
  refresh(): Promise<void>;
  /** `choices` replace the settings and parameters that the project has. */
  start(step: number, choices?: RunChoices): Promise<boolean>;
  cancel(): Promise<void>;
}

/** Follows a project's workflow: status every 10 s until it can no longer change, the queue every 5 s while queued. */
export function useWorkflow(projectId: string): Workflow {
  const { user } = useSession();
  const client = useQueryClient();
  const [message, setMessage] = useState<WorkflowMessage | null>(null);
  const [busy, setBusy] = useState(false);
  const flag = processingFlag(user.id, projectId, localStorage);
  const statusKey = ["workflow-status", projectId];

  const status = useSharedQuery({
    queryKey: statusKey,
    queryFn: async ({ signal }) => {
      const answer = await fetchStatus(projectId, signal);
      if (isFinal(answer)) flag.set(false);
      return answer;
    },
    staleTime: 0,
    retry: false,
    pollMs: ({ data, error }) =>
      (data && isFinal(data)) || (error instanceof ApiError && error.status === 404)
        ? false
        : STATUS_POLL_MS,
  });
  const isQueuedHere = (queue: QueueStatus | undefined): boolean =>
    phaseOf(projectId, status.data, queue, flag.get()) === "queued";
  const queue = useSharedQuery({
    queryKey: QUEUE_KEY,
    queryFn: ({ signal }) => api(workflowQueueStatus, { signal }),
    staleTime: 0,
    retry: false,
    pollMs: ({ data }) => (isQueuedHere(data) ? QUEUE_POLL_MS : false),
  });

  const phase = phaseOf(projectId, status.data, queue.data, flag.get());
  const isActive = phase === "queued" || phase === "processing";
  const active = queue.data?.has_workflow ? queue.data : undefined;
  const mine = active && isOf(projectId, active) ? active : undefined;

  const isOver = message?.passing ? !isActive : phase === "completed" && message?.failed === false;

  async function lookAgain(): Promise<void> {
    await Promise.all([
      client.invalidateQueries({ queryKey: statusKey }),
      client.invalidateQueries({ queryKey: QUEUE_KEY }),
    ]);
  }

  async function start(step: number, choices?: RunChoices): Promise<boolean> {
    setBusy(true);
    setMessage(null);
    try {
      const response = await apiResponse(runWorkflow, {
        body: { project_id: projectId, start_step: step, ...choices },
      });
      flag.set(true);
      if (response.status === 202) {
        const place = (await response.json()) as { position: number };
        setMessage({ text: workflowTexts.queued(place.position), failed: false, passing: true });
      } else setMessage({ text: workflowTexts.started, failed: false, passing: true });
      await lookAgain();
      return true;
    } catch (error) {
      if (
        error instanceof ApiError &&
        error.status === 403 &&
        error.error.includes("already have")
      ) {
        // The workflow was already started by an earlier click: show its place in the queue instead of a failure.
        await lookAgain();
        return true;
      }
      setMessage({
        text: workflowTexts.failed(errorText(error, runTexts.failedFallback)),
        failed: true,
        ...(error instanceof ApiError ? { code: error.code } : {}),
      });
      return false;
    } finally {
      setBusy(false);
    }
  }

  async function cancel(): Promise<void> {
    setBusy(true);
    setMessage(null);
    try {
      await api(cancelWorkflow, { body: { project_id: projectId } });
      flag.set(false);
      // The page then says that the run was canceled.
      await lookAgain();
    } catch (error) {
      setMessage({
        text: workflowTexts.failed(errorText(error, workflowTexts.cancelFallback)),
        failed: true,
      });
    } finally {
      setBusy(false);
    }
  }

  return {
    status: status.data,
    loading: status.isPending,
    otherActive: mine ? undefined : active,
    phase,
    position: mine?.position ?? null,
    estimatedWait: mine?.estimated_wait ?? null,
    message: statusProblem(status.error) ?? (isOver ? null : message),
    busy,
    updatedAt: status.dataUpdatedAt,
    refresh: lookAgain,
    start,
    cancel,
  };
}

/** A failed status check in words; a lost connection says nothing, the next check will tell. */
function statusProblem(error: Error | null): WorkflowMessage | null {
  if (!error || error instanceof NetworkError) return null;
  return {
    text: workflowTexts.statusFailed(errorText(error, workflowTexts.statusFallback)),
    failed: true,
    ...(error instanceof ApiError ? { code: error.code } : {}),
  };
}
