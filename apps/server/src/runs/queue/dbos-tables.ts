import { sql, type RawBuilder } from "kysely";
import type { Db } from "../../db/database.ts";
import { RUN_QUEUES } from "./queue.ts";

/**
 * The only queries on tables of DBOS, for what its interface does not offer: looking at them in a transaction of ours.
 * Whenever DBOS gives a run to a worker, it writes a new token into the run's row (`owner_xid`), and clears it when the
 * run is put back into the queue, canceled, or done.
 */

/** Whether a run waits in the queues or was taken by this worker. */
export async function hasWork(db: Db, workerId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from dbos.workflow_status
    where queue_name in (${sql.join(RUN_QUEUES)})
      and (status = 'ENQUEUED' or (status = 'PENDING' and executor_id = ${workerId}))
    limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * Those to whom DBOS has given a run, although they are no longer among the workers: one may be killed, or evicted, at the
 * very moment in which it takes a run.
 */
export async function unknownHolders(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct executor_id as id from dbos.workflow_status
    where queue_name in (${sql.join(RUN_QUEUES)}) and status = 'PENDING'
      and not exists (select from workers where workers.id = executor_id)`.execute(db);
  return rows.map(({ id }) => id);
}

/** The token under which DBOS has given a run to somebody; null if it has not. */
export async function tokenOf(db: Db, runId: string): Promise<string | null> {
  const { rows } = await sql<{ token: string | null }>`
    select owner_xid as token from dbos.workflow_status
    where workflow_uuid = ${runId} and status = 'PENDING'`.execute(db);
  return rows[0]?.token ?? null;
}

/** Whether a run's token is still this one. Until the transaction ends, DBOS can give the run to nobody else. */
export async function lockToken(
  transaction: Db,
  { runId, token }: { runId: string; token: string },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from dbos.workflow_status
    where workflow_uuid = ${runId} and owner_xid = ${token}
    for no key update`.execute(transaction);
  return rows.length > 0;
}

/** The same as a condition on a row of `runs`, for writes that do no harm if the run is given away meanwhile. */
export function hasToken(token: string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from dbos.workflow_status where workflow_uuid = runs.id::text and owner_xid = ${token})`;
}
