import type { Db } from "../db/database.ts";
import type { Storage, UnfinishedParts } from "../storage/storage.ts";

/** What storage and database do not agree about. */
export interface StorageCheck {
  /** Stored, but no row knows of it: nobody can ever read it. */
  orphans: { key: string; size: number }[];
  /** Uploads in parts that no slot waits for. */
  unfinished: UnfinishedParts[];
  /** Held by rows, but not stored: what they name cannot be read. */
  missing: Held[];
  /** Held by rows, but stored with another size. */
  damaged: (Held & { found: number })[];
  /** Objects that were checked. */
  objects: number;
}

interface Held {
  key: string;
  size: number;
  /** What names it: `project <id>: <path or slot>`; some of them, where there are many. */
  holders: string[];
}

/** A younger object's row may not be written yet. */
const GRACE_MS = 48 * 3_600_000;
const ROWS_AT_ONCE = 1_000;
const HOLDERS_NAMED = 5;

/**
 * Compares the storage with the rows that reference its objects. Reads only lists, no content: the storage is listed
 * once, and in addition to the keys, only one page of rows is in memory at a time.
 */
export async function checkStored(
  db: Db,
  storage: Storage,
  options: { graceMs?: number } = {},
): Promise<StorageCheck> {
  const youngest = Date.now() - (options.graceMs ?? GRACE_MS);
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
      .select(["id", "storage_key", "size"])
      .where("storage_key", ">", after)
      .orderBy("storage_key")
      .limit(ROWS_AT_ONCE)
      .execute();
    for (const { id, storage_key: key, size } of rows) {
      check.objects++;
      const found = stored.get(key);
      stored.delete(key);
      if (found?.size === Number(size)) continue;
      // Check the object itself: it may have been stored during the listing.
      const now = await storage.stat(key);
      if (now?.size === Number(size)) continue;
      const held = { key, size: Number(size), holders: await holdersOf(db, id) };
      if (now) check.damaged.push({ ...held, found: now.size });
      else if (held.holders.length > 0) check.missing.push(held);
    }
    if (rows.length < ROWS_AT_ONCE) break;
    after = rows.at(-1)!.storage_key;
  }
  // Drafts and doomed objects are removed on their own.
  const doomed = await db.selectFrom("doomed_objects").select("storage_key").execute();
  for (const { storage_key: key } of doomed) stored.delete(key);
  for (const [key, { size, modified }] of stored) {
    if (modified.getTime() < youngest && !(await awaitsImport(db, key))) {
      check.orphans.push({ key, size });
    }
  }
  for await (const parts of storage.listParts("objects")) {
    const awaited = await db
      .selectFrom("uploads")
      .select("slot")
      .where("incoming_upload_id", "=", parts.uploadId)
      .executeTakeFirst();
    if (!awaited && parts.startedAt.getTime() < youngest) check.unfinished.push(parts);
  }
  return check;
}

/** Removes what nobody can read: orphans and unfinished uploads. Missing or damaged objects cannot be repaired here. */
export async function removeOrphans(storage: Storage, check: StorageCheck): Promise<void> {
  for (let at = 0; at < check.orphans.length; at += ROWS_AT_ONCE) {
    await storage.remove(check.orphans.slice(at, at + ROWS_AT_ONCE).map(({ key }) => key));
  }
  for (const { key, uploadId } of check.unfinished) await storage.abortParts(key, uploadId);
}

/** What a check has found, a line each; the last one sums up. */
export function checkReport(check: StorageCheck, removed: boolean): string[] {
  const { orphans, unfinished, missing, damaged, objects } = check;
  const of = ({ holders }: Held): string => (holders.length > 0 ? ` (${holders.join("; ")})` : "");
  const bytes = orphans.reduce((sum, { size }) => sum + size, 0);
  const faults = missing.length + damaged.length;
  const leftOver = orphans.length + unfinished.length;
  return [
    ...missing.map((held) => `missing: ${held.key}, ${held.size} bytes${of(held)}`),
    ...damaged.map(
      (held) => `damaged: ${held.key} has ${held.found} bytes instead of ${held.size}${of(held)}`,
    ),
    ...orphans.map(({ key, size }) => `orphan: ${key}, ${size} bytes`),
    ...unfinished.map(
      ({ key, startedAt }) => `unfinished upload: ${key}, started ${startedAt.toISOString()}`,
    ),
    faults + leftOver === 0
      ? `All is well: ${objects} objects, all referenced and complete.`
      : [
          `${objects} objects checked.`,
          faults > 0
            ? `${faults} cannot be read: restore them from a backup, or run the projects again.`
            : "",
          leftOver > 0
            ? `${leftOver} unreferenced (${bytes} bytes)${removed ? ": removed." : ": stipple storage check --remove removes them."}`
            : "",
        ]
          .filter((part) => part !== "")
          .join(" "),
  ];
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
  return [
    ...uploads.map((row) => `project ${row.project_id}: input ${row.slot}`),
    ...files.map((row) => `project ${row.project_id}: ${row.path}`),
  ].slice(0, HOLDERS_NAMED);
}

/** Results of an early version that a worker is going to publish are no orphans. */
async function awaitsImport(db: Db, key: string): Promise<boolean> {
  const [, projectId] = /^projects\/([0-9a-f-]{36})\/results\//.exec(key) ?? [];
  if (!projectId) return false;
  const project = await db
    .selectFrom("projects")
    .select("id")
    .where("id", "=", projectId)
    .executeTakeFirst();
  return project !== undefined;
}
