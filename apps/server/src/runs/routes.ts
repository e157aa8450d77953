import type { Logger } from "pino";
import {
  cancelWorkflow,
  ERRORS,
  FIRST_STEP,
  isStepNumber,
  runWorkflow,
  status,
  workflowChoices,
  workflowPlan,
  workflowQueueStatus,
  type AnalysisOptions,
  type RunChange,
  type RunChoices,
  type StepNumber,
} from "@stipple/contract";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import type { Entitlements } from "../billing/entitlements.ts";
import type { Outputs } from "../outputs/read.ts";
import type { Projects } from "../projects/projects.ts";
import type { Runs } from "./runs.ts";
import type { Shares } from "../visualization/shares.ts";
import type { Uploads } from "../uploads/uploads.ts";
import { ApiError } from "../http/api-error.ts";
import type { Mount } from "../http/route-adapter.ts";
import type { OwnedProject } from "../access/opened-results.ts";
import { MissingObjectError } from "../storage/storage.ts";
import { analyzedContent } from "../billing/analyzed-content.ts";
import { missingInputs } from "../uploads/missing-inputs.ts";
import { checkChoices, choicesOf, choicesOnOffer } from "../projects/choices.ts";
import { planRun } from "./plan-run.ts";
import { activeRead, queueStatusOf } from "./queue/queue-place.ts";
import { changesByItself, statusRead, workflowStatus } from "./status.ts";

interface WorkflowParts {
  clock: Clock;
  database: Database;
  entitlements: Entitlements;
  logger: Logger;
  outputs: Outputs;
  projects: Projects;
  runs: Runs;
  shares: Shares;
  uploads: Uploads;
}

