import type { Billing } from "../billing/billing.ts";
import { openCheckouts } from "../billing/open-checkouts.ts";
import { auditAccountDeleted } from "../audit/audit.ts";
import type { Database } from "../db/database.ts";
import { hasActiveRun } from "../db/rows.ts";
import { ApiError } from "../http/api-error.ts";
import { partsOf, type Deletions } from "../projects/deletions.ts";
import type { Mailer } from "../notices/mailer.ts";
import { referencesKey } from "../references/references.ts";
import { projectKey } from "../storage/project-keys.ts";

/** What stops the run of a project. */
export interface StoppableRuns {
  cancel(projectId: string): Promise<unknown>;
}

/**
 * Deletes an account: its plan at the provider, its rows and its files. Payments are kept without the user. The
 * provider comes first: if it does not respond, the account stays, and nobody pays for a deleted one.
 */
export async function deleteAccountOf(
  parts: {
    database: Database;
    billing: Billing;
    deletions: Deletions;
    mailer: Mailer;
    runs: StoppableRuns;
  },
  userId: string,
): Promise<void> {
  const { database, billing, deletions, mailer, runs } = parts;
  await assertIdle(database.db, userId);
  await billing.leave(userId);
  // From here on there is no way back, so a run that another tab has started meanwhile ends, too, and none follows it.
  await database.db.deleteFrom("waiting_runs").where("user_id", "=", userId).execute();
  const started = await database.db
    .selectFrom("runs")
    .select("project_id")
    .where("user_id", "=", userId)
    .where("status", "in", ["pending", "running"])
    .execute();
  for (const { project_id } of started) await runs.cancel(project_id);
  const deleted = await database.transaction(async (transaction) => {
    // A run being accepted at this moment waits for this lock, or this code waits for the run's.
    const user = await transaction
      .selectFrom("users")
      .select("email")
      .where("id", "=", userId)
      .forUpdate()
      .executeTakeFirst();
    // Of simultaneous calls one deletes, and is noted.
    if (!user) return { keys: [], unfinished: [], email: undefined };
    await assertIdle(transaction, userId);
    // Another tab has opened a checkout since the provider was asked: it could be paid for nobody.
    if ((await openCheckouts(transaction, userId)).length > 0) return null;
    const projects = await transaction
      .selectFrom("projects")
      .select("id")
      .where("user_id", "=", userId)
      .execute();
    const found = [...projects.map(({ id }) => projectKey(id)), referencesKey(userId)];
    for (const key of found) await deletions.note(transaction, key);
    const unfinished = await partsOf(
      transaction,
      projects.map(({ id }) => id),
    );
    await transaction.deleteFrom("users").where("id", "=", userId).execute();
    await auditAccountDeleted(transaction, userId);
    return { keys: found, unfinished, email: user.email };
  });
  if (!deleted) return deleteAccountOf(parts, userId);
  const { keys, unfinished, email } = deleted;
  // An outbox that does not respond keeps a few emails that lead nowhere.
  if (email !== undefined) await mailer.forget(email).catch(() => undefined);
  // If files cannot be removed, the next sweep tries again.
  await deletions.finish(keys, unfinished).catch(() => undefined);
}

/** A running step would keep writing files. */
async function assertIdle(query: Database["db"], userId: string): Promise<void> {
  if (await hasActiveRun(query, "user_id", userId)) {
    throw new ApiError(
      "project_busy",
      "An analysis is queued or processing. Stop it or wait until it finishes, then delete the account.",
    );
  }
}
