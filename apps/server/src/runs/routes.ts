import {
  cancelWorkflow,
  ERRORS,
  isStepNumber,
  nucleusEdits,
  queueWorkflow,
  runWorkflow,
  status,
  stepNumber,
  useNucleusEdits as useNucleusEditsRoute,
  useAnnotations,
  workflowChoices,
  workflowPlan,
  workflowQueueStatus,
  type StepNumber,
} from "@stipple/contract";
import { annotationsOfCells } from "../annotations/cells.ts";
import type { Projects } from "../projects/projects.ts";
import { ApiError } from "../http/api-error.ts";
import { ok, type Mount } from "../http/route-adapter.ts";
import { analyzedContent } from "../billing/analyzed-content.ts";
import { choicesOf, availableChoices } from "../projects/choices.ts";
import { standingOfEdits, useNucleusEdits } from "./nucleus-edits.ts";
import { useProjectAnnotations, type UsedAnnotations } from "./annotation-inputs.ts";
import { planRun } from "./plan-run.ts";
import { activeRead, queueStatusOf } from "./queue/queue-place.ts";
import {
  assertFilled,
  chosenBy,
  faultOfFiles,
  opensFiles,
  requestRun,
  withType,
  type RequestParts,
} from "./run-request.ts";
import type { RunServices } from "./services.ts";
import { endWaiting } from "./start-run.ts";
import { queueRun } from "./waiting-runs.ts";
import { changesByItself, statusRead, workflowStatus } from "./status.ts";

type WorkflowParts = RequestParts &
  Pick<RunServices, "clock" | "runs" | "shares" | "scratch"> & { projects: Projects };

export function workflowRoutes(mount: Mount, parts: WorkflowParts): void {
  mountRun(mount, parts);
  mountQueue(mount, parts);
  mountPlan(mount, parts);
  mountChoices(mount, parts);
  mountCancel(mount, parts);
  mountNucleusEdits(mount, parts);
  mountAnnotations(mount, parts);
  mountStatus(mount, parts);
}

function mountRun(mount: Mount, parts: WorkflowParts): void {
  const { projects } = parts;
  mount(
    runWorkflow,
    async ({ session, body, request }) => {
      const project = await projects.owned(session.userId, body.project_id);
      const { place } = await requestRun(parts, project, {
        asked: stepOf(body.start_step),
        change: body,
        origin: { requestId: request.id, traceparent: request.span?.traceparent },
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
}

function mountQueue(mount: Mount, parts: WorkflowParts): void {
  mount(queueWorkflow, async ({ session, body }) => {
    const project = await parts.projects.owned(session.userId, body.project_id);
    return { status: 202, body: { waits: await queueRun(parts, project) } };
  });
}

function mountPlan(mount: Mount, parts: WorkflowParts): void {
  const { projects, uploads, outputs, database, entitlements, shares } = parts;
  mount(
    workflowPlan,
    async ({ session, body }) => {
      const project = await projects.owned(session.userId, body.project_id);
      const from = body.start_step === undefined ? null : stepOf(body.start_step);
      await assertFilled(parts, project);
      const choices = await chosenBy(parts, project, body);
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
      const numbers = plan.steps.map(({ number }) => number);
      return ok({
        ...plan,
        counts_analysis: counting.isCounted,
        refusal: counting.refusal && ERRORS[counting.refusal].error,
        ends_share_links: await shares.endedBy(project.id, content.sample),
        cell_annotations: mayFindCells(numbers) ? await annotationsOfCells(parts, project.id) : 0,
        files_fault: await faultOfFiles(parts, { ...project, options }, choices, {
          inputs,
          opens: opensFiles(numbers, inputs),
        }),
      });
    },
    { explain: explainStartStep },
  );
}

/** Whether a run of these steps may find other cells. */
const mayFindCells = (steps: readonly number[]): boolean =>
  steps.some((step) => step <= stepNumber("morphological-analysis"));

function mountChoices(mount: Mount, parts: WorkflowParts): void {
  const { projects } = parts;
  mount(workflowChoices, async ({ session, query }) => {
    if (query.project_id === undefined) {
      const chosen = { settings: {}, parameters: {} };
      return ok({ ...availableChoices(), chosen, analysis_type: "basic" as const });
    }
    const project = await projects.owned(session.userId, query.project_id);
    const chosen = await choicesOf(parts, project.id);
    const { analysis_type } = project.options;
    return ok({ ...availableChoices(), chosen, analysis_type });
  });
}

function mountCancel(mount: Mount, { database, projects, runs }: WorkflowParts): void {
  mount(cancelWorkflow, async ({ session, body }) => {
    const project = await projects.owned(session.userId, body.project_id);
    // Both: a run that was started otherwise may be in progress while its project still waits.
    const waited = await endWaiting(database.db, project.id);
    const stopped = (await runs.cancel(project.id)) || waited;
    return ok({
      message: stopped
        ? "The workflow is being stopped; finished steps are kept."
        : "No workflow of this project is queued or running.",
    });
  });
}

function mountAnnotations(mount: Mount, parts: WorkflowParts): void {
  const said = ({ compared, leftOut, others }: UsedAnnotations): string => {
    const count = (number: number, what: string) => `${number} ${what}${number === 1 ? "" : "s"}`;
    const does = [
      ...(others > 0 ? [`puts ${count(others, "annotation")} into the report and the files`] : []),
      ...(compared > 0 ? [`compares ${count(compared, "region")}`] : []),
      ...(leftOut > 0 ? [`leaves out ${count(leftOut, "region")}`] : []),
    ];
    const all = new Intl.ListFormat("en").format(does);
    return `The next run ${all || "uses no annotations, because there are none"}.`;
  };
  mount(useAnnotations, async ({ session, params }) => {
    const project = await parts.projects.ownedAndIdle(session.userId, params.id);
    const used = await useProjectAnnotations(parts, project);
    const { compared, leftOut, others } = used;
    return ok({ compared, left_out: leftOut, others, message: said(used) });
  });
}

function mountNucleusEdits(mount: Mount, parts: WorkflowParts): void {
  mount(nucleusEdits, async ({ session, params }) => {
    const project = await parts.projects.owned(session.userId, params.id);
    return ok(standingOfEdits(parts, project));
  });
  mount(useNucleusEditsRoute, async ({ session, params }) => {
    const project = await parts.projects.ownedAndIdle(session.userId, params.id);
    const { before, after, edits, leftOut } = await useNucleusEdits(parts, project);
    const [now, then] = [after, before].map((count) => count.toLocaleString("en-US"));
    const others =
      leftOut === 0
        ? ""
        : ` ${leftOut === 1 ? "1 edit of another result is" : `${leftOut} edits of other results are`} left out.`;
    const message = `The next run uses ${now} nuclei instead of ${then} (${edits === 1 ? "1 edit" : `${edits} edits`}).${others}`;
    return ok({ before, after, left_out: leftOut, message });
  });
}

function mountStatus(mount: Mount, { clock }: WorkflowParts): void {
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

function stepOf(number: number): StepNumber {
  if (!isStepNumber(number)) throw new ApiError("start_step_invalid");
  return number;
}

function explainStartStep(issues: readonly { path: PropertyKey[] }[]): ApiError | undefined {
  return issues.some((issue) => issue.path[0] === "start_step")
    ? new ApiError("start_step_invalid")
    : undefined;
}
