import type { Clock } from "../clock.ts";
import type { Db } from "../db/database.ts";

/** How often a worker says that it lives, and after how long it counts as gone. */
export const HEARTBEAT_MS = 2_000;
const GONE_MS = 15_000;

/** The workers that are alive, by the slots they hold. */
export interface Workers {
  beat(slot: string, startedAt: Date): Promise<void>;
  /** Says goodbye: the slot counts as gone at once. */
  leave(slot: string): Promise<void>;
  /** Forgets a slot that is gone and has no runs left. */
  forget(slot: string): Promise<void>;
  /** How many are alive. Each runs one workflow at a time. */
  live(query?: Db): Promise<number>;
  isLive(slot: string | null): Promise<boolean>;
  /** Slots that were seen once but are gone. */
  gone(): Promise<string[]>;
}

export function openWorkers(db: Db, clock: Clock): Workers {
  const horizon = (): Date => new Date(clock.now().getTime() - GONE_MS);
  return {
    async beat(slot, startedAt) {
      const values = { started_at: startedAt, seen_at: clock.now() };
      await db
        .insertInto("workers")
        .values({ slot, ...values })
        .onConflict((conflict) => conflict.column("slot").doUpdateSet(values))
        .execute();
    },
    async leave(slot) {
      await db
        .updateTable("workers")
        .set({ seen_at: new Date(0) })
        .where("slot", "=", slot)
        .execute();
    },
    async forget(slot) {
      await db.deleteFrom("workers").where("slot", "=", slot).execute();
    },
    async live(query = db) {
      const { count } = await query
        .selectFrom("workers")
        .select((select) => select.fn.countAll<string>().as("count"))
        .where("seen_at", ">", horizon())
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async isLive(slot) {
      if (slot === null) return false;
      const row = await db
        .selectFrom("workers")
        .select("slot")
        .where("slot", "=", slot)
        .where("seen_at", ">", horizon())
        .executeTakeFirst();
      return row !== undefined;
    },
    async gone() {
      const rows = await db
        .selectFrom("workers")
        .select("slot")
        .where("seen_at", "<=", horizon())
        .execute();
      return rows.map((row) => row.slot);
    },
  };
}
