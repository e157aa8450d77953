import { planByTier, type Subscription } from "@stipple/contract";
import type { Clock } from "../clock.ts";
import type { Db } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import { loadAccount } from "./account-record.ts";
import { standingOf, type Standing } from "./standing.ts";

/** What an account may do: the one place that decides it, for the pages and for the refusals alike. */
export interface Entitlements {
  /** The answer of verify-subscription. */
  subscriptionOf(userId: string): Promise<Subscription>;
  /**
   * Counts a project's analysis when its first run is accepted; later runs of the project count no more.
   * Throws quota_used_up or subscription_expired. Runs in the caller's transaction.
   */
  reserveAnalysis(transaction: Db, userId: string, projectId: string): Promise<void>;
  /** Gives an analysis back, unless the project has completed one. Runs in the caller's transaction. */
  returnAnalysis(transaction: Db, projectId: string): Promise<void>;
  /** Notes that a project's run has completed, with the spots it analysed. Runs in the caller's transaction. */
  completeAnalysis(transaction: Db, projectId: string, spots: number): Promise<void>;
  mayDownload(userId: string): Promise<boolean>;
  /** Until when each of a person's projects is kept; null = no end is known yet. */
  storageExpiry(userId: string, projectIds: readonly string[]): Promise<Map<string, Date | null>>;
}

const DAY_MS = 86_400_000;

/** When what was made at `since` is deleted under this standing: the trial's end, or the plan's storage time later. */
function retentionEnd(standing: Standing, since: Date): Date {
  const plan = planByTier(standing.tier);
  return plan ? new Date(since.getTime() + plan.retentionDays * DAY_MS) : standing.endsAt;
}

export function openEntitlements(db: Db, clock: Clock): Entitlements {
  const standing = async (query: Db, userId: string): Promise<Standing> =>
    standingOf(await loadAccount(query, userId), clock.now());

  return {
    async subscriptionOf(userId) {
      const account = await loadAccount(db, userId);
      const now = standingOf(account, clock.now());
      const endsAt = now.endsAt.toISOString();
      return {
        id: userId,
        email: account.email,
        analyses_count: now.used,
        analyses_limit: now.limit,
        total_spots: account.spots,
        is_one_time: now.isOneTime,
        single_analyses_purchased: now.singlesPurchased,
        // Subscribers keep results for the plan's storage time after the last paid day.
        data_retention_end_date: (now.subscriptionId
          ? retentionEnd(now, now.endsAt)
          : now.endsAt
        ).toISOString(),
        subscription_end_date: endsAt,
        subscription_status: now.status,
        subscription_tier: now.tier,
        stripe_subscription_id: now.subscriptionId,
      };
    },
    async reserveAnalysis(transaction, userId, projectId) {
      // Concurrent starts of one person queue here, so that they cannot both take the last analysis.
      await transaction
        .selectFrom("users")
        .select("id")
        .where("id", "=", userId)
        .forUpdate()
        .executeTakeFirstOrThrow();
      const { next, status } = await standing(transaction, userId);
      const counted = await transaction
        .selectFrom("analyses")
        .select("project_id")
        .where("project_id", "=", projectId)
        .executeTakeFirst();
      if (counted) {
        if (status === "expired") throw new ApiError("subscription_expired");
        return;
      }
      if ("refusal" in next) throw new ApiError(next.refusal);
      await transaction
        .insertInto("analyses")
        .values({
          project_id: projectId,
          user_id: userId,
          plan: next.plan,
          counted_at: clock.now(),
          completed_at: null,
        })
        .execute();
    },
    async returnAnalysis(transaction, projectId) {
      await transaction
        .deleteFrom("analyses")
        .where("project_id", "=", projectId)
        .where("completed_at", "is", null)
        .execute();
    },
    async completeAnalysis(transaction, projectId, spots) {
      await transaction
        .updateTable("analyses")
        .set({ spots, completed_at: clock.now() })
        .where("project_id", "=", projectId)
        .execute();
    },
    async mayDownload(userId) {
      const { tier, status } = await standing(db, userId);
      return tier !== "trial" && status !== "expired";
    },
    async storageExpiry(userId, projectIds) {
      if (projectIds.length === 0) return new Map();
      const now = await standing(db, userId);
      const rows = await db
        .selectFrom("projects")
        .leftJoin("analyses", "analyses.project_id", "projects.id")
        .select(["projects.id", "analyses.completed_at"])
        .where("projects.id", "in", [...projectIds])
        .execute();
      return new Map(
        rows.map(({ id, completed_at }) => {
          // Without results the storage time has not begun; once the plan has ended, it runs from that day.
          const since = completed_at ?? (now.status === "expired" ? now.endsAt : null);
          if (since) return [id, retentionEnd(now, since)];
          return [id, now.tier === "trial" ? now.endsAt : null];
        }),
      );
    },
  };
}
