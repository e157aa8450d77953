import { hash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Database, Db } from "../db/database.ts";
import type { Storage } from "../storage/storage.ts";
import { copyChecked, readThrough, type KnownContent, type KnownRange } from "./content.ts";
import { damageOf } from "./damage.ts";
import { isKnown, knownContent } from "./known-content.ts";
import { markForRemoval, draftObject, setSoundKey, takeDraft } from "./objects.ts";

/** Another place that may hold a copy of an object, for instance a backup. */
export interface CopyPlace {
  storage: Storage;
  keyOf(storageKey: string): string;
}

/**
 * Repairs an object whose bytes are missing or damaged: from a copy elsewhere, or, if it is a pack, from intact copies of
 * the files in it. The right bytes get a key of their own, so nobody reads a half-repaired object. Returns whether they
 * were found.
 */
export async function repairObject(
  { database, storage }: { database: Database; storage: Storage },
  id: string,
  place?: CopyPlace,
): Promise<boolean> {
  const { db } = database;
  const object = await db
    .selectFrom("objects")
    .select(["id", "storage_key", "digest", "size"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!object) return false;
  const { storage_key: key, digest } = object;
  const known = await knownContent(db, { id, size: Number(object.size), digest });
  if (!isKnown(known)) return false;
  const draft = await draftObject(db);
  const isFound =
    (place !== undefined &&
      (await succeeds(() =>
        copyChecked(
          { storage: place.storage, key: place.keyOf(key) },
          { storage, key: draft },
          known,
        ),
      ))) ||
    (await isRebuilt({ db, storage }, known, draft));
  if (!isFound) {
    await markForRemoval(db, [draft]);
    return false;
  }
  return database.transaction(async (transaction) => {
    const now = await transaction
      .selectFrom("objects")
      .select("storage_key")
      .where("id", "=", id)
      .forUpdate()
      .executeTakeFirst();
    // Deleted, or repaired by a run.
    if (now?.storage_key !== key) {
      await markForRemoval(transaction, [draft]);
      return now !== undefined;
    }
    await setSoundKey(transaction, id, draft);
    await takeDraft(transaction, draft);
    await markForRemoval(transaction, [key]);
    return true;
  });
}

/** Writes a pack from the files in it, wherever each can still be read. */
async function isRebuilt(
  { db, storage }: { db: Db; storage: Storage },
  known: KnownContent,
  draft: string,
): Promise<boolean> {
  const ranges = (known.ranges ?? []).toSorted((a, b) => a.offset - b.offset);
  // An object of one file has no other copy: equal files share it.
  if (ranges.length < 2) return false;
  const copies = await copiesOf(db, ranges);
  const pieces: { key: string; offset: number; size: number }[] = [];
  for (const range of ranges.filter(({ size }) => size > 0)) {
    const piece = await firstIntact(storage, range, copies.get(range.sha256) ?? []);
    if (!piece) return false;
    pieces.push({ ...piece, size: range.size });
  }
  async function* bytes(): AsyncGenerator<Buffer> {
    for (const { key, offset, size } of pieces) {
      yield await buffer(await storage.get(key, { start: offset, end: offset + size - 1 }));
    }
  }
  await storage.put(draft, Readable.from(bytes()));
  return succeeds(() => readThrough(storage, draft, known));
}

interface Place {
  key: string;
  offset: number;
}

/** Where the contents of these ranges are stored, by SHA-256. Reads the table once. */
async function copiesOf(db: Db, ranges: readonly KnownRange[]): Promise<Map<string, Place[]>> {
  const rows = await db
    .selectFrom("step_files")
    .innerJoin("objects", "objects.id", "step_files.object_id")
    .select(["step_files.sha256", "objects.storage_key", "step_files.offset"])
    .distinct()
    .where("sha256", "=", (any) => any.fn.any(any.val(ranges.map(({ sha256 }) => sha256))))
    .execute();
  const copies = new Map<string, Place[]>();
  for (const { sha256, storage_key: key, offset } of rows) {
    copies.set(sha256, [...(copies.get(sha256) ?? []), { key, offset: Number(offset) }]);
  }
  return copies;
}

async function firstIntact(
  storage: Storage,
  { size, sha256 }: KnownRange,
  places: readonly Place[],
): Promise<Place | undefined> {
  for (const place of places) {
    const { key, offset } = place;
    const isIntact = await succeeds(async () => {
      const bytes = await buffer(await storage.get(key, { start: offset, end: offset + size - 1 }));
      return hash("sha256", bytes) === sha256;
    });
    if (isIntact) return place;
  }
  return undefined;
}

/** False if what is read is missing or damaged. */
async function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  try {
    return (await work()) !== false;
  } catch (error) {
    if (damageOf(error) === null) throw error;
    return false;
  }
}
