import { sql } from "kysely";
import pg from "pg";
import type { Db } from "../../db/database.ts";

const CHANNEL = "stipple_work";
const RECONNECT_MS = 5_000;

/** Wakes the workers when the transaction commits: there is something in the queue. */
export async function ring(transaction: Db): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, '')`.execute(transaction);
}

/**
 * Calls `onRing` whenever someone rings, and after each reconnection, since rings may have been missed. Behind a
 * transaction pooler nothing is heard; workers then rely on polling the queue.
 */
export function listen(databaseUrl: string, onRing: () => void): { stop(): Promise<void> } {
  let client: pg.Client | undefined;
  let again: NodeJS.Timeout | undefined;
  let isStopped = false;

  const connect = (): void => {
    if (isStopped) return;
    const fresh = new pg.Client({
      connectionString: databaseUrl,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    client = fresh;
    const lost = (): void => {
      if (client !== fresh) return;
      client = undefined;
      fresh.end().catch(() => undefined);
      if (!isStopped) again = setTimeout(connect, RECONNECT_MS);
    };
    fresh.on("error", lost);
    fresh.on("end", lost);
    fresh.on("notification", onRing);
    fresh
      .connect()
      .then(() => fresh.query(`listen ${CHANNEL}`))
      .then(onRing, lost);
  };
  connect();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(again);
      const last = client;
      client = undefined;
      await last?.end().catch(() => undefined);
    },
  };
}
