import type { Context } from "../context.ts";
import { ApiError } from "../http/api-error.ts";

/** How often a worker looks for projects whose storage time is over. */
export const RETENTION_SWEEP_MS = 3_600_000;

/**
 * Deletes every project, rows and files together, whose storage time is over by its owner's present plan, and returns
 * how many. A project with a queued or running workflow waits for the next sweep. Repeating it, or two workers doing it
 * at once, does no harm.
 */
export async function deleteExpiredProjects(
  context: Pick<Context, "database" | "projects" | "entitlements" | "clock" | "logger">,
): Promise<number> {
  const { database, projects, entitlements, clock, logger } = context;
  const rows = await database.db.selectFrom("projects").select(["id", "user_id"]).execute();
  const byOwner = Map.groupBy(rows, (row) => row.user_id);
  let deleted = 0;
  for (const [userId, owned] of byOwner) {
    const expiry = await entitlements.storageExpiry(
      userId,
      owned.map(({ id }) => id),
    );
    for (const { id } of owned) {
      const end = expiry.get(id);
      if (!end || end > clock.now()) continue;
      try {
        await projects.remove(userId, id);
        deleted++;
        logger.info({ project: id }, "a project was deleted at the end of its storage time");
      } catch (error) {
        // Busy, or another worker was faster.
        if (!(error instanceof ApiError)) throw error;
      }
    }
  }
  return deleted;
}
