import { ArrowLeft } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useBrowserLocation } from "../../app/location.tsx";
import { useSession } from "../../app/session.ts";
import type { Message } from "../../app/use-attempt.ts";
import { analysisPath, useProjectId } from "../../app/use-project-id.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { HelpLink } from "../../components/help-link.tsx";
import { Notice } from "../../components/notice.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { projectMissing, runTexts } from "../../project/texts.ts";
import { workflowTexts } from "./texts.ts";
import { useRunPlan } from "../../project/change/use-run-plan.ts";
import { ChoicesForm } from "../../project/choices/choices-form.tsx";
import { useChoices } from "../../project/choices/use-choices.ts";
import { LogPanel } from "../../project/log-panel.tsx";
import { monotonicPercent, percentOf } from "./progress.ts";
import { processingFlag } from "./processing-flag.ts";
import { RunControls } from "./run-controls.tsx";
import { RunOverlay } from "./run-overlay.tsx";
import { RunSummary } from "./run-summary.tsx";
import { controlsDisabled, type Phase } from "../../project/start-label.ts";
import { StepList } from "./step-list.tsx";
import { nextStep } from "./step-state.ts";
import { useWorkflow, type Workflow } from "./use-workflow.ts";

/** Step 3: start, watch, resume and cancel the workflow. */
export function Step3Page() {
  const projectId = useProjectId();
  if (projectId === null)
    return (
      <Notice
        tone="warn"
        title={projectMissing.workflow}
        actions={<ButtonLink to={analysisPath(1)}>{projectMissing.link}</ButtonLink>}
      />
    );
  return <WorkflowControl key={projectId} projectId={projectId} />;
}

function WorkflowControl({ projectId }: { projectId: string }) {
  useProgressAsked(projectId);
  const workflow = useWorkflow(projectId);
  const { status, phase } = workflow;
  const [chosenStep, setChosenStep] = useState<number | null>(null);
  const [choosingOpen, setChoosingOpen] = useState(false);
  const choosing = useChoices(projectId, choosingOpen);
  const { open, close, announce } = useOverlay(projectId, phase);
  const [furthest] = useState(monotonicPercent);
  const percent = status ? furthest(`${phase} ${status.started_at ?? ""}`, percentOf(status)) : 0;
  const disabled = controlsDisabled(phase);
  const startStep = chosenStep ?? (status ? (nextStep(status) ?? 0) : 0);

  const planned = useRunPlan(projectId, choosing.changed ?? {}, {
    enabled: choosingOpen && !disabled,
    startStep,
  });

  async function start(): Promise<void> {
    if (!(await workflow.start(startStep, choosing.changed))) return;
    // A choice holds for one run: after a failure the first unfinished step is proposed again.
    setChosenStep(null);
    announce();
  }

  if (workflow.loading) return <Loading />;
  return (
    <div className="flex flex-col gap-6">
      <Card>
        <RunSummary workflow={workflow} percent={percent} projectId={projectId} />
        <RunControls
          workflow={workflow}
          startStep={startStep}
          onStep={setChosenStep}
          onStart={start}
          showsResults={!open}
          projectId={projectId}
        />
        <ArrivalNote phase={phase} />
        <RunMessage message={workflow.message} projectId={projectId} />
        {status?.error && phase === "failed" && (
          <StatusMessage
            className="mt-4"
            failed
            text={workflowTexts.failed(status.error.replace(/^Error:\s*/, ""))}
          />
        )}
        {phase === "canceled" && <StatusMessage className="mt-4" text={workflowTexts.canceled} />}
        <ChoicesForm
          choosing={choosing}
          open={choosingOpen}
          onToggle={setChoosingOpen}
          disabled={disabled}
          planned={disabled ? undefined : planned}
          projectId={projectId}
        />
        <OtherActive other={workflow.otherActive} />
      </Card>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,24rem)_minmax(0,1fr)]">
        <Card title={workflowTexts.steps} actions={<HelpLink page="steps" />}>
          <StepList status={status} phase={phase} updatedAt={workflow.updatedAt} />
        </Card>
        <Card title={runTexts.log}>
          <LogPanel lines={status?.log ?? []} />
        </Card>
      </div>
      <footer className="border-t border-line pt-5">
        <BackButton projectId={projectId} disabled={disabled} />
      </footer>
      <RunOverlay
        workflow={workflow}
        projectId={projectId}
        percent={percent}
        open={open}
        onClose={close}
      />
    </div>
  );
}

