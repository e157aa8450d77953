import pg from "pg";
import manifest from "../../package.json" with { type: "json" };
import { assertSchema } from "../db/check-database.ts";
import { openDatabase } from "../db/database.ts";
import { ContentError, copyChecked, readThrough, type KnownContent } from "../outputs/content.ts";
import { damageOf, noteDamage } from "../outputs/damage.ts";
import { inParallel } from "../storage/in-parallel.ts";
import { isKnown, knownContent } from "../outputs/known-content.ts";
import { referenceFiles } from "../references/references.ts";
import type { Storage } from "../storage/storage.ts";
import {
  backupsIn,
  fileKey,
  manifestKey,
  newBackupName,
  objectListKey,
  type BackedUpObject,
  type BackupManifest,
} from "./contents.ts";
import { holdObjects } from "./hold.ts";
import { readObjectList, writeObjectList } from "./object-list.ts";
import { dumpTable, sequencesOf, tablesOf } from "./tables.ts";

const COPIES_AT_ONCE = 4;

export interface BackedUp {
  name: string;
  manifest: BackupManifest;
  /** Objects that were not there yet, and their bytes. */
  copied: { objects: number; bytes: number };
}

interface HeldObject {
  id: string;
  key: string;
  size: number;
  digest: string | null;
}

/**
 * Copies the database at one point in time, then every object its rows reference and the kept references, while the
 * platform runs. Objects
 * that an earlier backup has brought to the same place are not copied again. Each is checked against the database; the
 * manifest lists objects that cannot be read completely.
 */
export async function backUp(
  databaseUrl: string,
  storage: Storage,
  place: Storage,
  tell: (line: string) => void = () => undefined,
): Promise<BackedUp> {
  await assertSchema(databaseUrl);
  await using database = openDatabase(databaseUrl, COPIES_AT_ONCE + 1);
  await using held = new AsyncDisposableStack();
  held.use(await holdObjects(database.db));
  const name = newBackupName(new Date());
  const { objects: named, ...snapshot } = await copyDatabase(databaseUrl, place, name);
  tell(`Database copied: ${snapshot.tables.length} tables.`);

  const known = await knownFiles(place, tell);
  const objects: BackedUpObject[] = [];
  const faults: BackupManifest["faults"] = [];
  const copied = { objects: 0, bytes: 0 };
  const files = named.map((object) => ({
    ...object,
    content: undefined as KnownContent | undefined,
  }));
  for await (const { key, content } of referenceFiles(storage)) {
    files.push({ id: "", key, size: content.size, digest: null, content });
  }
  await inParallel(files, COPIES_AT_ONCE, async (object) => {
    const { key, size } = object;
    const before = known.get(key);
    if (before) {
      objects.push(before);
      return;
    }
    try {
      const content = object.content ?? (await knownContent(database.db, object));
      const sha256 = await bring(storage, place, key, content, copied);
      objects.push({ key, size, sha256 });
    } catch (error) {
      const damage = damageOf(error);
      if (damage === null) throw error;
      // A reference that was removed meanwhile.
      if (damage === "missing" && object.content) return;
      await noteDamage(database.db, key, damage);
      faults.push({ key, why: damage === "missing" ? "it is missing" : (error as Error).message });
    }
  });
  objects.sort((a, b) => (a.key < b.key ? -1 : 1));
  const made: BackupManifest = {
    format: 1,
    version: manifest.version,
    ...snapshot,
    objects: {
      count: objects.length,
      bytes: objects.reduce((sum, { size }) => sum + size, 0),
      sha256: await writeObjectList(place, name, objects),
    },
    faults,
  };
  // From here on it is a backup.
  await place.put(manifestKey(name), JSON.stringify(made, null, 2));
  return { name, manifest: made, copied };
}

/** The tables and the list of objects as one transaction sees them. */
async function copyDatabase(databaseUrl: string, place: Storage, backup: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    const { rows: migrations } = await client.query<{ name: string }>(
      "select name from kysely_migration order by name desc limit 1",
    );
    const madeAt = new Date().toISOString();
    const { rows: objects } = await client.query<HeldObject>(
      "select id, storage_key as key, size::float8 as size, digest from objects order by storage_key",
    );
    const { rows: secrets } = await client.query<{ secret_fingerprint: string }>(
      "select secret_fingerprint from installation",
    );
    const tables = [];
    for (const table of await tablesOf(client)) {
      tables.push(await dumpTable(client, place, backup, table));
    }
    // Sequences ignore transactions: read after the tables, they are never too low.
    const sequences = await sequencesOf(client);
    await client.query("commit");
    return {
      madeAt,
      migration: migrations[0].name,
      secretFingerprint: secrets[0]?.secret_fingerprint ?? null,
      tables,
      sequences,
      objects,
    };
  } finally {
    await client.end();
  }
}

/**
 * Objects that finished backups copied to the place and that still exist. Damage to an earlier backup must not prevent
 * another: if its list cannot be read to its end, what it names is read again.
 */
async function knownFiles(
  place: Storage,
  tell: (line: string) => void,
): Promise<Map<string, BackedUpObject>> {
  const known = new Map<string, BackedUpObject>();
  for (const backup of await backupsIn(place)) {
    try {
      for (const object of await Array.fromAsync(readObjectList(place, backup)))
        known.set(object.key, object);
    } catch (error) {
      tell(
        `The backup ${backup} is damaged: ${objectListKey(backup)}: ${(error as Error).message}`,
      );
    }
  }
  const there = new Map<string, BackedUpObject>();
  for await (const { key, size } of place.list("files")) {
    const object = known.get(key.slice("files/".length));
    if (object?.size === size) there.set(object.key, object);
  }
  return there;
}

/** Copies an object, unless an interrupted backup already copied it completely. Returns the SHA-256 of its bytes. */
async function bring(
  storage: Storage,
  place: Storage,
  key: string,
  content: KnownContent,
  copied: BackedUp["copied"],
): Promise<string> {
  const to = fileKey(key);
  const there = await place.stat(to);
  if (there?.size === content.size && isKnown(content)) {
    try {
      return await readThrough(place, to, content);
    } catch (error) {
      if (!(error instanceof ContentError)) throw error;
    }
  }
  const sha256 = await copyChecked({ storage, key }, { storage: place, key: to }, content);
  copied.objects++;
  copied.bytes += content.size;
  return sha256;
}
