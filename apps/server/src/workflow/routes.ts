import {
  cancelWorkflow,
  isStepNumber,
  runWorkflow,
  status,
  workflowChoices,
  workflowQueueStatus,
} from "@stipple/contract";
import type { Context } from "../context.ts";
import { ApiError } from "../http/api-error.ts";
import type { Mount } from "../http/route-adapter.ts";
import { missingInputs } from "../uploads/missing-inputs.ts";
import { checkChoices, choicesOf, choicesOnOffer } from "./choices.ts";
import { workflowStatus } from "./status.ts";

export function workflowRoutes(mount: Mount, context: Context): void {
  const { projects, uploads, runs, outputs, clock } = context;

  mount(
    runWorkflow,
    async ({ session, body, request }) => {
      const project = await projects.owned(session.userId, body.project_id);
      const startStep = body.start_step;
      if (!isStepNumber(startStep)) {
        throw new ApiError("start_step_invalid");
      }
      const filled = new Set(Object.keys(await uploads.complete(project.id)));
      const missing = missingInputs(project.options.platform, filled);
      if (missing.length > 0) {
        throw new ApiError(
          "inputs_missing",
          `Input files are missing: ${missing.join("; ")}. Upload them first.`,
        );
      }
      const kept = await choicesOf(context.database.db, project.id);
      const choices = {
        settings: body.settings ?? kept.settings,
        parameters: body.parameters ?? kept.parameters,
      };
      checkChoices(choices);
      const { place } = await runs.start(project, {
        startStep,
        inputs: await uploads.sizes(project.id),
        choices,
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
    {
      explain: (issues) =>
        issues.some((issue) => issue.path[0] === "start_step")
          ? new ApiError("start_step_invalid")
          : undefined,
    },
  );

  mount(workflowChoices, async ({ session, query }) => {
    const project = await projects.owned(session.userId, query.project_id);
    const chosen = await choicesOf(context.database.db, project.id);
    return { status: 200, body: { ...choicesOnOffer(), chosen } };
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

  mount(status, async ({ session, query }) => {
    const project = await projects.owned(session.userId, query.project_id);
    const [run, inputFiles, steps] = await Promise.all([
      runs.latest(project.id),
      uploads.complete(project.id),
      outputs.steps(project.id),
    ]);
    return {
      status: 200,
      body: workflowStatus({ project, run, inputFiles, steps, clock }),
    };
  });

  mount(workflowQueueStatus, async ({ session }) => {
    const active = await runs.active(session.userId);
    return {
      status: 200,
      body: {
        has_workflow: active !== null,
        project_id: active?.run.project_id ?? null,
        project_name: active?.projectName ?? null,
        status: active ? (active.place ? ("pending" as const) : ("running" as const)) : null,
        position: active?.place?.position ?? null,
        estimated_wait: active?.place?.estimatedWait ?? null,
      },
    };
  });
}
