import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { openQueryWatchdog, type QueryWatchdog } from "./query-watchdog.ts";
import type { Schema } from "./schema.ts";

export type Db = Kysely<Schema>;

export interface Database extends AsyncDisposable {
  db: Db;
  /**
   * Runs `work` in one transaction. `client` is its connection, for libraries that write through pg themselves (the
   * durable queue), so that their rows commit or roll back together with ours. On a deadlock, PostgreSQL aborts one of
   * the transactions and `work` runs again, so it must change nothing but the database.
   */
  transaction<T>(work: (db: Db, client: pg.PoolClient) => Promise<T>): Promise<T>;
  /** Current state of the pool: open connections, idle ones, and requests waiting for one. */
  connections(): { open: number; idle: number; waiting: number; most: number };
}

/** How long a request waits for a connection before the database counts as unavailable. */
const TIMEOUT_MS = 5_000;

/** How often a transaction is retried after a deadlock. */
const MAX_TRIES = 5;

export function openDatabase(databaseUrl: string, connections = 2): Database {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: connections,
    connectionTimeoutMillis: TIMEOUT_MS,
    // Both sides notice that a machine has vanished well before the system's two hours.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  const watchdog = openQueryWatchdog(databaseUrl);
  // An idle connection that breaks (a restarted server) is replaced on next use.
  pool.on("error", () => undefined);
  const connect = (): Promise<pg.PoolClient> =>
    pool.connect().then(
      (client) => guard(client, watchdog),
      (error: unknown) => Promise.reject(orAway(error) as Error),
    );
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({
      pool: { connect, end: () => pool.end(), options: pool.options },
    }),
  });
  async function attempt<T>(work: (db: Db, client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await connect();
    try {
      await client.query("begin");
      const result = await work(boundTo(client), client);
      await client.query("commit");
      client.release();
      return result;
    } catch (error) {
      await client.query("rollback").then(
        () => client.release(),
        (broken: Error) => client.release(broken),
      );
      throw error;
    }
  }

  return {
    db,
    async transaction(work) {
      for (let tried = 1; ; tried++) {
        try {
          return await attempt(work);
        } catch (error) {
          if (tried === MAX_TRIES || !isDeadlock(error)) throw error;
          await sleep(20 * tried * Math.random());
        }
      }
    },
    connections: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      most: connections,
    }),
    async [Symbol.asyncDispose]() {
      await db.destroy();
    },
  };
}

/** A query builder whose every query goes through one connection. */
function boundTo(client: pg.PoolClient): Db {
  const lent = {
    query: client.query.bind(client),
    release: () => undefined,
  } as unknown as pg.PoolClient;
  return new Kysely<Schema>({
    dialect: new PostgresDialect({
      pool: { connect: () => Promise.resolve(lent), end: () => Promise.resolve(), options: {} },
    }),
  });
}

/** The database cannot be reached for now: trying again later makes sense. */
export class DatabaseAwayError extends Error {
  override readonly name = "DatabaseAwayError";
}

/** Runs `work`, and retries it as long as it fails because the database is unavailable. */
export async function untilDatabaseAnswers<T>(work: () => Promise<T>): Promise<T> {
  for (let pauseMs = 250; ; pauseMs = Math.min(5_000, pauseMs * 2)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DatabaseAwayError)) throw error;
      await sleep(pauseMs);
    }
  }
}

/**
 * PostgreSQL is stopping, has crashed, or is starting; is read-only, as during a failover; has no connection, disk
 * space, or memory left; or the connection is broken.
 */
const AWAY =
  /^(57P0[123]|25006|53\d{3}|08\w{3}|E(CONN|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)\w*)$/;
const LINE_BROKEN =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Whether an error from a PostgreSQL connection means that the database is unavailable. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? LINE_BROKEN.test(error.message) : AWAY.test(code);
}

function orAway(error: unknown): unknown {
  return isDatabaseAway(error)
    ? new DatabaseAwayError(`The database cannot be reached: ${(error as Error).message}`, {
        cause: error,
      })
    : error;
}

const guarded = new WeakSet<pg.PoolClient>();

/** Makes a connection's promises reject with DatabaseAwayError if the database is unavailable, or stops answering. */
function guard(client: pg.PoolClient, watchdog: QueryWatchdog): pg.PoolClient {
  if (guarded.has(client)) return client;
  guarded.add(client);
  // If a lent connection breaks between two queries, the next query fails; an unhandled error event would end the
  // process.
  client.on("error", () => undefined);
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  client.query = ((...given: unknown[]) => {
    const answer = query(...given);
    return answer instanceof Promise
      ? watchdog
          .watch(client, answer)
          .catch((error: unknown) => Promise.reject(orAway(error) as Error))
      : answer;
  }) as typeof client.query;
  return client;
}

/** Whether PostgreSQL aborted a transaction because of a deadlock. */
function isDeadlock(error: unknown): boolean {
  return (error as { code?: string }).code === "40P01";
}

/** Whether an error is a violation of the unique index `name`. */
export function isUniqueViolation(error: unknown, name: string): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === "23505" && constraint === name;
}

/** Refusals by the foreign key that finds nothing: a section of a study is a project. */
const MISSING = [
  [/_(project_id|first|second)_fkey$/, "project_not_found"],
  [/_study_id_fkey$/, "study_not_found"],
  [/_user_id_fkey$/, "session_expired"],
] as const;

/** The refusal for a row whose project, study, or user was just deleted; undefined for all other errors. */
export function missingParent(error: unknown): (typeof MISSING)[number][1] | undefined {
  const { code, constraint = "" } = error as { code?: string; constraint?: string };
  if (code !== "23503") return undefined;
  return MISSING.find(([key]) => key.test(constraint))?.[1];
}
