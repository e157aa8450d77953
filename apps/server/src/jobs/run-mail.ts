import { GRADE_WORDS, type Verdict } from "@stipple/contract";
import type { Context } from "../context.ts";
import { storedStatistics } from "../results/stored-statistics.ts";

/** Owners of shorter runs have most likely watched. */
const FROM_MS = 3 * 60_000;

/**
 * Notifies a project's owner by email that a run has completed or failed, if it took long since it was started on the
 * page. Never throws: the run has ended whether or not the email is sent.
 */
export async function mailRunEnded(
  context: Pick<Context, "config" | "database" | "mailer" | "logger" | "outputs">,
  runId: string,
): Promise<void> {
  const { config, database, mailer, logger, outputs } = context;
  if (!config.mail.ofRuns) return;
  try {
    const run = await database.db
      .selectFrom("runs")
      .innerJoin("projects", "projects.id", "runs.project_id")
      .innerJoin("users", "users.id", "runs.user_id")
      .select(["runs.status", "runs.error", "runs.created_at", "runs.finished_at"])
      .select(["projects.id as project", "projects.name", "users.email"])
      .where("runs.id", "=", runId)
      .where("runs.status", "in", ["completed", "failed"])
      .executeTakeFirst();
    if (!run?.finished_at || run.finished_at.getTime() - run.created_at.getTime() < FROM_MS) return;
    const done = run.status === "completed";
    const verdict = done ? (await storedStatistics(outputs, run.project))?.verdict : undefined;
    const name = run.name.replace(/\s+/g, " ");
    const link = (step: number) =>
      `${config.publicUrl}/analysis/step${step}?project_id=${run.project}`;
    await mailer.send({
      to: run.email,
      subject: done ? `Stipple: the results of ${name} are ready` : `Stipple: ${name} has failed`,
      text: [
        done
          ? `The analysis of your project "${name}" is complete. See its results:`
          : `The analysis of your project "${name}" has failed. ${run.error ?? ""}`.trimEnd(),
        ...(done ? [] : ["", "See which step failed and restart from there:"]),
        link(done ? 4 : 3),
        ...(verdict ? ["", ...verdictLines(verdict)] : []),
      ].join("\n"),
    });
  } catch (error) {
    logger.warn({ err: error, runId }, "the owner was not emailed that a run has ended");
  }
}

/** How reliable the results are, and what limits them. */
function verdictLines({ grade, sentence, next, reasons }: Verdict): string[] {
  return [
    `How much you can trust single cells: ${GRADE_WORDS[grade]}. ${sentence}`,
    ...reasons.filter((reason) => reason.grade !== "good").map((reason) => `- ${reason.sentence}`),
    ...(next === null ? [] : [`Next: ${next}`]),
  ];
}
