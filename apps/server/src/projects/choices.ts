import type { AnalysisOptions, RunChoices } from "@stipple/contract";
import { checkParameters, valueFault, withoutRetired } from "@stipple/pipeline/parameters";
import { InputError } from "@stipple/pipeline/errors";
import { CHOSEN_SETTINGS, chosenSettings } from "@stipple/pipeline/settings";
import { steps } from "@stipple/pipeline/steps";
import * as z from "zod";
import type { Logger } from "pino";
import type { Db, Database } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";

/** The available choices as JSON Schema. Pages build their form from it, so a new parameter needs no page change. */
export function availableChoices() {
  return {
    settings: schemaOf(chosenSettings),
    steps: steps.map(({ number, id, name, params }) => ({
      number,
      id,
      name,
      parameters: schemaOf(params),
    })),
  };
}

/** Refuses choices that no step knows or accepts, with a sentence that says so. */
export function checkChoices({ settings, parameters }: RunChoices): void {
  const result = chosenSettings.safeParse(settings);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new ApiError("invalid_request", settingFault(issue));
  }
  try {
    checkParameters(steps, parameters);
  } catch (error) {
    if (error instanceof InputError) throw new ApiError("invalid_request", error.message);
    throw error;
  }
}

function settingFault(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === "unrecognized_keys") {
    return `There is no setting ${issue.keys[0]}: the settings are ${CHOSEN_SETTINGS.join(", ")}.`;
  }
  // A setting may have its own sentence; the library's messages are not sentences.
  if (issue?.message.endsWith(".")) return issue.message;
  return `The setting ${issue?.path.join(".")} ${valueFault(issue)}.`;
}

function schemaOf(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema) as Record<string, unknown>;
}

/** The choices for a project's runs. Throws project_not_found if it was just deleted. */
export async function choicesOf(
  { database, logger }: { database: Database; logger: Logger },
  projectId: string,
): Promise<RunChoices> {
  const project = await database.db
    .selectFrom("projects")
    .select("choices")
    .where("id", "=", projectId)
    .executeTakeFirst();
  if (!project) throw new ApiError("project_not_found");
  return currentChoices(project.choices, projectId, logger);
}

/** Stored choices without those that no longer exist, which the log names. */
export function currentChoices(stored: RunChoices, projectId: string, logger: Logger): RunChoices {
  const { choices, retired } = withoutRetired(stored);
  if (retired.length > 0) {
    logger.info({ projectId, retired }, "stored choices that no longer exist were left out");
  }
  return choices;
}

/** Replaces it, in the transaction that accepts the run: a run in progress never sees other choices than its own. */
export async function keepChoices(
  transaction: Db,
  projectId: string,
  choices: RunChoices,
): Promise<void> {
  await transaction
    .updateTable("projects")
    .set({ choices: JSON.stringify(choices) })
    .where("id", "=", projectId)
    .execute();
}

/** Keeps the analysis type, which is among the project's options. */
export async function keepAnalysisType(
  transaction: Db,
  project: { id: string; options: AnalysisOptions },
  analysisType: AnalysisOptions["analysis_type"],
): Promise<void> {
  await transaction
    .updateTable("projects")
    .set({ options: JSON.stringify({ ...project.options, analysis_type: analysisType }) })
    .where("id", "=", project.id)
    .execute();
}
