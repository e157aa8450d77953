import { randomUUID } from "node:crypto";
import { sql, type RawBuilder } from "kysely";
import type { Db } from "../db/database.ts";
import { isStorageAway } from "../storage/storage-away.ts";
import type { Storage, UnfinishedParts } from "../storage/storage.ts";

/**
 * Immutable objects and the rows that reference them. An object is written under a drafted key, then adopted in the
 * transaction of the row that references it. No call is needed to release it: when its last row is deleted or changed
 * to refer elsewhere, a trigger dooms the object in that transaction (migration 0006). {@link sweepObjects} removes
 * doomed objects; a crash at any point leaves nothing behind permanently.
 */
export interface ContentObject {
  id: string;
  storageKey: string;
}

const OBJECTS = "objects";
/** How long a draft is kept without a row that references it. */
const DRAFT_HOURS = 48;
/** How long a multipart upload that no slot waits for is left alone. */
const UNFINISHED_HOURS = 48;
const SWEEP_AT_ONCE = 500;

export function newObjectKey(): string {
  return `${OBJECTS}/${randomUUID()}`;
}

/**
 * Records, before the bytes are written, that the object with this key must be removed unless it is adopted in time.
 */
export async function draftObject(query: Db, storageKey = newObjectKey()): Promise<string> {
  await removeAt(query, [storageKey], sql`now() + make_interval(hours => ${DRAFT_HOURS})`);
  return storageKey;
}

/**
 * The object with this content, locked until the transaction ends; null if there is none, or if its bytes were found
 * damaged: nothing is deduplicated against those.
 */
export async function equalObject(
  transaction: Db,
  content: { digest: string; size: number },
): Promise<ContentObject | null> {
  const row = await transaction
    .selectFrom("objects")
    .select(["id", "storage_key"])
    .where("digest", "=", content.digest)
    .where("size", "=", String(content.size))
    .where("damage", "is", null)
    .forKeyShare()
    .executeTakeFirst();
  return row ? { id: row.id, storageKey: row.storage_key } : null;
}

/**
 * Makes a drafted object available to rows. If an object with equal content exists, returns that one and dooms the
 * draft; unless its bytes were found damaged, in which case it is repaired: for all rows that hold it, its bytes are now
 * the draft's. The caller's transaction must write the row that references it.
 */
export async function adopt(
  transaction: Db,
  draft: { digest: string; size: number; storageKey: string },
): Promise<ContentObject & { isNew: boolean }> {
  const { digest, size, storageKey } = draft;
  for (;;) {
    const made = await transaction
      .insertInto("objects")
      .values({ id: randomUUID(), storage_key: storageKey, digest, size })
      .onConflict((conflict) => conflict.columns(["digest", "size"]).doNothing())
      .returning("id")
      .executeTakeFirst();
    const id = made?.id ?? (await repair(transaction, draft));
    if (id !== undefined) {
      await takeDraft(transaction, storageKey);
      return { id, storageKey, isNew: true };
    }
    const equal = await equalObject(transaction, draft);
    // It was deleted between the two queries, so ours can take its place.
    if (!equal) continue;
    await markForRemoval(transaction, [storageKey]);
    return { ...equal, isNew: false };
  }
}

/** Gives a damaged object with this content the draft's bytes. Returns its id; undefined if there is none. */
async function repair(
  transaction: Db,
  { digest, size, storageKey }: { digest: string; size: number; storageKey: string },
): Promise<string | undefined> {
  const damaged = await transaction
    .selectFrom("objects")
    .select(["id", "storage_key"])
    .where("digest", "=", digest)
    .where("size", "=", String(size))
    .where("damage", "is not", null)
    .forUpdate()
    .executeTakeFirst();
  if (!damaged) return undefined;
  await setSoundKey(transaction, damaged.id, storageKey);
  await markForRemoval(transaction, [damaged.storage_key]);
  return damaged.id;
}

/** Gives an object other bytes under another key, which are what its digest says. */
export async function setSoundKey(transaction: Db, id: string, storageKey: string): Promise<void> {
  await transaction
    .updateTable("objects")
    .set({ storage_key: storageKey, damage: null, damaged_at: null })
    .where("id", "=", id)
    .execute();
}

