import type { Db } from "../db/database.ts";
import { doom } from "../outputs/objects.ts";
import type { SoundReads } from "../outputs/sound-reads.ts";
import type { ChunkRow, SlotRow } from "./slot-state.ts";

/** The slot's row, locked, so that only one call at a time changes a slot, even across processes. */
export async function lockSlot(transaction: Db, projectId: string, slot: string): Promise<SlotRow> {
  const locked = transaction
    .selectFrom("uploads")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("slot", "=", slot)
    .forUpdate();
  const row = await locked.executeTakeFirst();
  if (row) return row;
  await transaction
    .insertInto("uploads")
    .values({ project_id: projectId, slot })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return locked.executeTakeFirstOrThrow();
}

export async function slotRow(
  query: Db,
  projectId: string,
  slot: string,
): Promise<SlotRow | undefined> {
  return query
    .selectFrom("uploads")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("slot", "=", slot)
    .executeTakeFirst();
}

/** Larger files are read through when a run fetches them, not each time somebody asks what is there. */
const RECHECKED_BYTES = 256 * 1024 * 1024;

/** Reads a slot's complete file through, so that {@link isWhole} tells what is there now. */
export async function recheckSlot(
  { db, reads }: { db: Db; reads: SoundReads },
  projectId: string,
  slot: string,
): Promise<void> {
  const row = await db
    .selectFrom("uploads")
    .innerJoin("objects", "objects.id", "uploads.object_id")
    .select(["storage_key", "objects.size", "uploads.digest"])
    .where("project_id", "=", projectId)
    .where("slot", "=", slot)
    .where("objects.damage", "is", null)
    .executeTakeFirst();
  if (!row) return;
  const size = Number(row.size);
  const isSmall = size <= RECHECKED_BYTES && row.digest !== null;
  if (isSmall) await reads.isSound(row.storage_key, { size, chunks: row.digest! });
}

/** Whether a slot holds a complete file that, as far as is known, is not damaged. */
export async function isWhole(query: Db, { object_id: id }: SlotRow): Promise<boolean> {
  if (id === null) return false;
  const object = await query
    .selectFrom("objects")
    .select("damage")
    .where("id", "=", id)
    .executeTakeFirst();
  return object?.damage === null;
}

/** The chunks of the file on its way: all that were announced, also those that are not stored yet. */
export async function chunksOf(query: Db, projectId: string, slot: string): Promise<ChunkRow[]> {
  return query
    .selectFrom("upload_chunks")
    .select(["chunk", "size", "sha256", "tag"])
    .where("project_id", "=", projectId)
    .where("slot", "=", slot)
    .orderBy("chunk")
    .execute();
}

export function stored(chunks: readonly ChunkRow[]): ChunkRow[] {
  return chunks.filter((each) => each.tag !== null);
}

/** Discards the file on its way and its object. */
export async function dropIncoming(
  transaction: Db,
  row: SlotRow,
  why: Pick<SlotRow, "refused_key" | "refusal"> = { refused_key: null, refusal: null },
): Promise<void> {
  if (row.incoming_key) await doom(transaction, [row.incoming_key]);
  await clearIncoming(transaction, row, why);
}

/** Clears the file on its way. */
export async function clearIncoming(
  transaction: Db,
  row: SlotRow,
  why: Pick<SlotRow, "refused_key" | "refusal"> = { refused_key: null, refusal: null },
): Promise<void> {
  await transaction
    .deleteFrom("upload_chunks")
    .where("project_id", "=", row.project_id)
    .where("slot", "=", row.slot)
    .execute();
  await changeSlot(transaction, row, {
    incoming_name: null,
    incoming_chunks: null,
    incoming_key: null,
    incoming_upload_id: null,
    checking_until: null,
    ...why,
  });
}

export async function changeSlot(
  query: Db,
  row: Pick<SlotRow, "project_id" | "slot">,
  values: Partial<Omit<SlotRow, "project_id" | "slot" | "chunk_hashes" | "size">>,
): Promise<void> {
  await query
    .updateTable("uploads")
    .set(values)
    .where("project_id", "=", row.project_id)
    .where("slot", "=", row.slot)
    .execute();
}
