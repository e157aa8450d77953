import { sql } from "kysely";
import type { Config } from "../config.ts";
import { assertReachable, assertSchema, fingerprintOf, placeOf } from "../db/check-database.ts";
import { openDatabase, type Db } from "../db/database.ts";
import { countOf } from "../db/rows.ts";
import { StartRefused } from "../start.ts";
import { doubtful, well, wrong, type Finding } from "./finding.ts";

/** Clocks further apart than the first limit confuse limits and links; beyond the second, sessions too. */
const SKEW_DOUBTFUL_S = 2;
const SKEW_WRONG_S = 30;

/** Reachability, schema, secret, connections and clock. */
export async function databaseFindings(config: Config): Promise<Finding | Finding[]> {
  const { databaseUrl } = config;
  if (databaseUrl === "") {
    return doubtful(
      "database",
      "DATABASE_URL is not set, and no stipple serve is running here: start it, or set DATABASE_URL.",
    );
  }
  for (const check of [assertReachable, assertSchema]) {
    try {
      await check(databaseUrl);
    } catch (error) {
      if (!(error instanceof StartRefused)) throw error;
      return wrong("database", error.message);
    }
  }
  await using database = openDatabase(databaseUrl, 1);
  const { db } = database;
  return [
    well("database", `${placeOf(databaseUrl)} has this version's schema`),
    await secret(db, config),
    await connections(db, config),
    await clock(db),
    await workers(db),
  ];
}

async function secret(db: Db, { jwtSecret }: Config): Promise<Finding> {
  const what = "secret";
  const row = await db.selectFrom("installation").select("secret_fingerprint").executeTakeFirst();
  return row && row.secret_fingerprint !== fingerprintOf(jwtSecret)
    ? wrong(
        what,
        "this machine's secret differs from the one the database was first used with: set STIPPLE_SECRET to the same value everywhere",
      )
    : well(what, "matches the database");
}

async function connections(db: Db, config: Config): Promise<Finding> {
  const { rows } = await sql<{ most: number; reserved: number; used: number; api: number }>`
    select current_setting('max_connections')::int as most,
      current_setting('superuser_reserved_connections')::int as reserved,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used`.execute(
    db,
  );
  const { most = 0, reserved = 0, used = 0 } = rows[0] ?? {};
  const { api, worker } = config.connections;
  const figures = `${most} allowed, ${reserved} reserved, ${used} in use; an API process takes up to ${api}, a worker up to ${worker}`;
  return api + worker > most - reserved
    ? wrong(
        "connections",
        `${figures}: raise PostgreSQL's max_connections, or lower STIPPLE_API_CONNECTIONS`,
      )
    : well("connections", figures);
}

async function clock(db: Db): Promise<Finding> {
  const before = Date.now();
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const here = (before + Date.now()) / 2;
  const apart = Math.abs((rows[0]?.now.getTime() ?? here) - here) / 1000;
  const says = `differs from the database's by ${apart.toFixed(1)} s`;
  if (apart < SKEW_DOUBTFUL_S) return well("clock", says);
  const state = apart < SKEW_WRONG_S ? doubtful : wrong;
  return state("clock", `${says}: sync both machines with a time server`);
}

async function workers(db: Db): Promise<Finding> {
  const alive = db.selectFrom("workers").where("alive_until", ">", sql<Date>`clock_timestamp()`);
  const count = await countOf(alive);
  return count > 0
    ? well("workers", `${count} alive`)
    : doubtful("workers", "none is running: start stipple worker, or nothing will be analyzed");
}
