import pg from "pg";
import { assertReachable, fingerprintOf, placeOf } from "../db/check-database.ts";
import { migrate } from "../db/migrate.ts";
import { migrations } from "../db/migrations/index.ts";
import { assertContent, ContentError, copyChecked } from "../outputs/content.ts";
import { inParallel } from "../storage/in-parallel.ts";
import { referenceFiles } from "../references/references.ts";
import { MissingObjectError, type Storage } from "../storage/storage.ts";
import { BackupError, fileKey, type BackupManifest } from "./contents.ts";
import { readObjectList } from "./object-list.ts";
import { dropTables, loadTable, setSequence } from "./tables.ts";
import { verifyTables } from "./verify.ts";

const COPIES_AT_ONCE = 4;

export interface RestoreOptions {
  /** Replace what the instance holds. */
  force?: boolean;
  /** Proceed even though the instance's signing secret differs from the backup's. */
  newSecret?: boolean;
}

/**
 * Restores an instance that is not running from a backup: objects first, each checked; then the database, in the schema
 * of the backup's version, which is then migrated to the current one. Throws a BackupError before changing anything if
 * it cannot. An interrupted restore can be repeated: objects already there are not copied again.
 */
export async function restore(
  instance: { databaseUrl: string; storage: Storage; jwtSecret: Uint8Array },
  place: Storage,
  { name, manifest }: { name: string; manifest: BackupManifest },
  options: RestoreOptions = {},
): Promise<{ copied: { objects: number; bytes: number } }> {
  const { databaseUrl, storage, jwtSecret } = instance;
  if (!(manifest.migration in migrations)) {
    throw new BackupError(
      `The backup ${name} is from a newer version of Stipple (${manifest.version}, ${manifest.migration}) than this one: update Stipple first.`,
    );
  }
  const isOurSecret = [null, fingerprintOf(jwtSecret)].includes(manifest.secretFingerprint);
  if (!isOurSecret && !options.newSecret) {
    throw new BackupError(
      `The backup ${name} was made with a different secret: set STIPPLE_SECRET to that value (a generated one is in the file jwt-secret in the old data folder), or restore with --new-secret, which ends all sessions, share links, authenticator apps, and recovery codes.`,
    );
  }
  await assertReachable(databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await assertUnused(client, databaseUrl);
    const before = await keysBefore(client);
    if (before.isInUse && !options.force) {
      throw new BackupError(
        `The database ${placeOf(databaseUrl)} is not empty: restore into a new instance, or use --force to replace everything in it.`,
      );
    }
    const wrong = await verifyTables(place, name, manifest);
    if (wrong.length > 0) throw new BackupError(`The backup ${name} is damaged: ${wrong[0]}.`);
    const { copied, keys } = await bringObjects(storage, place, name);
    const brought = new Set(keys);
    for await (const { key } of referenceFiles(storage))
      if (!brought.has(key)) before.keys.push(key);

    await dropTables(client);
    await migrate(databaseUrl, manifest.migration);
    await client.query("begin");
    // Empties the tables: the backup contains the rows that migrations have written. The cascade also empties tables
    // that are not in the backup but refer to these.
    const all = manifest.tables.map((table) => `"${table.schema}"."${table.name}"`);
    await client.query(`truncate ${all.join(", ")} cascade`);
    for (const table of manifest.tables) await loadTable(client, place, name, table);
    for (const sequence of manifest.sequences) await setSequence(client, sequence);
    await settle(client);
    await client.query("commit");
    await migrate(databaseUrl);
    await noteWhatIsThere(client, keys);
    if (!isOurSecret) await forgetSecret(client);
    await client.query(
      `insert into doomed_objects (storage_key, due_at)
       select key, now() from unnest($1::text[]) as key
       where not exists (select 1 from objects where storage_key = key)
       on conflict do nothing`,
      [before.keys],
    );
    return { copied };
  } finally {
    await client.end();
  }
}

