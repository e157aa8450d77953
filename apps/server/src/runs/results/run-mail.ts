import { GRADE_WORDS, type Verdict } from "@stipple/contract";
import type { RunServices } from "../services.ts";
import { ApiError } from "../../http/api-error.ts";
import { EXAMPLE_OWNER } from "../../projects/example-owner.ts";
import { storedStatistics } from "../../outputs/stored-statistics.ts";

/** Owners of shorter runs that completed have most likely watched. */
const FROM_MS = 3 * 60_000;

/**
 * Notifies a project's owner by email that a run has failed, or that a run that took long since it was started on the
 * page has completed. Throws when the email could not be handed over.
 */
export async function mailRunEnded(
  services: Pick<RunServices, "config" | "database" | "entitlements" | "mailer" | "outputs">,
  runId: string,
): Promise<void> {
  const { config, mailer } = services;
  if (!config.mail.ofRuns || !mailer.canSend) return;
  const run = await endedRun(services, runId);
  if (!run) return;
  const name = run.name.replace(/\s+/g, " ");
  const link = (step: number) =>
    `${config.publicUrl}/analysis/step${step}?project_id=${run.project}`;
  if (run.status === "failed") {
    const text = failedLines(name, run, link(3)).join("\n");
    return mailer.send({ to: run.email, subject: `Stipple: ${name} has failed`, text });
  }
  if (run.lastedMs < FROM_MS) return;
  const over = await endedMeanwhile(services, run.user);
  if (over) {
    const text = [
      `The analysis of your project "${name}" is complete, but your ${over} has ended. Choose a plan to open the results; without one, they will be deleted:`,
      `${config.publicUrl}/pricing`,
    ].join("\n");
    return mailer.send({ to: run.email, subject: `Stipple: ${name} is complete`, text });
  }
  const { verdict } = (await storedStatistics(services.outputs, run.project)) ?? {};
  await mailer.send({
    to: run.email,
    subject: `Stipple: the results of ${name} are ready`,
    text: [
      `The analysis of your project "${name}" is complete. See its results:`,
      link(4),
      ...(verdict ? ["", ...verdictLines(verdict)] : []),
    ].join("\n"),
  });
}

/** A completed or failed run with its owner; null if it has not ended so, or nobody owns it. */
async function endedRun({ database }: Pick<RunServices, "database">, runId: string) {
  const run = await database.db
    .selectFrom("runs")
    .innerJoin("projects", "projects.id", "runs.project_id")
    .innerJoin("users", "users.id", "runs.user_id")
    .select(["runs.status", "runs.error", "runs.created_at", "runs.finished_at"])
    .select(["projects.id as project", "projects.name", "users.id as user", "users.email"])
    .where("runs.id", "=", runId)
    .where("runs.status", "in", ["completed", "failed"])
    .where("runs.user_id", "!=", EXAMPLE_OWNER)
    .executeTakeFirst();
  if (!run?.finished_at) return null;
  return { ...run, lastedMs: run.finished_at.getTime() - run.created_at.getTime() };
}

/** What ended while the run went on, so that its results are closed. */
async function endedMeanwhile(
  { entitlements }: Pick<RunServices, "entitlements">,
  userId: string,
): Promise<"trial" | "plan" | null> {
  try {
    await entitlements.assertMaySee(userId);
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.code === "trial_ended" ? "trial" : "plan";
  }
}

/** Why it failed, whether it counted (`finishRun` says both), and what to do. */
function failedLines(name: string, { error }: { error: string | null }, link: string): string[] {
  return [
    `The analysis of your project "${name}" has failed.`,
    ...(error ? [error] : []),
    "",
    "See which step failed, and start again from there once the cause is removed; finished steps are kept:",
    link,
  ];
}

/** How reliable the results are, and what limits them. */
function verdictLines({ grade, sentence, next, reasons }: Verdict): string[] {
  return [
    `How much you can trust single cells: ${GRADE_WORDS[grade]}. ${sentence}`,
    ...reasons.filter((reason) => reason.grade !== "good").map((reason) => `- ${reason.sentence}`),
    ...(next === null ? [] : [`Next: ${next}`]),
  ];
}
