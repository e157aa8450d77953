import { DBOS } from "@dbos-inc/dbos-sdk";
import { Migrator } from "kysely/migration";
import pg from "pg";
import { StartRefused } from "../start.ts";
import {
  assertReachable,
  assertSameSecret,
  assertSchema,
  newerThanUs,
  placeOf,
} from "./check-database.ts";
import { openDatabase } from "./database.ts";
import { migrations } from "./migrations/index.ts";

/** Arbitrary, but the same in every process of the product. */
const MIGRATION_LOCK = 7_203_114;

/** Makes sure that a process may work on its database, and migrates it first when asked to. Throws StartRefused. */
export async function prepareDatabase(
  config: { databaseUrl: string; jwtSecret: Uint8Array },
  options: { migrates: boolean },
): Promise<void> {
  await assertReachable(config.databaseUrl);
  if (options.migrates) await migrate(config.databaseUrl);
  else await assertSchema(config.databaseUrl);
  await assertSameSecret(config.databaseUrl, config.jwtSecret);
}

/**
 * Migrates the database to the newest schema. Any number of processes may call it at once: one works, the others wait.
 * Throws StartRefused if the schema is newer than this version, or if the account may not change it. `upTo` stops after
 * that migration: a backup of an older version is loaded into the tables it was made from.
 */
export async function migrate(databaseUrl: string, upTo?: string): Promise<void> {
  const guard = new pg.Client({ connectionString: databaseUrl });
  await guard.connect();
  try {
    // Held by the transaction: a transaction pooler in between may give each statement another session.
    await guard.query("begin");
    // Without parameters: until the next query, one with parameters keeps a snapshot, for the end of which an index that
    // is built concurrently waits.
    await guard.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await using database = openDatabase(databaseUrl);
    const migrator = new Migrator({
      db: database.db,
      provider: { getMigrations: () => Promise.resolve(migrations) },
    });
    const done = await migrator.getMigrations();
    const known = Object.keys(migrations);
    if (done.some((migration) => migration.executedAt)) {
      const { rows } = await guard.query<{ name: string }>(
        "select name from kysely_migration order by name",
      );
      const newer = rows.filter(({ name }) => !known.includes(name)).at(-1);
      if (newer) throw new StartRefused(newerThanUs(placeOf(databaseUrl), newer.name));
    }
    const { error } = await (upTo === undefined
      ? migrator.migrateToLatest()
      : migrator.migrateTo(upTo));
    if (error) throw error instanceof Error ? error : new Error(String(error));
    await migrateQueue(databaseUrl);
  } catch (error) {
    if ((error as { code?: string }).code !== "42501") throw error;
    throw new StartRefused(
      `The account in DATABASE_URL may not create or change tables in the database ${placeOf(databaseUrl)}: run "stipple migrate" with an account that may, and set STIPPLE_MIGRATE=false here.`,
      { cause: error },
    );
  } finally {
    await guard.end();
  }
}

const print = console.log;
let migrating = 0;

/** Creates the queue's tables, suppressing the line that its library prints because it accepts no logger here. */
async function migrateQueue(databaseUrl: string): Promise<void> {
  if (migrating++ === 0) {
    console.log = (...words: unknown[]) => {
      if (!String(words[0]).startsWith("Running DBOS")) print(...words);
    };
  }
  try {
    await DBOS.migrate(databaseUrl);
  } finally {
    if (--migrating === 0) console.log = print;
  }
}
