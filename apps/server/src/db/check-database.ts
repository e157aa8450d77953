import { createHmac } from "node:crypto";
import { sql } from "kysely";
import pg from "pg";
import { StartRefused } from "../start.ts";
import { openDatabase, isDatabaseAway } from "./database.ts";
import { migrations } from "./migrations/index.ts";

/** Where a database is, without account and password. */
export function placeOf(databaseUrl: string): string {
  const { hostname, port, pathname } = new URL(databaseUrl);
  return `${pathname.slice(1) || "postgres"} at ${hostname || "localhost"}:${port || 5432}`;
}

/** Tests one connection. Throws StartRefused with the reason. */
export async function assertReachable(databaseUrl: string): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 10_000,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("select 1");
  } catch (error) {
    throw new StartRefused(unreachable(databaseUrl, error), {
      cause: error,
      isTemporary: isDatabaseAway(error),
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}

function unreachable(databaseUrl: string, error: unknown): string {
  const place = placeOf(databaseUrl);
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "28P01" || code === "28000") {
    return `The database ${place} refuses the account in DATABASE_URL: check its name and password.`;
  }
  if (code === "3D000") {
    return `There is no database ${place}: create it, or correct DATABASE_URL.`;
  }
  return isDatabaseAway(error)
    ? `The database ${place} cannot be reached (${code ?? message}): check DATABASE_URL and that PostgreSQL is running there.`
    : `The database ${place} cannot be used: ${message}`;
}

/** Throws StartRefused unless the database has exactly the schema that this version of the product works with. */
export async function assertSchema(databaseUrl: string): Promise<void> {
  await using database = openDatabase(databaseUrl, 1);
  const { rows } = await sql<{ name: string | null }>`
    select to_regclass('kysely_migration')::text as name`.execute(database.db);
  const place = placeOf(databaseUrl);
  if (rows[0]?.name == null) {
    throw new StartRefused(
      `The database ${place} has no Stipple tables yet: start the API first, which creates them, or run "stipple migrate" with an account that has permission.`,
    );
  }
  const { rows: done } = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(database.db);
  const known = Object.keys(migrations);
  const newer = done.filter(({ name }) => !known.includes(name)).at(-1);
  if (newer) throw new StartRefused(newerThanUs(place, newer.name));
  const missing = known.filter((name) => !done.some((row) => row.name === name));
  if (missing.length > 0) {
    throw new StartRefused(
      `The database ${place} is from an older version (${missing.join(", ")} missing): start this version's API first, which updates it, or run "stipple migrate" with an account that has permission.`,
    );
  }
}

export function newerThanUs(place: string, migration: string): string {
  return `The database ${place} is from a newer version of Stipple (${migration}) than this one: update Stipple on this machine.`;
}

/** Tells whether two processes have the same secret, without telling it. */
export function fingerprintOf(secret: Uint8Array): string {
  return createHmac("sha256", secret).update("fingerprint").digest("hex");
}

/**
 * Records the secret's fingerprint on first use. Throws StartRefused if the database has another one: each process
 * would refuse sessions and links signed by the other.
 */
export async function assertSameSecret(databaseUrl: string, secret: Uint8Array): Promise<void> {
  const fingerprint = fingerprintOf(secret);
  await using database = openDatabase(databaseUrl, 1);
  await database.db
    .insertInto("installation")
    .values({ secret_fingerprint: fingerprint })
    .onConflict((conflict) => conflict.column("singleton").doNothing())
    .execute();
  const known = await database.db
    .selectFrom("installation")
    .select("secret_fingerprint")
    .executeTakeFirstOrThrow();
  if (known.secret_fingerprint !== fingerprint) {
    throw new StartRefused(
      `This process's secret differs from the one the database ${placeOf(databaseUrl)} was first used with: set STIPPLE_SECRET to the same value everywhere (a generated one is in the file jwt-secret in its data folder).`,
    );
  }
}
