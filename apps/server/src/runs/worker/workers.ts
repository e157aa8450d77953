import { sql } from "kysely";
import type { Database, Db } from "../../db/database.ts";
import { countOf } from "../../db/rows.ts";
import { isAlive, machineName } from "../../machine.ts";
import { unknownHolders } from "../queue/dbos-tables.ts";

/** How long a silent worker keeps its runs before another one takes them. */
export const LEASE_MS = 30_000;
/** How often it reports. */
export const HEARTBEAT_MS = 5_000;
/** `LEASE_MS` from now, by the database's clock: machines' clocks differ. */
const leaseEnd = sql<Date>`clock_timestamp() + make_interval(secs => ${sql.lit(LEASE_MS / 1000)})`;

/** In the row of a evicted worker that has a run nevertheless, and must be evicted again. */
const EVICTED = sql<Date>`'-infinity'::timestamptz`;

/**
 * The worker processes that are alive, on whatever machine, which DBOS does not know: it gives a run to one of them, and
 * does not notice when its machine vanishes.
 */
export interface Workers {
  /** Signs this process's worker on. */
  join(id: string): Promise<void>;
  /** Reports that it is alive. False if it was silent for so long that another worker has evicted it. */
  beat(id: string): Promise<boolean>;
  /** Signs off: it counts as gone immediately. */
  leave(id: string): Promise<void>;
  /** How many are alive. */
  live(query?: Db): Promise<number>;
  /**
   * Calls `evict` for every dead worker, and removes it. If two processes look at the same time, only one of them evicts
   * it. A worker is dead if it has been silent for the duration of a lease, or if its process on this machine has
   * ended.
   */
  evictDead(self: string, evict: (id: string) => Promise<void>): Promise<void>;
}

export function openWorkers(database: Database): Workers {
  const { db } = database;
  const machine = machineName();
  return {
    async join(id) {
      await db
        .insertInto("workers")
        .values({ id, machine, pid: process.pid, alive_until: leaseEnd })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ alive_until: leaseEnd }))
        .execute();
    },
    async beat(id) {
      const row = await db
        .updateTable("workers")
        .set({ alive_until: leaseEnd })
        .where("id", "=", id)
        .where("alive_until", ">", EVICTED)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },
    async leave(id) {
      await db
        .updateTable("workers")
        .set({ alive_until: sql<Date>`clock_timestamp()` })
        .where("id", "=", id)
        .execute();
    },
    live: (query = db) =>
      countOf(query.selectFrom("workers").where("alive_until", ">", sql<Date>`clock_timestamp()`)),
    async evictDead(self, evict) {
      const unknown = await unknownHolders(db);
      if (unknown.length > 0) {
        await db
          .insertInto("workers")
          .values(unknown.map((id) => ({ id, machine: "", pid: 0, alive_until: EVICTED })))
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
      // While the database was down, no worker could report. After it starts, all have the duration of a lease to do
      // so.
      const silent = sql<boolean>`alive_until = ${EVICTED} or alive_until < clock_timestamp()
        and pg_postmaster_start_time() < clock_timestamp() - make_interval(secs => ${sql.lit(LEASE_MS / 1000)})`;
      const { rows } = await sql<{ id: string; machine: string; pid: number; silent: boolean }>`
        select id, machine, pid, ${silent} as silent from workers where id <> ${self}`.execute(db);
      for (const { id } of rows.filter(
        (row) => row.silent || (row.machine === machine && !isAlive(row.pid)),
      )) {
        await database.transaction(async (transaction) => {
          const locked = await transaction
            .selectFrom("workers")
            .select("id")
            .where("id", "=", id)
            .forUpdate()
            .skipLocked()
            .executeTakeFirst();
          if (!locked) return;
          await evict(id);
          await transaction
            .updateTable("runs")
            .set({ worker: null })
            .where("worker", "=", id)
            .execute();
          await transaction.deleteFrom("workers").where("id", "=", id).execute();
        });
      }
    },
  };
}
