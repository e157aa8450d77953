import { Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import type { Schema } from "./schema.ts";

export type Db = Kysely<Schema>;
/** A query builder inside or outside a transaction. */
export type DbOrTransaction = Db | Transaction<Schema>;

export interface Database extends AsyncDisposable {
  db: Db;
  /**
   * Runs `work` in one transaction. `client` is its connection, for libraries that write through pg themselves
   * (the durable queue), so that their rows commit or roll back together with ours.
   */
  transaction<T>(work: (db: Db, client: pg.PoolClient) => Promise<T>): Promise<T>;
}

export function openDatabase(databaseUrl: string): Database {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
  // An idle connection that breaks (a restarted server) is replaced on next use.
  pool.on("error", () => undefined);
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    async transaction(work) {
      const client = await pool.connect();
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
    },
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

/** Whether an error is a violation of the unique index `name`. */
export function isUniqueViolation(error: unknown, name: string): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === "23505" && constraint === name;
}

/**
 * The refusal for a row whose project or person was deleted at the very moment, as the foreign key says it; undefined
 * for every other error.
 */
export function missingParent(error: unknown): "project_not_found" | "session_expired" | undefined {
  const { code, constraint = "" } = error as { code?: string; constraint?: string };
  if (code !== "23503") return undefined;
  if (constraint.endsWith("_project_id_fkey")) return "project_not_found";
  return constraint.endsWith("_user_id_fkey") ? "session_expired" : undefined;
}
