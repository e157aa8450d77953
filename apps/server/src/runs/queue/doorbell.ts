import { sql } from "kysely";
import pg from "pg";
import type { Db } from "../../db/database.ts";

const CHANNEL = "stipple_work";
const RECONNECT_MS = 5_000;

/** Wakes the workers when the transaction commits: there is something in the queue. */
export async function ring(transaction: Db): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, '')`.execute(transaction);
}

/** A worker's ear for the bell. */
export interface Doorbell {
  /**
   * Waits until somebody rings, at most `ms`; returns at once if somebody has since the last time, or after a
   * reconnection, since rings may have been missed. Behind a transaction pooler nothing is heard.
   */
  rungOr(ms: number): Promise<void>;
  /** Ends the current wait and all later ones. */
  stop(): Promise<void>;
}

export function openDoorbell(databaseUrl: string): Doorbell {
  let client: pg.Client | undefined;
  let again: NodeJS.Timeout | undefined;
  let isStopped = false;
  let hasRung = true;
  let wake: () => void = () => undefined;

  const onRing = (): void => {
    hasRung = true;
    wake();
  };
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
    async rungOr(ms) {
      if (!hasRung && !isStopped) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      hasRung = false;
    },
    async stop() {
      isStopped = true;
      wake();
      clearTimeout(again);
      const last = client;
      client = undefined;
      await last?.end().catch(() => undefined);
    },
  };
}
