import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Db } from "../src/db/database.ts";
import type { Hold } from "../src/runs/worker/holds.ts";

/** Gives a run to a worker as DBOS does, whoever had it before. Returns that worker's hold on it. */
export async function holdRun(db: Db, runId: string): Promise<Hold> {
  const token = randomUUID();
  await sql`
    insert into dbos.workflow_status (workflow_uuid, status, name, owner_xid)
    values (${runId}, 'PENDING', 'analyzeProject', ${token})
    on conflict (workflow_uuid) do update set status = 'PENDING', owner_xid = ${token}`.execute(db);
  await db.updateTable("runs").set({ status: "running" }).where("id", "=", runId).execute();
  return { runId, token };
}
