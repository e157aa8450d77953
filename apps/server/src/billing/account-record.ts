import type { Db } from "../db/database.ts";
import type { AccountRecord } from "./standing.ts";

/** Loads what is known of an account; `email` and `spots` are for the answer of verify-subscription. */
export async function loadAccount(
  db: Db,
  userId: string,
): Promise<AccountRecord & { email: string; spots: number }> {
  const user = await db
    .selectFrom("users")
    .select(["email", "created_at"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  const subscriptions = await db
    .selectFrom("subscriptions")
    .selectAll()
    .where("user_id", "=", userId)
    .execute();
  const purchases = await db
    .selectFrom("purchases")
    .select(["tier", "purchased_at"])
    .where("user_id", "=", userId)
    .execute();
  const analyses = await db
    .selectFrom("analyses")
    .select((select) => [
      "plan",
      "counted_at",
      "completed_at",
      "spots",
      select
        .exists(
          select
            .selectFrom("runs")
            .select("runs.id")
            .whereRef("runs.project_id", "=", "analyses.project_id")
            .where("runs.status", "in", ["pending", "running"]),
        )
        .as("running"),
    ])
    .where("user_id", "=", userId)
    .execute();
  return {
    email: user.email,
    spots: analyses.reduce((sum, { spots }) => sum + spots, 0),
    registeredAt: user.created_at,
    subscriptions: subscriptions.map((row) => ({
      id: row.id,
      tier: row.tier,
      status: row.status,
      periodStart: row.period_start,
      periodEnd: row.period_end,
      cancelAtPeriodEnd: row.cancel_at_period_end,
      createdAt: row.created_at,
      endedAt: row.ended_at,
    })),
    purchases: purchases.map((row) => ({ tier: row.tier, purchasedAt: row.purchased_at })),
    analyses: analyses.map((row) => ({
      plan: row.plan,
      countedAt: row.counted_at,
      completedAt: row.completed_at,
      running: Boolean(row.running),
    })),
  };
}
