import { isTrial, type Subscription } from "@stipple/contract";
import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import { loadAccount } from "./account-record.ts";
import type { BillingClock } from "./billing-clock.ts";
import { standingOf, type Standing } from "./standing.ts";
import { retentionDays, storageEnd } from "./storage-time.ts";

/** What an account may do: the one place that decides it, for the pages and for the refusals alike. */
export interface Entitlements {
  /** The answer of verify-subscription. */
  subscriptionOf(userId: string): Promise<Subscription>;
  /**
   * The same, with whether the provider may know more than we do: a checkout whose outcome is open, a period that is
   * over, or two subscriptions at once. One query.
   */
  look(userId: string): Promise<{ subscription: Subscription; mayBeStale: boolean }>;
  /**
   * Counts a project's analysis when its first run is accepted; later runs of the project count no more.
   * Throws quota_used_up or subscription_expired. Runs in the caller's transaction.
   */
  reserveAnalysis(transaction: Db, userId: string, projectId: string): Promise<void>;
  /** Gives an analysis back, unless the project has completed one. Runs in the caller's transaction. */
  returnAnalysis(transaction: Db, projectId: string): Promise<void>;
  /** Notes that a project's run has completed, with the spots it analysed. Runs in the caller's transaction. */
  completeAnalysis(transaction: Db, projectId: string, spots: number): Promise<void>;
  /** Throws download_not_in_trial or subscription_expired. */
  assertMayDownload(userId: string): Promise<void>;
  /** Until when a person's results may be looked at; null = as long as they are kept. Only a trial has an end. */
  viewableUntil(userId: string): Promise<Date | null>;
  /** Throws trial_ended. */
  assertMayView(userId: string): Promise<void>;
  /** Until when each of a person's projects is kept; null = no end is known yet. */
  storageExpiry(userId: string, projectIds: readonly string[]): Promise<Map<string, Date | null>>;
}

const DAY_MS = 86_400_000;

export function openEntitlements(db: Db, clock: BillingClock): Entitlements {
  async function standing(query: Db, userId: string): Promise<Standing> {
    const account = await loadAccount(query, userId);
    return standingOf(account, clock.nowWith(account.aheadMs));
  }

  async function viewableUntil(userId: string): Promise<Date | null> {
    const { tier, endsAt } = await standing(db, userId);
    return isTrial(tier) ? endsAt : null;
  }

  async function look(
    userId: string,
  ): Promise<{ subscription: Subscription; mayBeStale: boolean }> {
    const account = await loadAccount(db, userId);
    const time = clock.nowWith(account.aheadMs);
    const now = standingOf(account, time);
    // Subscribers keep results for the plan's storage time after the last paid day.
    const kept = now.subscriptionId ? (retentionDays(now) ?? 0) * DAY_MS : 0;
    const running = account.subscriptions.filter(({ status }) => status !== "ended");
    return {
      mayBeStale:
        account.hasOpenCheckout ||
        running.length > 1 ||
        running.some(({ periodEnd }) => periodEnd <= time),
      subscription: {
        id: userId,
        email: account.email,
        analyses_count: now.used,
        analyses_limit: now.limit,
        total_spots: account.spots,
        is_one_time: now.isOneTime,
        single_analyses_purchased: now.singlesPurchased,
        data_retention_end_date: new Date(now.endsAt.getTime() + kept).toISOString(),
        subscription_end_date: now.endsAt.toISOString(),
        subscription_status: now.status,
        subscription_tier: now.tier,
        stripe_subscription_id: now.subscriptionId,
        server_time: time.toISOString(),
      },
    };
  }

  return {
    viewableUntil,
    async assertMayView(userId) {
      const until = await viewableUntil(userId);
      if (until && until <= (await clock.now())) throw new ApiError("trial_ended");
    },
    look,
    subscriptionOf: async (userId) => (await look(userId)).subscription,
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
      // Never before what it counts against began: the provider's clock may be ahead of ours.
      const countedAt = Math.max((await clock.now(transaction)).getTime(), next.since.getTime());
      await transaction
        .insertInto("analyses")
        .values({
          project_id: projectId,
          user_id: userId,
          plan: next.plan,
          counted_at: new Date(countedAt),
          completed_at: null,
          retention_days: null,
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
      const analysis = await transaction
        .selectFrom("analyses")
        .select("user_id")
        .where("project_id", "=", projectId)
        .executeTakeFirst();
      if (!analysis) return;
      const days = retentionDays(await standing(transaction, analysis.user_id));
      await transaction
        .updateTable("analyses")
        .set({
          spots,
          // A later run of the project neither renews a single purchase nor shortens what was promised.
          completed_at: sql<Date>`coalesce(completed_at, ${await clock.now(transaction)})`,
          retention_days: sql<number | null>`greatest(retention_days, ${days}::integer)`,
        })
        .where("project_id", "=", projectId)
        .execute();
    },
    async assertMayDownload(userId) {
      const { tier, status } = await standing(db, userId);
      if (isTrial(tier)) throw new ApiError("download_not_in_trial");
      if (status === "expired") throw new ApiError("subscription_expired");
    },
    async storageExpiry(userId, projectIds) {
      if (projectIds.length === 0) return new Map();
      const now = await standing(db, userId);
      const rows = await db
        .selectFrom("projects")
        .leftJoin("analyses", "analyses.project_id", "projects.id")
        .select(["projects.id", "analyses.completed_at", "analyses.retention_days"])
        .where("projects.id", "in", [...projectIds])
        .execute();
      return new Map(
        rows.map((row) => [
          row.id,
          storageEnd(now, { completedAt: row.completed_at, promisedDays: row.retention_days }),
        ]),
      );
    },
  };
}
