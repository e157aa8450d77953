import {
  isTrial,
  planByTier,
  type ErrorCode,
  type StepNumber,
  type Subscription,
} from "@stipple/contract";
import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import { lockRow } from "../db/rows.ts";
import { accountGone, ApiError } from "../http/api-error.ts";
import type { AnalyzedContent } from "./analyzed-content.ts";
import { loadAccount, type LoadedAccount } from "./account-record.ts";
import type { BillingClock } from "./billing-clock.ts";
import {
  countingOf,
  makeCurrent,
  noteYield,
  restoreCurrent,
  returnReservation,
  SAMPLE_PLAN,
} from "./counting.ts";
import { standingOf, type Standing } from "./standing.ts";
import { retentionDays, storageEnd, type StoredProject } from "./storage-time.ts";

/** What an account may do: the one place that decides it, for the pages and for the refusals alike. */
export interface Entitlements {
  /** The answer of verify-subscription. */
  subscriptionOf(userId: string): Promise<Subscription>;
  /**
   * The answer of `subscriptionOf`, and whether the provider may know more than we do: a checkout with unknown outcome, a period that is
   * over, or two subscriptions at once. Makes no requests.
   */
  look(userId: string, account: LoadedAccount): { subscription: Subscription; mayBeStale: boolean };
  /**
   * Counts a project's analysis when the first run of its sample is accepted: see `countingOf`. Throws quota_used_up or
   * subscription_expired. Runs in the caller's transaction.
   */
  reserveAnalysis(
    transaction: Db,
    run: { id: string; userId: string; projectId: string },
    content?: AnalyzedContent,
  ): Promise<void>;
  /** What reserving would do: whether it counts an analysis, and why it would be refused (null if it would not). */
  counts(
    userId: string,
    projectId: string,
    content: AnalyzedContent,
  ): Promise<{ isCounted: boolean; refusal: ErrorCode | null }>;
  /**
   * Gives back what was counted for a run, unless the analysis has yielded results. Returns whether it did. Runs in the
   * caller's transaction.
   */
  returnAnalysis(transaction: Db, runId: string): Promise<boolean>;
  /** Notes that a step's output is published, which may be the analysis's first result. */
  noteYield(transaction: Db, projectId: string, step: StepNumber): Promise<void>;
  /** Notes that a project's run has completed, with the spots it analyzed. Runs in the caller's transaction. */
  completeAnalysis(transaction: Db, projectId: string, spots: number): Promise<void>;
  /** What may be done with an account's results; the rules are in the contract's result-access.ts. */
  resultAccess(userId: string): Promise<ResultAccess>;
  /** Throws trial_ended or subscription_expired. */
  assertMaySee(userId: string): Promise<void>;
  /** Throws as `assertMaySee` does, and download_not_in_trial, unless results may be taken away. */
  assertMayTake(userId: string): Promise<void>;
  /** Until when projects of a loaded account are kept; null = no end known yet. Makes no requests. */
  storageEndOf(account: LoadedAccount): (project: StoredProject) => Date | null;
  /** Until when these projects are kept; null = no end known yet. */
  storageExpiry(userId: string, projectIds: readonly string[]): Promise<Map<string, Date | null>>;
}

/** What may be done with the results of one account. */
export interface ResultAccess {
  isTrial: boolean;
  /** Until when they may be seen, by the plans' clock: as long as the trial or the plan lasts. */
  seenUntil: Date;
  /** The refusal from then on. */
  refusal: "trial_ended" | "subscription_expired";
}

const DAY_MS = 86_400_000;
const UNKNOWN: AnalyzedContent = { sample: null, isSampleDataset: false };

