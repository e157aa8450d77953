import { sql } from "kysely";
import type { Clock } from "../clock.ts";
import type { Db } from "../db/database.ts";

/**
 * Time as plans, trials, and storage see it. With a real provider, it is the real time. The payment sandbox's clock can
 * be moved ahead; everything counted from payments must move with it, or paid periods would be in the future. Sessions
 * and limits use the real clock.
 */
export interface BillingClock {
  /** Within a transaction, pass its `query`: waiting for a second connection can deadlock. */
  now(query?: Db): Promise<Date>;
  /** `now` for an account that was loaded together with the sandbox's clock; makes no query. */
  nowWith(aheadMs: number): Date;
  /** The time up to which projects may be deleted: behind `now` until the operator confirms a moved clock. */
  deletesUntil(): Promise<Date>;
  /** Records how far the sandbox's clock is ahead, and how far deletions follow. Neither goes back. */
  moved(aheadMs: number, deletesAheadMs: number): Promise<void>;
}

export function openBillingClock(db: Db, clock: Clock, followsSandbox: boolean): BillingClock {
  const ahead = async (query: Db): Promise<{ now: number; deletes: number }> => {
    if (!followsSandbox) return { now: 0, deletes: 0 };
    const row = await query
      .selectFrom("provider_clock")
      .select(["ahead_ms", "deletes_ahead_ms"])
      .executeTakeFirst();
    return { now: Number(row?.ahead_ms ?? 0), deletes: Number(row?.deletes_ahead_ms ?? 0) };
  };
  const later = (ms: number): Date => new Date(clock.now().getTime() + ms);
  return {
    now: async (query = db) => later((await ahead(query)).now),
    nowWith: (aheadMs) => later(followsSandbox ? aheadMs : 0),
    deletesUntil: async () => later((await ahead(db)).deletes),
    async moved(aheadMs, deletesAheadMs) {
      if (!followsSandbox) return;
      await db
        .insertInto("provider_clock")
        .values({ ahead_ms: aheadMs, deletes_ahead_ms: deletesAheadMs })
        .onConflict((conflict) =>
          conflict.column("singleton").doUpdateSet({
            ahead_ms: sql<number>`greatest(provider_clock.ahead_ms, excluded.ahead_ms)`,
            deletes_ahead_ms: sql<number>`greatest(provider_clock.deletes_ahead_ms, excluded.deletes_ahead_ms)`,
          }),
        )
        .execute();
    },
  };
}
