import type { Selectable } from "kysely";
import type { Logger } from "pino";
import type { RunServices } from "../services.ts";
import type { Estimate, Schema } from "../../db/schema.ts";
import type { InputFile } from "../../outputs/input-reads.ts";
import { currentChoices } from "../../projects/choices.ts";
import { estimateOf } from "../estimate/estimate.ts";
import { runSettings } from "../../projects/run-settings.ts";
import type { StepOrder } from "../step/step-messages.ts";

/** A run's project, as its steps see it. */
export interface RunProject {
  id: string;
  order: Pick<StepOrder, "inputs" | "settings" | "parameters">;
  inputs: readonly InputFile[];
  estimate: Estimate;
  origin: Origin;
}

/** The request that a run comes from. */
type Origin = Pick<Selectable<Schema["runs"]>, "request_id" | "traceparent">;

/** Null when the run is over. */
export async function projectOfRun(
  { database, uploads, logger }: Pick<RunServices, "database" | "uploads" | "logger">,
  runId: string,
): Promise<RunProject | null> {
  const project = await database.db
    .selectFrom("runs")
    .innerJoin("projects", "projects.id", "runs.project_id")
    .select([
      "projects.id",
      "projects.name",
      "projects.options",
      "projects.choices",
      "runs.estimate",
      "runs.request_id",
      "runs.traceparent",
    ])
    .where("runs.id", "=", runId)
    .where("runs.status", "=", "running")
    .executeTakeFirst();
  if (!project) return null;
  const inputs = await uploads.inputs(project.id);
  const choices = currentChoices(project.choices, project.id, logger);
  return {
    id: project.id,
    inputs,
    estimate: project.estimate ?? estimateOf(inputs),
    origin: { request_id: project.request_id, traceparent: project.traceparent },
    order: {
      inputs: inputs.map(({ slot, name, size, digest }) => ({ slot, name, size, digest })),
      settings: runSettings({ ...project, choices }, inputs),
      parameters: choices.parameters,
    },
  };
}

/** A log whose lines say which run, project and request they are about. */
export function loggerOfRun(
  services: Pick<RunServices, "logger">,
  runId: string,
  run: { project_id: string; request_id: string | null },
): Logger {
  return services.logger.child({
    runId,
    projectId: run.project_id,
    ...(run.request_id === null ? {} : { reqId: run.request_id }),
  });
}
