import { planByTier, TRIAL, type Plan } from "@stipple/contract";
import type { Db } from "../db/database.ts";
import type { Standing } from "./standing.ts";

const DAY_MS = 86_400_000;

/** What is known of a project and its results. */
export interface StoredProject {
  createdAt: Date;
  /** When its results first existed; null when there are none. */
  completedAt: Date | null;
  /** Most days that a plan of that time, or one since, promised; null on trial. */
  promisedDays: number | null;
}

/** Storage time of a tier in days; null for the trial, whose projects end with it. */
export function retentionDays(standing: Standing): number | null {
  return planByTier(standing.tier)?.retentionDays ?? null;
}

/** Promises the storage time of a person's plan for the results that exist already, whatever plan follows. */
export async function promiseStorage(
  query: Db,
  userId: string,
  { retentionDays }: Plan,
): Promise<void> {
  await query
    .updateTable("analyses")
    .set({ retention_days: retentionDays })
    .where("user_id", "=", userId)
    .where("completed_at", "is not", null)
    .where((is) => is(is.fn.coalesce("retention_days", is.lit(0)), "<", retentionDays))
    .execute();
}

/**
 * Until when a project is kept; null while no end is known. The latest of three: the storage time that a plan has promised
 * for the results, the storage time of the current plan, and the end of the paid period, or of the storage time after it
 * where a renewal is unpaid. So a renewal, an upgrade, or another purchase can only extend it, and a downgrade does not
 * shorten it. A trial's projects end with it, except results that come later.
 */
export function storageEnd(standing: Standing, project: StoredProject): Date | null {
  const days = retentionDays(standing);
  const { createdAt, completedAt, promisedDays } = project;
  if (days === null || completedAt === null) {
    // A run may outlast the trial, and its results are worth a plan.
    const since = completedAt ?? createdAt;
    if (standing.keptUntil === null || since <= standing.endsAt) return standing.keptUntil;
    // Creating projects is free after a plan or trial, too: one may upload files first and then buy a plan.
    const late = since.getTime() + (days ?? TRIAL.days) * DAY_MS;
    return new Date(Math.max(late, standing.keptUntil.getTime()));
  }
  const { endsAt, graceUntil, subscriptionId } = standing;
  const paidUntil = subscriptionId === null ? 0 : endsAt.getTime();
  const kept = completedAt.getTime() + Math.max(days, promisedDays ?? 0) * DAY_MS;
  return new Date(Math.max(kept, paidUntil, graceUntil?.getTime() ?? 0));
}
