import type { Db } from "../db/database.ts";
import { MissingObjectError, type Storage, type UnfinishedParts } from "../storage/storage.ts";
import { assertContent, ContentError } from "./content.ts";
import { damageOf, noteDamage, noteSound } from "./damage.ts";
import { inParallel } from "../storage/in-parallel.ts";
import { knownContent } from "./known-content.ts";
import { unawaitedParts } from "./objects.ts";

/** What storage and database do not agree about. */
export interface StorageCheck {
  /** Stored, but no row refers to it, so it can never be read. */
  orphans: { key: string; size: number }[];
  /** Uploads in parts that no slot waits for. */
  unfinished: UnfinishedParts[];
  /** Held by rows, but not stored: what they name cannot be read. */
  missing: Held[];
  /** Held by rows, but stored with other bytes. */
  damaged: (Held & { why: string })[];
  /** Objects that were checked. */
  objects: number;
}

/** An object that rows hold but that cannot be read. */
export interface Held {
  id: string;
  key: string;
  size: number;
  /** What names it: `project <id>: <path or slot>` or `study <id>: <name>`; some of them, where there are many. */
  holders: string[];
}

/** A younger object's row may not be written yet. */
const GRACE_MS = 48 * 3_600_000;
const ROWS_AT_ONCE = 1_000;
const HOLDERS_NAMED = 5;
const READ_AT_ONCE = 2;

/**
 * Compares the storage with the rows that reference its objects. The storage is listed once, and in addition to the
 * keys, only one page of rows is in memory at a time. Reads the content only of objects that were found damaged before,
 * or, if `deep`, of all. What it finds is marked, so that it is neither reused nor taken for a finished step.
 */
export async function checkStored(
  db: Db,
  storage: Storage,
  options: { graceMs?: number; deep?: boolean } = {},
): Promise<StorageCheck> {
  const youngest = new Date(Date.now() - (options.graceMs ?? GRACE_MS));
  const check: StorageCheck = { orphans: [], unfinished: [], missing: [], damaged: [], objects: 0 };
  const stored = new Map<string, { size: number; modified: Date }>();
  for (const prefix of ["objects", "projects"]) {
    for await (const { key, size, modified } of storage.list(prefix)) {
      stored.set(key, { size, modified });
    }
  }
  // Rows second: objects published after the listing are then simply extra rows, checked below.
  for (let after = ""; ;) {
    const rows = await db
      .selectFrom("objects")
      .select(["id", "storage_key", "digest", "size", "damage"])
      .where("storage_key", ">", after)
      .orderBy("storage_key")
      .limit(ROWS_AT_ONCE)
      .execute();
    check.objects += rows.length;
    await inParallel(rows, READ_AT_ONCE, async ({ storage_key: key, ...row }) => {
      const size = Number(row.size);
      const found = stored.get(key);
      stored.delete(key);
      const isRead = options.deep === true || row.damage !== null;
      if (!isRead && found?.size === size) return;
      const fault = await faultOf(db, storage, { ...row, key, size }, isRead);
      if (!fault) return;
      const held = { id: row.id, key, size, holders: await holdersOf(db, row.id) };
      // Without holders it has just been deleted.
      if (held.holders.length === 0) return;
      if (fault === "missing") check.missing.push(held);
      else check.damaged.push({ ...held, why: fault });
    });
    if (rows.length < ROWS_AT_ONCE) break;
    after = rows.at(-1)!.storage_key;
  }
  // Drafts and doomed objects are removed on their own.
  const doomed = await db.selectFrom("doomed_objects").select("storage_key").execute();
  for (const { storage_key: key } of doomed) stored.delete(key);
  for (const [key, { size, modified }] of stored) {
    if (modified < youngest) check.orphans.push({ key, size });
  }
  check.unfinished = await Array.fromAsync(unawaitedParts(db, storage, youngest));
  return check;
}

/** Removes what nobody can read: orphans and unfinished uploads. */
export async function removeOrphans(storage: Storage, check: StorageCheck): Promise<void> {
  for (let at = 0; at < check.orphans.length; at += ROWS_AT_ONCE) {
    await storage.remove(check.orphans.slice(at, at + ROWS_AT_ONCE).map(({ key }) => key));
  }
  for (const { key, uploadId } of check.unfinished) await storage.abortParts(key, uploadId);
}

/** What is wrong with an object, in words; null if nothing is. Marks it accordingly. */
async function faultOf(
  db: Db,
  storage: Storage,
  object: { id: string; key: string; digest: string | null; size: number },
  isRead: boolean,
): Promise<string | null> {
  const { key, size } = object;
  try {
    // It may have been stored during the listing.
    const now = await storage.stat(key);
    if (!now) throw new MissingObjectError(`No object ${key}`);
    if (now.size !== size) {
      throw new ContentError(`it has ${now.size} bytes instead of ${size}`);
    }
    if (isRead) {
      await assertContent(storage, key, await knownContent(db, object));
      await noteSound(db, key);
    }
    return null;
  } catch (error) {
    const damage = damageOf(error);
    if (damage === null) throw error;
    await noteDamage(db, key, damage);
    return damage === "missing" ? damage : (error as Error).message;
  }
}

async function holdersOf(db: Db, objectId: string): Promise<string[]> {
  const uploads = await db
    .selectFrom("uploads")
    .select(["project_id", "slot"])
    .where("object_id", "=", objectId)
    .limit(HOLDERS_NAMED)
    .execute();
  const files = await db
    .selectFrom("step_files")
    .select(["project_id", "path"])
    .where("object_id", "=", objectId)
    .limit(HOLDERS_NAMED)
    .execute();
  const ofStudies = await db
    .selectFrom("study_finding_files")
    .select(["study_id", "name"])
    .where("object_id", "=", objectId)
    .limit(HOLDERS_NAMED)
    .execute();
  return [
    ...uploads.map((row) => `project ${row.project_id}: input ${row.slot}`),
    ...files.map((row) => `project ${row.project_id}: ${row.path}`),
    ...ofStudies.map((row) => `study ${row.study_id}: ${row.name}`),
  ].slice(0, HOLDERS_NAMED);
}
