import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Clock } from "../clock.ts";
import type { Db } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";

/** Limits attempts per account in a fixed window. */
export interface Limit {
  /** Name of what is attempted. */
  what: string;
  max: number;
  windowMs: number;
}

/** Counts attempts in the database, so restarts and more API processes do not reset the count. */
export interface Attempts {
  /** Throws rate_limited, with the seconds to wait, when `max` tries are used up. Counts nothing. */
  check(limit: Limit, who: string): Promise<void>;
  /** Counts one try; returns how many there are in the running window, and how much of that is left. */
  count(limit: Limit, who: string): Promise<{ count: number; leftMs: number }>;
  /** Forgets the tries; in the caller's transaction when `query` is one. */
  clear(limit: Limit, who: string, query?: Db): Promise<void>;
  /** Removes windows that are over. */
  sweep(): Promise<void>;
}

export function openAttempts(db: Db, clock: Clock): Attempts {
  return {
    async check(limit, who) {
      const row = await db
        .selectFrom("attempts")
        .select(["count", "ends_at"])
        .where("key", "=", keyOf(limit, who))
        .executeTakeFirst();
      const leftMs = row ? row.ends_at.getTime() - clock.now().getTime() : 0;
      if (row && leftMs > 0 && row.count >= limit.max) {
        throw new ApiError("rate_limited", undefined, { retryAfter: Math.ceil(leftMs / 1000) });
      }
    },
    async count(limit, who) {
      const now = clock.now();
      const ends = new Date(now.getTime() + limit.windowMs);
      const window = await db
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
    },
    async clear(limit, who, query = db) {
      await query.deleteFrom("attempts").where("key", "=", keyOf(limit, who)).execute();
    },
    async sweep() {
      await db.deleteFrom("attempts").where("ends_at", "<=", clock.now()).execute();
    },
  };
}

/** Hashed: emails that people type are not stored. */
function keyOf(limit: Limit, who: string): string {
  return createHash("sha256").update(`${limit.what}\n${who.trim().toLowerCase()}`).digest("hex");
}
