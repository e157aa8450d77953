import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Logger } from "pino";
import type { Database, Db } from "../../db/database.ts";

/** How long a silent worker keeps its runs before another one takes them. */
export const LEASE_MS = 30_000;
/** How often it renews them. */
export const HEARTBEAT_MS = 5_000;
/** `LEASE_MS` from now, by the database's clock: machines' clocks differ. */
export const leaseEnd = sql<Date>`clock_timestamp() + make_interval(secs => ${sql.lit(LEASE_MS / 1000)})`;

/** A worker's hold on a run. */
export interface Lease {
  runId: string;
  /** `runs.lease` as this holder raised it. */
  token: number;
  /** Aborted when the run is canceled or deleted, or when another worker has taken it. */
  signal: AbortSignal;
}

/** The attempted write is about a run that has ended or that another worker has. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
  constructor(runId: string) {
    super(`The run ${runId} has ended or was taken over by another worker.`);
  }
}

/**
 * Throws LeaseLostError unless the run is in progress and nobody has taken it since. The run's row stays locked until
 * the transaction ends, so that nobody takes it in between.
 */
export async function assertHeld(
  transaction: Db,
  lease: Pick<Lease, "runId" | "token">,
): Promise<void> {
  const row = await transaction
    .selectFrom("runs")
    .select("id")
    .where("id", "=", lease.runId)
    .where("lease", "=", String(lease.token))
    .where("status", "=", "running")
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new LeaseLostError(lease.runId);
}

/** The runs that one worker has in hand. */
export interface Leases {
  /**
   * Takes a run, or its next step. Null if the run has ended, or if the queue has given it to another worker. Waits
   * until the workers of the user's earlier runs have released them.
   */
  take(runId: string): Promise<Lease | null>;
  /** Releases a run that has ended and has nothing left running in this worker. Keeps the lease of any other. */
  release(runId: string): Promise<void>;
  /** Extends all held leases and aborts lost ones. Returns the runs that another worker has taken. */
  extend(): Promise<string[]>;
}

export function openLeases(parts: {
  database: Database;
  workerId: string;
  logger: Logger;
}): Leases {
  const { database, workerId, logger } = parts;
  const held = new Map<string, { token: number; controller: AbortController }>();

  function lose(runId: string): void {
    held.get(runId)?.controller.abort(new LeaseLostError(runId));
    held.delete(runId);
  }

  /** Null when the run may not be taken; "later" while an earlier run of the person is being stopped. */
  function tryTake(runId: string): Promise<number | "later" | null> {
    return database.transaction(async (transaction) => {
      // Locked, so that the queue cannot give the run to another worker before we have raised its lease.
      const { rows: given } = await sql`
        select 1 from dbos.workflow_status
        where workflow_uuid = ${runId} and executor_id = ${workerId} and status = 'PENDING'
        for share`.execute(transaction);
      if (given.length === 0) return null;
      const run = await transaction
        .selectFrom("runs")
        .select("user_id")
        .where("id", "=", runId)
        .where("status", "in", ["pending", "running"])
        .forUpdate()
        .executeTakeFirst();
      if (!run) return null;
      const earlier = await transaction
        .selectFrom("runs")
        .select("id")
        .where("user_id", "=", run.user_id)
        .where("id", "!=", runId)
        .where("worker", "is not", null)
        .where("lease_until", ">", sql<Date>`clock_timestamp()`)
        .executeTakeFirst();
      if (earlier) return "later";
      const taken = await transaction
        .updateTable("runs")
        .set({ worker: workerId, lease: sql`lease + 1`, lease_until: leaseEnd })
        .where("id", "=", runId)
        .returning("lease")
        .executeTakeFirstOrThrow();
      return Number(taken.lease);
    });
  }

  return {
    async take(runId) {
      let token = await tryTake(runId);
      for (; token === "later"; token = await tryTake(runId)) await sleep(200);
      if (token === null) return null;
      lose(runId);
      const controller = new AbortController();
      held.set(runId, { token, controller });
      return { runId, token, signal: controller.signal };
    },

    async release(runId) {
      held.delete(runId);
      await database.db
        .updateTable("runs")
        .set({ worker: null, lease_until: null })
        .where("id", "=", runId)
        .where("worker", "=", workerId)
        .where("status", "not in", ["pending", "running"])
        .execute();
    },

    async extend() {
      const asked = new Map(held);
      if (asked.size === 0) return [];
      await database.db
        .updateTable("runs")
        .set({ lease_until: leaseEnd })
        .where("worker", "=", workerId)
        .where("status", "in", ["pending", "running"])
        .execute();
      const rows = await database.db
        .selectFrom("runs")
        .select(["id", "lease", "status", "worker"])
        .where("id", "in", [...asked.keys()])
        .execute();
      const taken: string[] = [];
      for (const [runId, lease] of asked) {
        const row = rows.find(({ id }) => id === runId);
        const isActive = row?.status === "running" || row?.status === "pending";
        if (held.get(runId) !== lease || (isActive && Number(row.lease) === lease.token)) continue;
        logger.warn({ runId }, "the run has ended or was taken over by another worker");
        lose(runId);
        if (isActive) taken.push(runId);
      }
      return taken;
    },
  };
}
