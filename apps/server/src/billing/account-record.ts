import type { ExpressionBuilder } from "kysely";
import { jsonArrayFrom, jsonBuildObject } from "kysely/helpers/postgres";
import type { Db } from "../db/database.ts";
import type { ReadBy } from "../db/prepared.ts";
import type { Schema } from "../db/schema.ts";
import { accountGone } from "../http/api-error.ts";
import type { AccountRecord } from "./standing.ts";

/** What is known of an account, as the pages and the refusals need it. */
export interface LoadedAccount extends AccountRecord {
  email: string;
  /** Spots analyzed so far. */
  spots: number;
  /** Whether the outcome of a checkout is not known yet. */
  hasOpenCheckout: boolean;
  /** How far the payment sandbox's clock is ahead. */
  aheadMs: number;
}

/** Reads the account data by indexed columns, because every page of every user requests it. */
export function accountRead(users: ExpressionBuilder<Schema, "users">) {
  return jsonBuildObject({
    email: users.ref("users.email"),
    created_at: users.ref("users.created_at"),
    subscriptions: jsonArrayFrom(
      users
        .selectFrom("subscriptions")
        .select([
          "id",
          "tier",
          "status",
          "period_start",
          "period_end",
          "cancel_at_period_end",
          "next_tier",
          "subscriptions.created_at",
          "ended_at",
        ])
        .whereRef("subscriptions.user_id", "=", "users.id"),
    ),
    purchases: jsonArrayFrom(
      users
        .selectFrom("purchases")
        .select(["tier", "purchased_at"])
        .whereRef("purchases.user_id", "=", "users.id"),
    ),
    analyses: jsonArrayFrom(
      users
        .selectFrom("analyses")
        .select((inner) => [
          "plan",
          "counted_at",
          "completed_at",
          "spots",
          inner
            .exists(
              inner
                .selectFrom("runs")
                .select("runs.id")
                .whereRef("runs.project_id", "=", "analyses.project_id")
                .where("analyses.current", "=", true)
                .where("runs.status", "in", ["pending", "running"]),
            )
            .as("running"),
        ])
        .whereRef("analyses.user_id", "=", "users.id"),
    ),
    open_checkout: users.exists(
      users
        .selectFrom("checkouts")
        .select("checkouts.id")
        .whereRef("checkouts.user_id", "=", "users.id")
        .where("settled", "=", false),
    ),
    ahead_ms: users.selectFrom("provider_clock").select("ahead_ms"),
  });
}
export type AccountJson = ReadBy<typeof accountRead>;

export async function loadAccount(db: Db, userId: string): Promise<LoadedAccount> {
  const { account } = await db
    .selectFrom("users")
    .select((users) => accountRead(users).as("account"))
    .where("users.id", "=", userId)
    .executeTakeFirstOrThrow(() => accountGone());
  return accountOf(account);
}

export function accountOf(row: AccountJson): LoadedAccount {
  return {
    email: row.email,
    spots: row.analyses.reduce((sum, { spots }) => sum + spots, 0),
    hasOpenCheckout: Boolean(row.open_checkout),
    aheadMs: Number(row.ahead_ms ?? 0),
    registeredAt: dateOf(row.created_at),
    subscriptions: row.subscriptions.map((subscription) => ({
      id: subscription.id,
      tier: subscription.tier,
      status: subscription.status,
      periodStart: dateOf(subscription.period_start),
      periodEnd: dateOf(subscription.period_end),
      cancelAtPeriodEnd: subscription.cancel_at_period_end,
      nextTier: subscription.next_tier,
      createdAt: dateOf(subscription.created_at),
      endedAt: subscription.ended_at === null ? null : dateOf(subscription.ended_at),
    })),
    purchases: row.purchases.map(({ tier, purchased_at }) => ({
      tier,
      purchasedAt: dateOf(purchased_at),
    })),
    analyses: row.analyses.map((analysis) => ({
      plan: analysis.plan,
      countedAt: dateOf(analysis.counted_at),
      completedAt: analysis.completed_at === null ? null : dateOf(analysis.completed_at),
      running: Boolean(analysis.running),
    })),
  };
}

/** Times come out of JSON as text. */
function dateOf(time: Date | string): Date {
  return new Date(time);
}
