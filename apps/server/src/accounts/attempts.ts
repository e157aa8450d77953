import { sql } from "kysely";
import { ApiError } from "../http/api-error.ts";
import type { AccountServices } from "./services.ts";
import { hashOf } from "./tokens.ts";

/** Limits attempts per account in a fixed window. */
export interface Limit {
  /** Name of what is attempted. */
  what: string;
  max: number;
  windowMs: number;
}

/** Counts are in the database, so restarts and more API processes do not reset them. */
type Counting = Pick<AccountServices, "clock" | "database">;

/** Counts one try. Throws rate_limited, with the seconds to wait, beyond `max`. */
export async function assertAttempt(services: Counting, limit: Limit, who: string): Promise<void> {
  const { count, leftMs } = await countAttempt(services, limit, who);
  if (count <= limit.max) return;
  const minutes = Math.ceil(leftMs / 60_000);
  throw new ApiError(
    "rate_limited",
    `Too many attempts. Please try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`,
    { retryAfter: Math.ceil(leftMs / 1000) },
  );
}

/** Counts one try; returns how many there are in the running window, and how much of that is left. */
export async function countAttempt(
  { clock, database }: Counting,
  limit: Limit,
  who: string,
): Promise<{ count: number; leftMs: number }> {
  const now = clock.now();
  const ends = new Date(now.getTime() + limit.windowMs);
  const window = await database.db
    .insertInto("attempts")
    .values({ key: keyOf(limit, who), count: 1, ends_at: ends })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet({
        count: sql<number>`case when attempts.ends_at <= ${now} then 1 else attempts.count + 1 end`,
        ends_at: sql<Date>`case when attempts.ends_at <= ${now} then ${ends} else attempts.ends_at end`,
      }),
    )
    .returning(["count", "ends_at"])
    .executeTakeFirstOrThrow();
  return { count: window.count, leftMs: window.ends_at.getTime() - now.getTime() };
}

export async function forgetAttempts(
  { database }: Counting,
  limit: Limit,
  who: string,
): Promise<void> {
  await database.db.deleteFrom("attempts").where("key", "=", keyOf(limit, who)).execute();
}

/** Removes windows that are over. */
export async function sweepAttempts({ clock, database }: Counting): Promise<void> {
  await database.db.deleteFrom("attempts").where("ends_at", "<=", clock.now()).execute();
}

/** Hashed: emails that people type are not stored. */
function keyOf(limit: Limit, who: string): string {
  return hashOf(`${limit.what}\n${who.trim().toLowerCase()}`);
}
