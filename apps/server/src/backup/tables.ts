import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type { ClientBase } from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import type { Storage } from "../storage/storage.ts";
import { tableKey, type BackedUpTable, type BackupManifest } from "./contents.ts";
import { Hashing } from "../outputs/content.ts";

/** Ours, and the durable queue's. */
const SCHEMAS = ["public", "dbos"];
/** Tables written by the migrations themselves, or meaningless elsewhere. */
const LEFT_OUT = new Set([
  "public.kysely_migration",
  "public.kysely_migration_lock",
  "public.backup_holds",
  "public.download_holds",
  "dbos.dbos_migrations",
]);

type Table = Pick<BackedUpTable, "schema" | "name" | "columns">;

/** Every table with data, parents before the tables that refer to them. */
export async function tablesOf(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table & { id: string }>(
    `select c.oid::text as id, n.nspname as schema, c.relname as name,
       array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relkind = 'r' and n.nspname = any($1)
     group by c.oid, n.nspname, c.relname order by n.nspname, c.relname`,
    [SCHEMAS],
  );
  const { rows: references } = await client.query<{ child: string; parent: string }>(
    `select conrelid::text as child, confrelid::text as parent from pg_constraint
     where contype = 'f' and conrelid <> confrelid`,
  );
  let rest = rows.filter(({ schema, name }) => !LEFT_OUT.has(`${schema}.${name}`));
  const ordered: Table[] = [];
  while (rest.length > 0) {
    const waiting = new Set(rest.map(({ id }) => id));
    const isReady = ({ id }: { id: string }): boolean =>
      !references.some(({ child, parent }) => child === id && waiting.has(parent));
    const ready = rest.filter(isReady);
    if (ready.length === 0) throw new Error("Tables reference each other in a cycle");
    ordered.push(...ready.map(({ schema, name, columns }) => ({ schema, name, columns })));
    rest = rest.filter((table) => !ready.includes(table));
  }
  return ordered;
}

/** Writes a table's rows, as the client's transaction sees them. */
export async function dumpTable(
  client: ClientBase,
  place: Storage,
  backup: string,
  table: Table,
): Promise<BackedUpTable> {
  const rows = client.query(copyTo(`copy ${nameOf(table)} (${columnsOf(table)}) to stdout`));
  const hashing = new Hashing();
  const written = place.put(tableKey(backup, table), hashing);
  await Promise.all([pipeline(rows, createGzip({ level: 4 }), hashing), written]);
  return { ...table, rows: rows.rowCount ?? 0, sha256: hashing.sha256 };
}

/** Puts a backed up table's rows into the table of that name. */
export async function loadTable(
  client: ClientBase,
  place: Storage,
  backup: string,
  table: BackedUpTable,
): Promise<void> {
  await pipeline(
    await place.get(tableKey(backup, table)),
    createGunzip(),
    client.query(copyFrom(`copy ${nameOf(table)} (${columnsOf(table)}) from stdin`)),
  );
}

export async function sequencesOf(client: ClientBase): Promise<BackupManifest["sequences"]> {
  const { rows } = await client.query<BackupManifest["sequences"][number]>(
    `select schemaname as schema, sequencename as name, last_value::text as value
     from pg_sequences where schemaname = any($1) and last_value is not null order by 1, 2`,
    [SCHEMAS],
  );
  return rows;
}

export async function setSequence(
  client: ClientBase,
  sequence: BackupManifest["sequences"][number],
): Promise<void> {
  await client.query("select setval($1::text::regclass, $2::bigint)", [
    nameOf(sequence),
    sequence.value,
  ]);
}

/** Drops all of our tables and functions, so that a schema can be recreated. */
export async function dropTables(client: ClientBase): Promise<void> {
  await client.query("drop schema if exists dbos cascade");
  for (const kind of ["table", "sequence", "function"] as const) {
    const { rows } = await client.query<{ name: string }>(NAMES[kind]);
    for (const { name } of rows) await client.query(`drop ${kind} if exists ${name} cascade`);
  }
}

/** Objects that belong to extensions are excluded. */
const NAMES = {
  table: `select oid::regclass::text as name from pg_class where relkind = 'r' and ${own("pg_class", "relnamespace")}`,
  sequence: `select oid::regclass::text as name from pg_class where relkind = 'S' and ${own("pg_class", "relnamespace")}`,
  function: `select oid::regprocedure::text as name from pg_proc where ${own("pg_proc", "pronamespace")}`,
};

function own(catalog: string, namespace: string): string {
  return `${namespace} = 'public'::regnamespace and not exists (select 1 from pg_depend
    where classid = '${catalog}'::regclass and objid = ${catalog}.oid and deptype = 'e')`;
}

function nameOf({ schema, name }: { schema: string; name: string }): string {
  return `${quoted(schema)}.${quoted(name)}`;
}

function columnsOf({ columns }: Table): string {
  return columns.map(quoted).join(", ");
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