/** Replaces the whole page while loading, because parts that depend on the run's state would shift the rest. */
function Loading() {
  return (
    <div role="status" className="flex flex-col gap-6">
      <span className="sr-only">{workflowTexts.loading}</span>
      <Skeleton className="h-48" />
      <Skeleton className="h-96" />
    </div>
  );
}

function BackButton({ projectId, disabled }: { projectId: string; disabled: boolean }) {
  const icon = <ArrowLeft aria-hidden className="size-4" />;
  return disabled ? (
    <Button disabled icon={icon}>
      {workflowTexts.back}
    </Button>
  ) : (
    <ButtonLink to={analysisPath(2, projectId)} state={{ projectId }} icon={icon}>
      {workflowTexts.back}
    </ButtonLink>
  );
}

/** The message, with a link that fits the server's reason. */
function RunMessage({ message, projectId }: { message: Message | null; projectId: string }) {
  const way =
    message?.code === "quota_used_up" || message?.code === "subscription_expired"
      ? { to: "/pricing", text: workflowTexts.toPricing }
      : message?.code === "inputs_missing" || message?.code === "inputs_unusable"
        ? { to: analysisPath(2, projectId), text: workflowTexts.toUpload }
        : undefined;
  return (
    <div className={message ? "mt-4 flex flex-wrap items-center gap-3" : undefined}>
      <StatusMessage
        className="min-w-0 flex-1 basis-64"
        text={message?.text}
        failed={message?.failed ?? false}
      />
      {way && <ButtonLink to={way.to}>{way.text}</ButtonLink>}
    </div>
  );
}

/** A message from the page that linked here, about a run that has started or not: it ends with the run. */
function ArrivalNote({ phase }: { phase: Phase }) {
  const { state } = useBrowserLocation() as { state: { note?: Message } | null };
  const failed = state?.note?.failed ?? false;
  const isCurrent = failed ? phase === "idle" : phase === "queued" || phase === "processing";
  return (
    <StatusMessage
      className="mt-4 empty:absolute"
      text={isCurrent ? state?.note?.text : null}
      failed={failed}
    />
  );
}

/** Sets the processing flag when the page is opened in order to show progress. */
function useProgressAsked(projectId: string): void {
  const { user } = useSession();
  const { state } = useBrowserLocation() as { state: { showProgress?: boolean } | null };
  const [asked] = useState(state?.showProgress === true);
  useState(() => {
    if (asked) processingFlag(user.id, projectId, localStorage).set(true);
  });
}

/**
 * Whether the overlay is open: after a start from here, when the navigation state requests it, and when a run being
 * watched completes.
 */
function useOverlay(projectId: string, phase: Phase) {
  const { state } = useBrowserLocation() as { state: { showProgress?: boolean } | null };
  const [open, setOpen] = useState(state?.showProgress === true);
  const before = useRef({ projectId, phase });
  useEffect(() => {
    const was = before.current.phase;
    before.current = { projectId, phase };
    if (phase === "completed" && (was === "processing" || was === "queued")) setOpen(true);
    if (phase === "failed" || phase === "canceled" || phase === "idle") setOpen(false);
  }, [projectId, phase]);
  return { open, close: () => setOpen(false), announce: () => setOpen(true) };
}

/** Another project of the same user that has the only slot. */
function OtherActive({ other }: { other: Workflow["otherActive"] }) {
  if (!other) return null;
  return (
    <Notice
      tone="info"
      className="mt-4"
      actions={
        other.project_id && (
          <ButtonLink size="sm" to={analysisPath(3, other.project_id)}>
            {workflowTexts.toOther}
          </ButtonLink>
        )
      }
    >
      {workflowTexts.otherActive(other.project_name ?? "")}
    </Notice>
  );
}