export function workflowRoutes(mount: Mount, parts: WorkflowParts): void {
  const { projects, uploads, runs, outputs, clock, database, entitlements, shares } = parts;

  async function assertFilled(project: OwnedProject): Promise<void> {
    const filled = new Set(Object.keys(await uploads.complete(project.id)));
    const missing = missingInputs(project.options.platform, filled);
    if (missing.length === 0) return;
    throw new ApiError(
      "inputs_missing",
      `Input files are missing: ${missing.join("; ")}. Upload them first.`,
    );
  }

  /** Refuses files with which the first step would fail, unless the plan refuses the run anyway. */
  async function assertUsable(project: OwnedProject, choices: RunChoices): Promise<void> {
    const content = await analyzedContent(database.db, project.id);
    const { refusal } = await entitlements.counts(project.userId, project.id, content);
    const fault = refusal ? null : await uploads.faultOfSample(project, choices);
    if (fault !== null) throw new ApiError("inputs_unusable", fault);
  }

  /** The choices of the project's next run: its stored ones, or those that replace them. */
  async function chosenBy(project: OwnedProject, change: RunChange): Promise<RunChoices> {
    const kept = await choicesOf(parts, project.id);
    const choices = {
      settings: change.settings ?? kept.settings,
      parameters: change.parameters ?? kept.parameters,
    };
    checkChoices(choices);
    return choices;
  }

  /**
   * The first step that a run would repeat: the one asked for, or an earlier one whose result no longer fits. Known when
   * the run is accepted, so that its progress does not begin with steps that it is about to repeat.
   */
  async function firstStepOf(
    project: OwnedProject,
    {
      asked,
      choices,
      type,
    }: {
      asked: StepNumber;
      choices: RunChoices;
      type: AnalysisOptions["analysis_type"] | undefined;
    },
  ): Promise<StepNumber> {
    try {
      const [inputs, records] = await Promise.all([
        uploads.inputs(project.id),
        outputs.steps(project.id),
      ]);
      const { steps } = await planRun(
        { name: project.name, options: withType(project.options, type), choices },
        { from: asked, inputs, records },
      );
      return Math.min(asked, ...steps.map(({ number }) => number)) as StepNumber;
    } catch (error) {
      // The run itself says what is wrong with its files; or the project has just been deleted with them.
      if (error instanceof ApiError || error instanceof MissingObjectError) return asked;
      throw error;
    }
  }

  mount(
    runWorkflow,
    async ({ session, body, request }) => {
      const project = await projects.owned(session.userId, body.project_id);
      const asked = stepOf(body.start_step);
      await assertFilled(project);
      const choices = await chosenBy(project, body);
      const type = body.analysis_type;
      const startStep = await firstStepOf(project, { asked, choices, type });
      if (startStep === FIRST_STEP) await assertUsable(project, choices);
      const { place } = await runs.start(project, {
        startStep,
        inputs: await uploads.sizes(project.id),
        choices,
        origin: { requestId: request.id, traceparent: request.span?.traceparent },
        analysisType: type,
      });
      return place
        ? {
            status: 202,
            body: {
              message: `Workflow queued at position ${place.position}`,
              status: "pending" as const,
              position: place.position,
              estimated_wait: place.estimatedWait,
            },
          }
        : { status: 200, body: { message: "Workflow started", status: "running" as const } };
    },
    { explain: explainStartStep },
  );

  mount(
    workflowPlan,
    async ({ session, body }) => {
      const project = await projects.owned(session.userId, body.project_id);
      const from = body.start_step === undefined ? null : stepOf(body.start_step);
      await assertFilled(project);
      const choices = await chosenBy(project, body);
      const { analysis_type } = body;
      const options = withType(project.options, analysis_type);
      const [inputs, steps, damaged, content] = await Promise.all([
        uploads.inputs(project.id),
        outputs.steps(project.id),
        outputs.damagedSteps(project.id),
        analyzedContent(database.db, project.id),
      ]);
      const records = steps.filter(({ step }) => !damaged.includes(step));
      const plan = await planRun(
        { name: project.name, options, choices },
        { from, inputs, records },
      );
      const counting = await entitlements.counts(session.userId, project.id, content);
      const readsFiles = plan.steps.some(({ number }) => number === FIRST_STEP);
      return {
        status: 200,
        body: {
          ...plan,
          counts_analysis: counting.isCounted,
          refusal: counting.refusal && ERRORS[counting.refusal].error,
          ends_share_links: await shares.endedBy(project.id, content.sample),
          files_fault: readsFiles
            ? await uploads.faultOfSample({ ...project, options }, choices)
            : null,
        },
      };
    },
    { explain: explainStartStep },
  );

  mount(workflowChoices, async ({ session, query }) => {
    if (query.project_id === undefined) {
      const chosen = { settings: {}, parameters: {} };
      return {
        status: 200,
        body: { ...choicesOnOffer(), chosen, analysis_type: "basic" as const },
      };
    }
    const project = await projects.owned(session.userId, query.project_id);
    const chosen = await choicesOf(parts, project.id);
    const { analysis_type } = project.options;
    return { status: 200, body: { ...choicesOnOffer(), chosen, analysis_type } };
  });

  mount(cancelWorkflow, async ({ session, body }) => {
    const project = await projects.owned(session.userId, body.project_id);
    const stopped = await runs.cancel(project.id);
    return {
      status: 200,
      body: {
        message: stopped
          ? "The workflow is being stopped; finished steps are kept."
          : "No workflow of this project is queued or running.",
      },
    };
  });

  mount(
    status,
    ({ beside }) => {
      if (!beside) throw new ApiError("project_not_found");
      return {
        status: 200,
        body: workflowStatus(beside, clock),
        isOfWhatWasRead: !changesByItself(beside),
      };
    },
    {
      beside: {
        read: statusRead,
        projectId: ({ query }) => (query as { project_id?: unknown }).project_id,
      },
    },
  );

  mount(
    workflowQueueStatus,
    ({ beside }) => ({
      status: 200,
      body: queueStatusOf(beside ?? null),
      isOfWhatWasRead: true,
    }),
    { beside: { read: activeRead } },
  );
}

function withType(
  options: AnalysisOptions,
  type: AnalysisOptions["analysis_type"] | undefined,
): AnalysisOptions {
  return type ? { ...options, analysis_type: type } : options;
}

function stepOf(number: number): StepNumber {
  if (!isStepNumber(number)) throw new ApiError("start_step_invalid");
  return number;
}

function explainStartStep(issues: readonly { path: PropertyKey[] }[]): ApiError | undefined {
  return issues.some((issue) => issue.path[0] === "start_step")
    ? new ApiError("start_step_invalid")
    : undefined;
}