/** From now on a row holds what was drafted. */
export async function takeDraft(transaction: Db, storageKey: string): Promise<void> {
  const drafted = await transaction
    .deleteFrom("doomed_objects")
    .where("storage_key", "=", storageKey)
    .where("removing", "=", false)
    .returning("storage_key")
    .executeTakeFirst();
  if (!drafted) throw new Error(`The object ${storageKey} was not drafted, or too long ago`);
}

/** Marks keys for removal now; those that a row holds stay. */
export async function markForRemoval(
  transaction: Db,
  storageKeys: readonly string[],
): Promise<void> {
  if (storageKeys.length > 0) await removeAt(transaction, storageKeys, sql`now()`);
}

/** Not what a row holds: a process that was silent for long may learn late that another one has adopted its draft. */
async function removeAt(
  query: Db,
  storageKeys: readonly string[],
  due: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    insert into doomed_objects (storage_key, due_at)
    select key, ${due} from unnest(${storageKeys}::text[]) as key
    where not exists (select from objects where objects.storage_key = key)
    on conflict (storage_key) do update set due_at = excluded.due_at`.execute(query);
}

/** Whether no backup is in progress: a backup may still have to copy objects doomed after its snapshot. */
const noBackup = sql<boolean>`not exists (select 1 from backup_holds where held_until > clock_timestamp())`;

/** Whether a backup currently keeps all stored objects. */
export async function isHeldByBackup(db: Db): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`select ${noBackup} as free`.execute(db);
  return !rows[0].free;
}

/**
 * Removes doomed objects that are due, unless a backup is in progress. Safe to repeat, and to run in several processes
 * at once. Those that cannot be removed come last the next time; throws why the last of them could not.
 */
export async function sweepObjects(db: Db, storage: Storage): Promise<void> {
  const stuck: string[] = [];
  let fault: unknown;
  for (;;) {
    // From here on adopting refuses them, so nothing that a row holds is removed.
    const due = await db
      .updateTable("doomed_objects")
      .set({ removing: true })
      .where("storage_key", "in", (select) =>
        select
          .selectFrom("doomed_objects")
          .select("storage_key")
          .where((is) => is.or([is("due_at", "<=", sql<Date>`now()`), is("removing", "=", true)]))
          .where(noBackup)
          .where(sql<boolean>`storage_key <> all(${stuck}::text[])`)
          .orderBy("due_at")
          .limit(SWEEP_AT_ONCE),
      )
      .returning("storage_key")
      .execute();
    if (due.length === 0) break;
    const keys = due.map((row) => row.storage_key);
    const failed = await removeAll(storage, keys, (error) => void (fault = error));
    const removed = keys.filter((key) => !failed.includes(key));
    stuck.push(...failed);
    if (removed.length === 0) break;
    await db.deleteFrom("doomed_objects").where("storage_key", "in", removed).execute();
  }
  if (stuck.length === 0) return;
  await db
    .updateTable("doomed_objects")
    .set({ due_at: sql<Date>`now()` })
    .where("storage_key", "in", stuck)
    .execute();
  throw fault;
}

/** Removes these objects, one by one where one fails; returns those that remain. Throws where the storage is away. */
async function removeAll(
  storage: Storage,
  keys: readonly string[],
  onFault: (error: unknown) => void,
): Promise<string[]> {
  try {
    await storage.remove(keys);
    return [];
  } catch (error) {
    if (isStorageAway(error)) throw error;
    onFault(error);
  }
  if (keys.length === 1) return [...keys];
  const remaining: string[] = [];
  for (const key of keys) remaining.push(...(await removeAll(storage, [key], onFault)));
  return remaining;
}

/** Aborts multipart uploads that were started before a given time and that no slot waits for. */
export async function sweepUnfinished(
  db: Db,
  storage: Storage,
  before = new Date(Date.now() - UNFINISHED_HOURS * 3_600_000),
): Promise<void> {
  for await (const { key, uploadId } of unawaitedParts(db, storage, before)) {
    await storage.abortParts(key, uploadId);
  }
}

/** Multipart uploads that were started before a given time and that no slot waits for. */
export async function* unawaitedParts(
  db: Db,
  storage: Storage,
  before: Date,
): AsyncGenerator<UnfinishedParts> {
  for await (const parts of storage.listParts(OBJECTS)) {
    if (parts.startedAt >= before) continue;
    const awaited = await db
      .selectFrom("uploads")
      .select("slot")
      .where("incoming_upload_id", "=", parts.uploadId)
      .executeTakeFirst();
    if (!awaited) yield parts;
  }
}
