import { setTimeout as sleep } from "node:timers/promises";
import { assertStillOwnsWorkflow, DBOSWorkflowConflictError } from "@dbos-inc/dbos-sdk/datasource";
import { sql } from "kysely";
import type { Database, Db } from "../../db/database.ts";
import type { RunStatus } from "../../db/schema.ts";
import { lockToken, tokenOf } from "../queue/dbos-tables.ts";

/** A worker's hold on a run: the token under which DBOS has given the run to it, and which ends with the hold. */
export interface Hold {
  runId: string;
  token: string;
}

/** The attempted write is about a run that has ended or that another worker has. */
export class HoldLostError extends Error {
  override readonly name = "HoldLostError";
  constructor(runId: string) {
    super(`The run ${runId} has ended or was taken over by another worker.`);
  }
}

/**
 * Whether the run is in progress and in this hold. If so, both stay until the transaction ends: what it writes is never
 * the late write of a worker that has lost the run.
 */
export async function isHeld(transaction: Db, hold: Hold): Promise<boolean> {
  if (!(await lockToken(transaction, hold))) return false;
  const run = await transaction
    .selectFrom("runs")
    .select("id")
    .where("id", "=", hold.runId)
    .where("status", "=", "running")
    .forUpdate()
    .executeTakeFirst();
  return run !== undefined;
}

/** Throws HoldLostError unless the run is held. */
export async function assertHeld(transaction: Db, hold: Hold): Promise<void> {
  if (!(await isHeld(transaction, hold))) throw new HoldLostError(hold.runId);
}

/** The runs that one worker has in hand. */
export interface Holds {
  /**
   * Takes a run that DBOS has given to this worker; only inside its durable workflow, each time it begins. Null if the
   * run has been stopped. Waits until the workers of the person's earlier runs have released them.
   */
  take(runId: string): Promise<Hold | null>;
  /** Calls `onTaken` if a run that is no longer held here is still in progress. */
  lost(runId: string): Promise<void>;
  /** Releases a run that has ended and has nothing left running in this worker. */
  release(runId: string): Promise<void>;
}

/** `onTaken`: another worker has a run of this one, which therefore counts as dead. */
export function openHolds(parts: {
  database: Database;
  workerId: string;
  onTaken: (runId: string) => void;
}): Holds {
  const { database, workerId, onTaken } = parts;
  const { db } = database;

  /** Null when the run may not be taken; "later" while an earlier run of the person is being stopped. */
  function tryTake(hold: Hold): Promise<Hold | "later" | null> {
    return database.transaction(async (transaction) => {
      if (!(await lockToken(transaction, hold))) return null;
      // Completed: its last worker has published everything, and then vanished.
      const run = await runIn(transaction, hold.runId, [...ACTIVE, "completed"])
        .forUpdate()
        .executeTakeFirst();
      if (!run) return null;
      const earlier = await transaction
        .selectFrom("runs")
        .innerJoin("workers", "workers.id", "runs.worker")
        .select("runs.id")
        .where("runs.user_id", "=", run.user_id)
        .where("runs.id", "!=", hold.runId)
        .where("workers.alive_until", ">", sql<Date>`clock_timestamp()`)
        .executeTakeFirst();
      if (earlier) return "later";
      await transaction
        .updateTable("runs")
        .set({ worker: workerId })
        .where("id", "=", hold.runId)
        .execute();
      return hold;
    });
  }

  async function lost(runId: string): Promise<void> {
    if (await runIn(db, runId, ACTIVE).executeTakeFirst()) onTaken(runId);
  }

  return {
    lost,
    async take(runId) {
      const token = await tokenOf(db, runId);
      let taken: Hold | "later" | null = null;
      if (token !== null && (await isOwn(runId))) {
        taken = await tryTake({ runId, token });
        for (; taken === "later"; taken = await tryTake({ runId, token })) await sleep(200);
      }
      if (taken === null) await lost(runId);
      return taken;
    },
    async release(runId) {
      await db
        .updateTable("runs")
        .set({ worker: null })
        .where("id", "=", runId)
        .where("worker", "=", workerId)
        .where("status", "not in", ACTIVE)
        .execute();
    },
  };
}

const ACTIVE: readonly RunStatus[] = ["pending", "running"];

function runIn(db: Db, runId: string, statuses: readonly RunStatus[]) {
  return db
    .selectFrom("runs")
    .select("user_id")
    .where("id", "=", runId)
    .where("status", "in", statuses);
}

/** Whether the workflow that calls this is the one to which DBOS has given the run, so that the token read before is its. */
async function isOwn(runId: string): Promise<boolean> {
  try {
    await assertStillOwnsWorkflow(runId);
    return true;
  } catch (error) {
    if (error instanceof DBOSWorkflowConflictError) return false;
    throw error;
  }
}
