import type { Insertable } from "kysely";
import type { Db } from "../src/db/database.ts";
import type { Schema } from "../src/db/schema.ts";

const DAY_MS = 86_400_000;

/** Gives a person a running plan, as the provider's events would; `row` overrides what is usual. */
export async function givePlan(
  db: Db,
  userId: string,
  row: Pick<Insertable<Schema["subscriptions"]>, "tier"> &
    Partial<Insertable<Schema["subscriptions"]>>,
): Promise<void> {
  await db
    .insertInto("subscriptions")
    .values({
      id: `sub_${userId}`,
      user_id: userId,
      status: "active",
      period_start: new Date(),
      period_end: new Date(Date.now() + 30 * DAY_MS),
      cancel_at_period_end: false,
      schedule_id: null,
      created_at: new Date(),
      ended_at: null,
      ...row,
    })
    .execute();
}
