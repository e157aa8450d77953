import type { Clock } from "../clock.ts";
import type { Db } from "../db/database.ts";

/**
 * Time as plans, trials and storage see it. With a real provider it is the clock's. The payment sandbox's clock can
 * be moved ahead; then everything that is counted from payments moves with it, or paid periods would lie in the
 * future. Sessions and limits stay on the real clock.
 */
export interface BillingClock {
  /** Inside a transaction give its `query`: one that waits for a second connection can wait for ever. */
  now(query?: Db): Promise<Date>;
  /** Takes the sandbox's word that its clock is this far ahead. It never goes back. */
  moved(aheadMs: number): Promise<void>;
}

export function openBillingClock(db: Db, clock: Clock, followsSandbox: boolean): BillingClock {
  return {
    async now(query = db) {
      if (!followsSandbox) return clock.now();
      const row = await query.selectFrom("provider_clock").select("ahead_ms").executeTakeFirst();
      return new Date(clock.now().getTime() + Number(row?.ahead_ms ?? 0));
    },
    async moved(aheadMs) {
      if (!followsSandbox) return;
      await db
        .insertInto("provider_clock")
        .values({ ahead_ms: aheadMs })
        .onConflict((conflict) =>
          conflict
            .column("singleton")
            .doUpdateSet({ ahead_ms: aheadMs })
            .where("provider_clock.ahead_ms", "<", String(aheadMs)),
        )
        .execute();
    },
  };
}
