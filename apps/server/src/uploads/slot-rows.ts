import type { Db } from "../db/database.ts";
import { hasActiveRun, lockRow } from "../db/rows.ts";
import { ApiError } from "../http/api-error.ts";
import { markForRemoval } from "../outputs/objects.ts";
import type { SoundReads } from "../outputs/sound-reads.ts";
import { EDITED_NUCLEI, expectEditedNuclei, forgetEditedNuclei } from "./edited-nuclei.ts";
import {
  slotState,
  type ChunkRow,
  type Complete,
  type PartUpload,
  type SentChunk,
  type Slot,
  type SlotRow,
  type SlotState,
} from "./upload-state.ts";

/**
 * Locks a project whose files are about to change, until the transaction ends; before its slots. A run being accepted
 * at this moment waits for this lock, or this code waits for the run's. Throws project_busy if one is queued or in
 * progress.
 */
export async function lockIdleProject(transaction: Db, projectId: string): Promise<void> {
  await lockRow(transaction, "projects", projectId);
  if (await hasActiveRun(transaction, "project_id", projectId)) throw new ApiError("project_busy");
}

/** The slot's row, locked, so that only one call at a time changes a slot, even across processes. */
export async function lockSlot(transaction: Db, projectId: string, slot: string): Promise<SlotRow> {
  const row = await selectSlot(transaction, projectId, slot).forUpdate().executeTakeFirst();
  if (row) return row;
  return (
    transaction
      .insertInto("uploads")
      .values({ project_id: projectId, slot })
      // Another call may make this row first, and a third one remove it: an update locks whichever is there.
      .onConflict((conflict) => conflict.columns(["project_id", "slot"]).doUpdateSet({ slot }))
      .returningAll()
      .executeTakeFirstOrThrow()
  );
}

/** The row of a slot in which the file with this key is under way, locked. */
export async function lockIncoming(
  transaction: Db,
  { project_id: projectId, slot }: SlotRow,
  key: string,
): Promise<SlotRow | undefined> {
  return selectSlot(transaction, projectId, slot)
    .where("incoming_key", "=", key)
    .forUpdate()
    .executeTakeFirst();
}

export async function slotRow(
  query: Db,
  projectId: string,
  slot: string,
): Promise<SlotRow | undefined> {
  return selectSlot(query, projectId, slot).executeTakeFirst();
}

function selectSlot(query: Db, projectId: string, slot: string) {
  return query
    .selectFrom("uploads")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("slot", "=", slot);
}

/** What a slot's row stands for. A complete file that is known to be damaged counts as none. */
export async function readSlot(query: Db, row: SlotRow | undefined): Promise<Slot> {
  const { incoming_key: key, incoming_upload_id: uploadId } = row ?? {};
  const complete = await completeFile(query, row);
  if (row && key && uploadId) {
    return {
      at: "arriving",
      fileName: row.incoming_name ?? "",
      chunks: row.incoming_chunks ?? 0,
      upload: { key, uploadId },
      parts: await chunksOf(query, row),
      before: complete,
    };
  }
  return complete ?? { at: "empty" };
}

async function completeFile(query: Db, row: SlotRow | undefined): Promise<Complete | null> {
  if (!row?.object_id || !(await isSound(query, row.object_id))) return null;
  const { file_name: fileName, chunks, chunk_hashes: hashes } = row;
  const size = row.size === null ? null : Number(row.size);
  return { at: "complete", fileName, chunks, hashes: hashes ?? [], size };
}

/** What a slot's owner sees of it. */
export async function stateOf(query: Db, projectId: string, slot: string): Promise<SlotState> {
  return slotState(await readSlot(query, await slotRow(query, projectId, slot)));
}

/** Larger files are read through when a run fetches them, not each time somebody asks what is there. */
const RECHECKED_BYTES = 256 * 1024 * 1024;

/** Reads a slot's complete file through, so that {@link readSlot} tells what is there now. */
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

async function isSound(query: Db, objectId: string): Promise<boolean> {
  const object = await query
    .selectFrom("objects")
    .select("damage")
    .where("id", "=", objectId)
    .executeTakeFirst();
  return object?.damage === null;
}

/** The chunks of the file under way: all that were announced, also those that are not stored yet. */
export async function chunksOf(
  query: Db,
  { project_id: projectId, slot }: SlotRow,
): Promise<ChunkRow[]> {
  return query
    .selectFrom("upload_chunks")
    .select(["chunk", "size", "sha256", "tag"])
    .where("project_id", "=", projectId)
    .where("slot", "=", slot)
    .orderBy("chunk")
    .execute();
}

/** From now on the chunk's file is under way in this upload. */
export async function startFile(
  transaction: Db,
  row: SlotRow,
  { fileName, chunks }: SentChunk,
  { key, uploadId }: PartUpload,
): Promise<void> {
  // Senders of the file before may still ask other processes why it was refused.
  const { refused_key, refusal } = row;
  await dropIncoming(transaction, row, { refused_key, refusal });
  await changeSlot(transaction, row, {
    incoming_name: fileName,
    incoming_chunks: chunks,
    incoming_key: key,
    incoming_upload_id: uploadId,
  });
}

export async function announceChunk(
  transaction: Db,
  row: SlotRow,
  { chunk, size, sha256 }: SentChunk,
): Promise<void> {
  await transaction
    .insertInto("upload_chunks")
    .values({ project_id: row.project_id, slot: row.slot, chunk, size, sha256 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function noteStored(
  transaction: Db,
  row: SlotRow,
  chunk: number,
  tag: string,
): Promise<void> {
  await transaction
    .updateTable("upload_chunks")
    .set({ tag })
    .where("project_id", "=", row.project_id)
    .where("slot", "=", row.slot)
    .where("chunk", "=", chunk)
    .execute();
}

type Refused = Pick<SlotRow, "refused_key" | "refusal">;

/** Discards the file under way and its object. */
export async function dropIncoming(transaction: Db, row: SlotRow, why?: Refused): Promise<void> {
  if (row.incoming_key) await markForRemoval(transaction, [row.incoming_key]);
  await clearIncoming(transaction, row, why);
}

/** No file is under way any longer. */
export async function clearIncoming(
  transaction: Db,
  row: SlotRow,
  why: Refused = { refused_key: null, refusal: null },
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

/** A complete file as a slot's row describes it. */
export interface CompleteFile {
  fileName: string | null;
  size: number;
  objectId: string;
  digest: string;
  hashes: readonly string[];
}

/** Puts a complete file in place of the one before. The project's row is locked. */
export async function setFile(
  transaction: Db,
  { project_id: projectId, slot, file_name: before }: SlotRow,
  { fileName, size, objectId, digest, hashes }: CompleteFile,
): Promise<void> {
  if (fileName === EDITED_NUCLEI) await expectEditedNuclei(transaction, projectId);
  else if (before === EDITED_NUCLEI) await forgetEditedNuclei(transaction, projectId);
  await transaction
    .updateTable("uploads")
    .set({
      file_name: fileName,
      size,
      object_id: objectId,
      digest,
      chunks: hashes.length,
      chunk_hashes: JSON.stringify(hashes),
    })
    .where("project_id", "=", projectId)
    .where("slot", "=", slot)
    .execute();
}

async function changeSlot(
  query: Db,
  row: SlotRow,
  values: Partial<Omit<SlotRow, "project_id" | "slot" | "chunk_hashes" | "size">>,
): Promise<void> {
  await query
    .updateTable("uploads")
    .set(values)
    .where("project_id", "=", row.project_id)
    .where("slot", "=", row.slot)
    .execute();
}
