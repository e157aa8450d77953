import { QUEUE_POLL_MS, STATUS_POLL_MS } from "@stipple/contract/business/intervals";
import {
  cancelWorkflow,
  runWorkflow,
  workflowQueueStatus,
  type RunChoices,
  type QueueStatus,
} from "@stipple/contract/routes/workflow";
import { useQueryClient } from "@tanstack/react-query";
import { api, ApiError, apiResponse, errorText, NetworkError } from "../../app/api.ts";
import { useSharedQuery } from "../../app/polling/use-shared-query.ts";
import { useSession } from "../../app/session.ts";
import { failure, useAttempt, type Message } from "../../app/use-attempt.ts";
import { runTexts } from "../../project/texts.ts";
import { workflowTexts } from "./texts.ts";
import { fetchStatus } from "../../project/fetch-status.ts";
import { isFinal, isOf, phaseOf } from "../../project/phase.ts";
import { processingFlag, type ProcessingFlag } from "./processing-flag.ts";

const QUEUE_KEY = ["workflow-queue"];

export type Workflow = ReturnType<typeof useWorkflow>;

/** Follows a project's workflow: status every 10 s until it can no longer change, the queue every 5 s while queued. */
export function useWorkflow(projectId: string) {
  const { user } = useSession();
  const flag = processingFlag(user.id, projectId, localStorage);
  const { status, queue, lookAgain } = useStatusAndQueue(projectId, flag);
  const { busy, message, start, cancel } = useRunActions(projectId, flag, lookAgain);

  const phase = phaseOf(projectId, status.data, queue, flag.get());
  const isActive = phase === "queued" || phase === "processing";
  const active = queue?.has_workflow ? queue : undefined;
  const mine = active && isOf(projectId, active) ? active : undefined;
  /** That the workflow was started or queued is said only while it is. */
  const isOver = message?.failed === false && !isActive;

  return {
    status: status.data,
    /** Nothing is known yet: the first answer is in progress. */
    loading: status.isPending,
    /** Set while another project of the same user is active; each user has only one slot. */
    otherActive: mine ? undefined : active,
    phase,
    position: mine?.position ?? null,
    /** Minutes. */
    estimatedWait: mine?.estimated_wait ?? null,
    message: statusProblem(status.error) ?? (isOver ? null : message),
    busy,
    /** When `status` was received, ms since 1970. */
    updatedAt: status.dataUpdatedAt,
    refresh: lookAgain,
    /** `choices` replace the settings and parameters that the project has. */
    start,
    cancel,
  };
}

function useStatusAndQueue(projectId: string, flag: ProcessingFlag) {
  const client = useQueryClient();
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
  const { data: queue } = useSharedQuery({
    queryKey: QUEUE_KEY,
    queryFn: ({ signal }) => api(workflowQueueStatus, { signal }),
    staleTime: 0,
    retry: false,
    pollMs: ({ data }) => (isQueuedHere(data) ? QUEUE_POLL_MS : false),
  });

  async function lookAgain(): Promise<void> {
    await Promise.all([
      client.invalidateQueries({ queryKey: statusKey }),
      client.invalidateQueries({ queryKey: QUEUE_KEY }),
    ]);
  }

  return { status, queue, lookAgain };
}

function useRunActions(projectId: string, flag: ProcessingFlag, lookAgain: () => Promise<void>) {
  const { attempt, busy, message, setMessage } = useAttempt();
  const failed = (otherwise: string) => (error: unknown) =>
    workflowTexts.failed(errorText(error, otherwise));

  const start = (step: number, choices?: RunChoices): Promise<boolean> =>
    attempt(async () => {
      const body = { project_id: projectId, start_step: step, ...choices };
      const response = await apiResponse(runWorkflow, { body }).catch((error: unknown) => {
        if (!isRunningAlready(error)) throw error;
      });
      // Already started by an earlier click, it shows its place in the queue instead of a failure.
      if (response) {
        flag.set(true);
        // A queued run's place changes: only the queue's answers, which `lookAgain` asks for, say it.
        if (response.status !== 202) setMessage({ text: workflowTexts.started, failed: false });
      }
      await lookAgain();
    }, failed(runTexts.failedFallback));

  const cancel = async (): Promise<void> => {
    await attempt(async () => {
      await api(cancelWorkflow, { body: { project_id: projectId } });
      flag.set(false);
      // The page then says that the run was canceled.
      await lookAgain();
    }, failed(workflowTexts.cancelFallback));
  };

  return { busy, message, start, cancel };
}

function isRunningAlready(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403 && error.error.includes("already have");
}

/** A failed status check in words; a lost connection says nothing, the next check will tell. */
function statusProblem(error: Error | null): Message | null {
  if (!error || error instanceof NetworkError) return null;
  return failure(workflowTexts.statusFailed(errorText(error, workflowTexts.statusFallback)), error);
}
