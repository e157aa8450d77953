import { STEPS } from "@stipple/contract/steps";
import { ArrowLeft, Ban, Play, RefreshCw } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useBrowserLocation } from "../../app/location.tsx";
import { useSession } from "../../app/session.ts";
import { analysisPath, useProjectId } from "../../app/use-project-id.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Select } from "../../components/field.tsx";
import { HelpLink } from "../../components/help-link.tsx";
import { Notice } from "../../components/notice.tsx";
import { ProgressBar } from "../../components/progress-bar.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { StatusPill, type Tone } from "../../components/status-pill.tsx";
import { projectMissing, runTexts } from "../../project/texts.ts";
import { workflowTexts } from "./texts.ts";
import { ProjectLine } from "../../project/project-line.tsx";
import { useRunPlan } from "../../project/change/use-run-plan.ts";
import { ChoicesForm } from "../../project/choices/choices-form.tsx";
import { useChoices } from "../../project/choices/use-choices.ts";
import { LogPanel } from "../../project/log-panel.tsx";
import { neverBackwards, percentOf, waitText } from "./progress.ts";
import { processingFlag } from "./processing-flag.ts";
import { RunOverlay } from "./run-overlay.tsx";
import { controlsDisabled, startLabel, type Phase } from "../../project/start-label.ts";
import { TimeLeft } from "./time-left.tsx";
import { StepList } from "./step-list.tsx";
import { nextStep } from "./step-state.ts";
import { ViewResultsButton } from "./view-results-button.tsx";
import { useWorkflow, type WorkflowMessage } from "./use-workflow.ts";

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

const PHASE_TONES: Record<Phase, Tone> = {
  idle: "neutral",
  queued: "info",
  processing: "info",
  completed: "ok",
  failed: "bad",
  canceled: "warn",
};

function WorkflowControl({ projectId }: { projectId: string }) {
  useProgressAsked(projectId);
  const workflow = useWorkflow(projectId);
  const { status, phase, position, estimatedWait } = workflow;
  const [chosenStep, setChosenStep] = useState<number | null>(null);
  const [confirming, setConfirming] = useState(false);
  const [choosingOpen, setChoosingOpen] = useState(false);
  const choosing = useChoices(projectId, choosingOpen);
  const { open, close, announce } = useOverlay(projectId, phase);
  const [furthest] = useState(neverBackwards);
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
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
            <h2 className="min-w-0 text-lg [overflow-wrap:anywhere]">
              {status?.project_name || "Project"}
            </h2>
            <StatusPill tone={PHASE_TONES[phase]} pulse={phase === "processing"}>
              {workflowTexts.phases[phase]}
            </StatusPill>
          </div>
          <p className="text-2xl font-semibold">{Math.floor(percent)}%</p>
        </div>
        <ProjectLine options={status?.analysis_options} finishedAt={null} />
        <ProgressBar
          className="mt-4"
          value={percent}
          label={workflowTexts.overall}
          active={phase === "processing"}
          tone={phase === "completed" ? "ok" : phase === "failed" ? "bad" : "primary"}
        />
        {phase === "processing" && <TimeLeft className="mt-2" seconds={status?.seconds_left} />}
        {phase === "queued" && (
          <p role="status" className="mt-3 text-ink-2">
            {workflowTexts.queuePosition(position)}. {waitText(estimatedWait)}
          </p>
        )}
        <div className="mt-5 flex flex-wrap items-end gap-3">
          <Field label={workflowTexts.startFrom} className="w-full sm:w-72">
            {(control) => (
              <Select
                {...control}
                value={startStep}
                disabled={disabled || workflow.busy}
                onChange={(event) => setChosenStep(Number(event.target.value))}
              >
                {STEPS.map(({ number, name }) => (
                  <option key={number} value={number}>
                    {number}. {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Button
            variant="primary"
            className="max-sm:flex-1"
            icon={<Play aria-hidden className="size-4" />}
            disabled={disabled || status === undefined}
            busy={workflow.busy && !disabled}
            onClick={start}
          >
            {startLabel(phase, startStep, position)}
          </Button>
          <Button
            icon={<RefreshCw aria-hidden className="size-4" />}
            disabled={disabled}
            onClick={workflow.refresh}
          >
            {workflowTexts.refresh}
          </Button>
          {(phase === "queued" || phase === "processing") && (
            <Button
              variant="ghost"
              className="text-bad"
              icon={<Ban aria-hidden className="size-4" />}
              disabled={workflow.busy}
              onClick={() => setConfirming(true)}
            >
              {workflowTexts.cancel}
            </Button>
          )}
          {phase === "completed" && !open && <ViewResultsButton projectId={projectId} />}
        </div>
        <ArrivalNote phase={phase} />
        <Message message={workflow.message} projectId={projectId} />
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
        />
        {workflow.otherActive && (
          <Notice
            tone="info"
            className="mt-4"
            actions={
              workflow.otherActive.project_id && (
                <ButtonLink size="sm" to={analysisPath(3, workflow.otherActive.project_id)}>
                  {workflowTexts.toOther}
                </ButtonLink>
              )
            }
          >
            {workflowTexts.otherActive(workflow.otherActive.project_name ?? "")}
          </Notice>
        )}
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
      <Dialog
        alert
        open={confirming}
        onClose={() => setConfirming(false)}
        title={workflowTexts.cancelTitle}
        description={workflowTexts.cancelText}
        actions={
          <>
            <Button onClick={() => setConfirming(false)}>{workflowTexts.keepRunning}</Button>
            <Button
              variant="danger"
              onClick={() => {
                setConfirming(false);
                void workflow.cancel();
              }}
            >
              {workflowTexts.cancel}
            </Button>
          </>
        }
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
function Message({ message, projectId }: { message: WorkflowMessage | null; projectId: string }) {
  const way =
    message?.code === "quota_used_up" || message?.code === "subscription_expired"
      ? { to: "/pricing", text: workflowTexts.toPricing }
      : message?.code === "inputs_missing"
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
  const { state } = useBrowserLocation() as { state: { note?: WorkflowMessage } | null };
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