/** Throws if other Stipple processes are using the database. */
async function assertUnused(client: pg.Client, databaseUrl: string): Promise<void> {
  const { rowCount } = await client.query(
    `select 1 from pg_stat_activity
     where datname = current_database() and usename = current_user and backend_type = 'client backend'
       and pid <> pg_backend_pid()`,
  );
  if (!rowCount) return;
  throw new BackupError(
    `The database ${placeOf(databaseUrl)} is in use by ${rowCount} connection${rowCount === 1 ? "" : "s"}: stop every API and worker first.`,
  );
}

/** What the instance holds before: keys of its objects, and whether anyone has used it. */
async function keysBefore(client: pg.Client): Promise<{ isInUse: boolean; keys: string[] }> {
  const has = async (table: string): Promise<boolean> => {
    const { rows } = await client.query<{ name: string | null }>(
      "select to_regclass($1)::text as name",
      [table],
    );
    return rows[0]?.name != null;
  };
  let isInUse = false;
  for (const table of ["users", "payments", "provider_events"]) {
    if (!(await has(table))) continue;
    isInUse ||= ((await client.query(`select 1 from ${table} limit 1`)).rowCount ?? 0) > 0;
  }
  const keys: string[] = [];
  for (const table of ["objects", "doomed_objects"]) {
    if (!(await has(table))) continue;
    const { rows } = await client.query<{ storage_key: string }>(
      `select storage_key from ${table}`,
    );
    keys.push(...rows.map(({ storage_key: key }) => key));
  }
  return { isInUse: isInUse || keys.length > 0, keys };
}

async function bringObjects(storage: Storage, place: Storage, name: string) {
  const objects = await Array.fromAsync(readObjectList(place, name));
  const copied = { objects: 0, bytes: 0 };
  await inParallel(objects, COPIES_AT_ONCE, async ({ key, size, sha256 }) => {
    const content = { size, sha256 };
    try {
      if ((await storage.stat(key))?.size === size) {
        await assertContent(storage, key, content);
        return;
      }
    } catch (error) {
      if (!(error instanceof ContentError)) throw error;
    }
    try {
      await copyChecked({ storage: place, key: fileKey(key) }, { storage, key }, content);
    } catch (error) {
      if (!(error instanceof ContentError || error instanceof MissingObjectError)) throw error;
      throw new BackupError(
        `The backup ${name} is damaged: ${fileKey(key)}: ${error instanceof ContentError ? error.message : "it is missing"}. Nothing was changed in the database.`,
        { cause: error },
      );
    }
    copied.objects++;
    copied.bytes += size;
  });
  return { copied, keys: objects.map(({ key }) => key) };
}

/**
 * Rows whose objects could not be backed up name bytes that exist nowhere: they are marked, so that nothing is
 * deduplicated against them and their users are told what to run or upload again. All others have just been checked.
 */
async function noteWhatIsThere(client: pg.Client, keys: readonly string[]): Promise<void> {
  await client.query(
    `with found as (select id, storage_key = any($1) as is_there from objects)
     update objects set
       damage = case when is_there then null else 'missing' end,
       damaged_at = case when is_there then null else clock_timestamp() end
     from found where found.id = objects.id and (not is_there or damage is not null)`,
    [keys],
  );
}

/** Work in progress cannot continue: a backup contains no parts of unfinished uploads, and its workers are gone. */
async function settle(client: pg.Client): Promise<void> {
  await client.query("delete from upload_chunks");
  await client.query(
    `update uploads set incoming_name = null, incoming_chunks = null, incoming_key = null,
       incoming_upload_id = null, checking_until = null`,
  );
  // The first worker to start finds them dead and takes over their runs.
  await client.query("update workers set alive_until = clock_timestamp() - interval '1 day'");
}

/**
 * Signed or sealed with the old secret, these are useless now. Until they are deleted, no process starts on this
 * database.
 */
async function forgetSecret(client: pg.Client): Promise<void> {
  for (const table of [
    "sessions",
    "share_links",
    "authenticator_apps",
    "recovery_codes",
    "ceremonies",
  ]) {
    await client.query(`delete from ${table}`);
  }
  await client.query("delete from installation");
}
