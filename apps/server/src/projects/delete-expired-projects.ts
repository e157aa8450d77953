import type { Logger } from "pino";
import type { BillingClock } from "../billing/billing-clock.ts";
import type { Billing } from "../billing/billing.ts";
import type { Entitlements } from "../billing/entitlements.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import { EXAMPLE_OWNER } from "./example-owner.ts";
import type { Projects } from "./projects.ts";

interface Parts {
  database: Database;
  projects: Projects;
  entitlements: Entitlements;
  billing: Billing;
  billingClock: BillingClock;
  logger: Logger;
}

/**
 * How often a worker looks for projects whose storage time is over; more often if the sandbox's clock can be moved, to
 * show the effect.
 */
export function retentionSweepMs(config: Config): number {
  return config.stripe.sandboxUrl ? 15_000 : 3_600_000;
}

/**
 * Deletes every project, rows and files together, whose storage time is over under its owner's current plan, and
 * returns their number. A project with a queued or running workflow, or that is being downloaded, waits for the next
 * sweep. While the payment sandbox's clock is ahead, only what the operator has confirmed is deleted. Safe to repeat, and
 * to run in two workers at once.
 */
export async function deleteExpiredProjects(parts: Parts): Promise<number> {
  const { database, projects, billing, logger } = parts;
  const rows = await database.db
    .selectFrom("projects")
    .select(["id", "user_id"])
    .where("user_id", "!=", EXAMPLE_OWNER)
    .execute();
  const byOwner = Map.groupBy(rows, (row) => row.user_id);
  let deleted = 0;
  for (const [userId, owned] of byOwner) {
    const due = await overdue(
      parts,
      userId,
      owned.map(({ id }) => id),
    );
    if (due.length === 0) continue;
    try {
      // The plan may have been renewed or bought without the event having reached us.
      await billing.lookUp(userId);
    } catch (error) {
      logger.warn({ err: error }, "projects are kept until the payment provider responds");
      continue;
    }
    for (const id of due) {
      // Removing files takes a while, in which a plan may be bought.
      if ((await overdue(parts, userId, [id])).length === 0) continue;
      try {
        await projects.remove(userId, id, { unlessDownloaded: true });
        deleted++;
        logger.info({ project: id }, "a project was deleted at the end of its storage period");
      } catch (error) {
        // A run or a download is in progress, or another worker was faster.
        if (!(error instanceof ApiError)) throw error;
      }
    }
  }
  return deleted;
}

/** Which of a person's projects are past their storage time. */
async function overdue(
  { entitlements, billingClock }: Pick<Parts, "entitlements" | "billingClock">,
  userId: string,
  ids: readonly string[],
): Promise<string[]> {
  const expiry = await entitlements.storageExpiry(userId, ids);
  const until = await billingClock.deletesUntil();
  return ids.filter((id) => {
    const end = expiry.get(id);
    return end && end <= until;
  });
}
