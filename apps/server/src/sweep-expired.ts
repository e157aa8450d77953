import { sweepAttempts } from "./accounts/attempts.ts";
import { sweepAuditLog } from "./audit/audit.ts";
import type { Context } from "./context.ts";
import { sweepObjects, sweepUnfinished } from "./outputs/objects.ts";
import { deleteExpiredProjects } from "./projects/delete-expired-projects.ts";
import { sweepCombinedFiles } from "./studies/findings.ts";

/**
 * Deletes what is past its time, and finishes deletions that a crash interrupted. A part that fails, as where a file cannot
 * be removed, is logged and does not keep the others from being done.
 */
export async function sweepExpired(context: Context): Promise<void> {
  const { database, deletions, storage, uploads, logger } = context;
  const parts: (() => Promise<unknown>)[] = [
    () => deletions.finish(),
    () => deleteExpiredProjects(context),
    () => uploads.sweep(),
    () => sweepCombinedFiles(database.db),
    () => sweepObjects(database.db, storage),
    () => sweepUnfinished(database.db, storage),
    () => sweepAttempts(context),
    () => sweepAuditLog(database.db),
  ];
  for (const sweep of parts) {
    await sweep().catch((err: unknown) =>
      logger.error({ err }, "some expired data could not be deleted"),
    );
  }
}
