import type { UploadSlot } from "@stipple/contract";
import type { StorageRoom } from "../billing/storage-room.ts";
import type { Database, Db } from "../db/database.ts";
import { newObjectKey } from "../outputs/objects.ts";
import type { SoundReads } from "../outputs/sound-reads.ts";
import { MissingObjectError, type Storage } from "../storage/storage.ts";
import type { FileTaker } from "./file-taker.ts";
import type { ReceivedChunk } from "./multipart-chunk.ts";
import {
  changeSlot,
  chunksOf,
  dropIncoming,
  isWhole,
  lockSlot,
  recheckSlot,
  slotRow,
  stored,
} from "./slot-rows.ts";
import { chunksDigest } from "../outputs/content.ts";
import {
  completeState,
  EMPTY_SLOT,
  hashesOf,
  incomingState,
  type SlotRow,
  type SlotState,
} from "./slot-state.ts";

/** An upload in parts that was begun at the storage. */
interface Begun {
  key: string;
  uploadId: string;
}

type Announced =
  | { kind: "repeat of the complete file"; state: SlotState }
  | { kind: "begins a file" }
  | { kind: "announced"; upload: Begun; isStored: boolean; replaced: Begun | null };

/**
 * Accepts a chunk: a short transaction announces it, its bytes are sent to the storage outside any transaction, and a
 * second transaction records that they are there. Contradictory chunks never end up in the same upload, because the
 * second one starts a new upload. Whichever call delivers the last missing chunk has the whole file processed.
 */
export async function acceptChunk(
  parts: {
    database: Database;
    storage: Storage;
    reads: SoundReads;
    storageRoom: StorageRoom;
    taker: FileTaker;
  },
  projectId: string,
  slot: UploadSlot,
  chunk: ReceivedChunk,
): Promise<SlotState> {
  const { database, storage, reads, storageRoom, taker } = parts;
  const current = await slotRow(database.db, projectId, slot.id);
  // What is there must not be taken for the file that is sent, if it is damaged.
  if (current?.file_name) await recheckSlot({ db: database.db, reads }, projectId, slot.id);
  let begun = current && isSameFile(current, chunk) ? null : await begin(storage);
  for (;;) {
    const fresh = begun;
    const announced = await database
      .transaction(async (transaction) => {
        if (fresh) {
          const { fileName, chunks } = chunk;
          const file = { projectId, slot: slot.id, fileName, chunks };
          await storageRoom.assertRoomForFile(transaction, file);
        }
        return announce(transaction, projectId, slot, chunk, fresh);
      })
      .catch(async (error: unknown) => {
        if (fresh) await abort(storage, fresh);
        throw error;
      });
    if (announced.kind === "begins a file") {
      begun = await begin(storage);
      continue;
    }
    const upload = announced.kind === "announced" ? announced.upload : null;
    if (begun && begun.key !== upload?.key) await abort(storage, begun);
    if (announced.kind !== "announced") return announced.state;
    if (announced.replaced) await abort(storage, announced.replaced);
    return put(announced);
  }

  async function put({ upload, isStored }: { upload: Begun; isStored: boolean }) {
    const { key, uploadId } = upload;
    let tag: string | null = null;
    try {
      if (!isStored) tag = await storage.putPart(key, uploadId, chunk.chunk, chunk.source);
    } catch (error) {
      if (!(error instanceof MissingObjectError)) throw error;
      // Another file has taken this one's place, or the storage has dropped the upload: the file starts over. If
      // another sender has delivered the whole file, this call waits for the same verdict.
      const isAllThere = await database.transaction(async (transaction) => {
        const row = await lockSlot(transaction, projectId, slot.id);
        if (row.incoming_key !== key) return row.refused_key === key || taker.hasRefused(key);
        if (row.checking_until !== null) return true;
        await dropIncoming(transaction, row);
        return false;
      });
      return isAllThere
        ? taker.take(projectId, slot, key)
        : stateOf(database.db, projectId, slot.id);
    }
    const noted = await database.transaction((transaction) =>
      note(transaction, projectId, slot, chunk, key, tag),
    );
    return noted === "whole" || taker.hasRefused(key) ? taker.take(projectId, slot, key) : noted;
  }
}

