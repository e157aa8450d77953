import { DBOS } from "@dbos-inc/dbos-sdk";
import { Migrator } from "kysely/migration";
import pg from "pg";
import { openDatabase } from "./database.ts";
import { migrations } from "./migrations/index.ts";

/** Arbitrary, but the same in every process of the product. */
const MIGRATION_LOCK = 7_203_114;

/** Brings the database to the newest schema. Any number of processes may call it at once: one works, the others wait. */
export async function migrate(databaseUrl: string): Promise<void> {
  const guard = new pg.Client({ connectionString: databaseUrl });
  await guard.connect();
  try {
    await guard.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await using database = openDatabase(databaseUrl);
    const migrator = new Migrator({
      db: database.db,
      provider: { getMigrations: () => Promise.resolve(migrations) },
    });
    const { error } = await migrator.migrateToLatest();
    if (error) throw error instanceof Error ? error : new Error(String(error));
    await DBOS.migrate(databaseUrl);
  } finally {
    await guard.end();
  }
}