export function openEntitlements(db: Db, clock: BillingClock): Entitlements {
  async function resultAccess(userId: string): Promise<ResultAccess> {
    const { tier, endsAt } = await standingIn(db, clock, userId);
    return {
      isTrial: isTrial(tier),
      seenUntil: endsAt,
      refusal: isTrial(tier) ? "trial_ended" : "subscription_expired",
    };
  }

  async function assertMaySee(userId: string): Promise<ResultAccess> {
    const access = await resultAccess(userId);
    if (access.seenUntil <= (await clock.now())) throw new ApiError(access.refusal);
    return access;
  }

  function storageEndOf(account: LoadedAccount): (project: StoredProject) => Date | null {
    const now = standingOf(account, clock.nowWith(account.aheadMs));
    return (project) => storageEnd(now, project);
  }

  return {
    resultAccess,
    async assertMaySee(userId) {
      await assertMaySee(userId);
    },
    async assertMayTake(userId) {
      if ((await assertMaySee(userId)).isTrial) throw new ApiError("download_not_in_trial");
    },
    look: (userId, account) => lookAt(clock, userId, account),
    subscriptionOf: async (userId) =>
      lookAt(clock, userId, await loadAccount(db, userId)).subscription,
    storageEndOf,
    reserveAnalysis: (transaction, run, content = UNKNOWN) =>
      reserve(clock, transaction, run, content),
    async counts(userId, projectId, content) {
      const { isCounted } = await countingOf(db, projectId, content);
      const { next, status } = await standingIn(db, clock, userId);
      if (!isCounted) {
        return { isCounted, refusal: status === "expired" ? "subscription_expired" : null };
      }
      return { isCounted, refusal: "refusal" in next ? next.refusal : null };
    },
    async returnAnalysis(transaction, runId) {
      const isReturned = await returnReservation(transaction, runId);
      await restoreCurrent(transaction, runId, { evenIfPrepared: isReturned });
      return isReturned;
    },
    noteYield: async (transaction, projectId, step) =>
      noteYield(transaction, projectId, { step, at: await clock.now(transaction) }),
    completeAnalysis: (transaction, projectId, spots) =>
      complete(clock, transaction, projectId, spots),
    async storageExpiry(userId, projectIds) {
      if (projectIds.length === 0) return new Map();
      const endOf = storageEndOf(await loadAccount(db, userId));
      const rows = await db
        .selectFrom("projects")
        .leftJoin("analyses", (join) =>
          join.onRef("analyses.project_id", "=", "projects.id").on("analyses.current", "=", true),
        )
        .select(["projects.id", "projects.created_at"])
        .select(["analyses.completed_at", "analyses.retention_days"])
        .where("projects.id", "in", [...projectIds])
        .execute();
      return new Map(
        rows.map((row) => [
          row.id,
          endOf({
            createdAt: row.created_at,
            completedAt: row.completed_at,
            promisedDays: row.retention_days,
          }),
        ]),
      );
    },
  };
}

async function standingIn(query: Db, clock: BillingClock, userId: string): Promise<Standing> {
  const account = await loadAccount(query, userId);
  return standingOf(account, clock.nowWith(account.aheadMs));
}

function lookAt(
  clock: BillingClock,
  userId: string,
  account: LoadedAccount,
): { subscription: Subscription; mayBeStale: boolean } {
  const time = clock.nowWith(account.aheadMs);
  const now = standingOf(account, time);
  // Subscribers keep results for the plan's storage time after the last paid day, also once that day has passed.
  const plan = planByTier(now.tier);
  const kept = plan?.billing === "monthly" ? plan.retentionDays * DAY_MS : 0;
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
      unpaid_subscription: now.unpaid,
      scheduled_downgrade: now.nextTier && {
        tier: now.nextTier,
        effective_date: now.endsAt.toISOString(),
      },
      server_time: time.toISOString(),
    },
  };
}

async function reserve(
  clock: BillingClock,
  transaction: Db,
  { id: runId, userId, projectId }: { id: string; userId: string; projectId: string },
  content: AnalyzedContent,
): Promise<void> {
  // Concurrent starts of one person queue here, so that they cannot both take the last analysis.
  if (!(await lockRow(transaction, "users", userId))) throw accountGone();
  const { next, status } = await standingIn(transaction, clock, userId);
  const { isCounted, row } = await countingOf(transaction, projectId, content);
  if (!isCounted && status === "expired") throw new ApiError("subscription_expired");
  if (isCounted && "refusal" in next) throw new ApiError(next.refusal);
  await transaction
    .updateTable("runs")
    .set((run) => ({
      analysis_before: run
        .selectFrom("analyses")
        .select("analyses.id")
        .where("analyses.project_id", "=", projectId)
        .where("current", "=", true),
    }))
    .where("id", "=", runId)
    .execute();
  await makeCurrent(transaction, projectId, row?.id ?? null);
  if (row) {
    await transaction
      .updateTable("analyses")
      .set({ sample: content.sample ?? row.sample })
      .where("id", "=", row.id)
      .execute();
    return;
  }
  const against = isCounted && "plan" in next ? next : { plan: SAMPLE_PLAN, since: null };
  // Never before the start of what it counts against: the provider's clock may be ahead of ours.
  const now = await clock.now(transaction);
  const countedAt = Math.max(now.getTime(), against.since?.getTime() ?? 0);
  await transaction
    .insertInto("analyses")
    .values({
      project_id: projectId,
      user_id: userId,
      plan: against.plan,
      sample: content.sample,
      reserved_by: runId,
      counted_at: new Date(countedAt),
      completed_at: null,
      retention_days: null,
    })
    .execute();
}

async function complete(
  clock: BillingClock,
  transaction: Db,
  projectId: string,
  spots: number,
): Promise<void> {
  const analysis = await transaction
    .selectFrom("analyses")
    .select(["id", "user_id"])
    .where("project_id", "=", projectId)
    .where("current", "=", true)
    .executeTakeFirst();
  if (!analysis) return;
  const days = retentionDays(await standingIn(transaction, clock, analysis.user_id));
  const now = await clock.now(transaction);
  await transaction
    .updateTable("analyses")
    .set({
      spots,
      // A later run of the project neither renews a single purchase nor shortens what was promised.
      completed_at: sql<Date>`coalesce(completed_at, ${now})`,
      yielded_at: sql<Date>`coalesce(yielded_at, ${now})`,
      retention_days: sql<number | null>`greatest(retention_days, ${days}::integer)`,
    })
    .where("id", "=", analysis.id)
    .execute();
}