/** A slot's current state. */
export async function stateOf(query: Db, projectId: string, slot: string): Promise<SlotState> {
  const row = await slotRow(query, projectId, slot);
  if (row?.incoming_name) return incomingState(row, stored(await chunksOf(query, projectId, slot)));
  return row?.file_name && (await isWhole(query, row)) ? completeState(row) : EMPTY_SLOT;
}

async function begin(storage: Storage): Promise<Begun> {
  const key = newObjectKey();
  return { key, uploadId: await storage.beginParts(key) };
}

/** Failures are ignored; the sweep aborts what is left. */
async function abort(storage: Storage, { key, uploadId }: Begun): Promise<void> {
  await storage.abortParts(key, uploadId).catch(() => undefined);
}

async function announce(
  transaction: Db,
  projectId: string,
  slot: UploadSlot,
  chunk: ReceivedChunk,
  begun: Begun | null,
): Promise<Announced> {
  const row = await lockSlot(transaction, projectId, slot.id);
  const isRepeatOfComplete =
    row.incoming_name === null &&
    row.file_name === chunk.fileName &&
    row.chunks === chunk.chunks &&
    row.chunk_hashes?.[chunk.chunk] === chunk.sha256 &&
    agrees(row.chunk_hashes, chunk) &&
    (await isWhole(transaction, row));
  if (isRepeatOfComplete) return { kind: "repeat of the complete file", state: completeState(row) };

  const before = isSameFile(row, chunk) ? await chunksOf(transaction, projectId, slot.id) : [];
  const known = before.find((each) => each.chunk === chunk.chunk);
  const others = before.filter((each) => each !== known);
  const contradicts =
    (known && known.sha256 !== chunk.sha256) || !agrees(hashesOf([...others, chunk]), chunk);
  let upload = uploadOf(row);
  let replaced: Begun | null = null;
  if (!upload || !isSameFile(row, chunk) || contradicts) {
    // Not the file in progress, so a new upload starts.
    if (!begun) return { kind: "begins a file" };
    replaced = upload;
    upload = begun;
    await dropIncoming(transaction, row);
    await changeSlot(transaction, row, {
      incoming_name: chunk.fileName,
      incoming_chunks: chunk.chunks,
      incoming_key: begun.key,
      incoming_upload_id: begun.uploadId,
    });
  }
  await transaction
    .insertInto("upload_chunks")
    .values({
      project_id: projectId,
      slot: slot.id,
      chunk: chunk.chunk,
      size: chunk.size,
      sha256: chunk.sha256,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const isStored = !replaced && known !== undefined && known.tag !== null;
  return { kind: "announced", upload, isStored, replaced };
}

/** Notes that a chunk's bytes are stored. "whole" = the file is there and nobody has begun to check it. */
async function note(
  transaction: Db,
  projectId: string,
  slot: UploadSlot,
  chunk: ReceivedChunk,
  key: string,
  tag: string | null,
): Promise<SlotState | "whole"> {
  const row = await lockSlot(transaction, projectId, slot.id);
  if (row.incoming_key !== key) {
    // The upload ended while the bytes were being sent. If it was processed, this chunk was a repeat.
    return row.refused_key === key ? "whole" : stateOf(transaction, projectId, slot.id);
  }
  if (tag !== null) {
    await transaction
      .updateTable("upload_chunks")
      .set({ tag })
      .where("project_id", "=", projectId)
      .where("slot", "=", slot.id)
      .where("chunk", "=", chunk.chunk)
      .execute();
  }
  const arrived = stored(await chunksOf(transaction, projectId, slot.id));
  const areAllThere = arrived.length === chunk.chunks && agrees(hashesOf(arrived), chunk);
  return areAllThere && chunk.fileSha256 !== "" ? "whole" : incomingState(row, arrived);
}

function isSameFile(row: SlotRow, chunk: ReceivedChunk): boolean {
  return row.incoming_name === chunk.fileName && row.incoming_chunks === chunk.chunks;
}

function uploadOf(row: SlotRow): Begun | null {
  return row.incoming_key && row.incoming_upload_id
    ? { key: row.incoming_key, uploadId: row.incoming_upload_id }
    : null;
}

/**
 * Whether the chunks with these hashes may belong to the file that `chunk`'s sender means; an incomplete set always
 * may.
 */
function agrees(hashes: readonly string[], chunk: ReceivedChunk): boolean {
  return (
    !chunk.fileSha256 || hashes.length < chunk.chunks || chunksDigest(hashes) === chunk.fileSha256
  );
}
