import type { UploadSlot } from "@stipple/contract";
import type { Db } from "../db/database.ts";
import { newObjectKey } from "../outputs/objects.ts";
import { MissingObjectError, type Storage } from "../storage/storage.ts";
import type { IncomingCheck } from "./check-incoming.ts";
import type { ReceivedChunk } from "./multipart-chunk.ts";
import {
  announceChunk,
  dropIncoming,
  lockSlot,
  noteStored,
  readSlot,
  recheckSlot,
  startFile,
  stateOf,
} from "./slot-rows.ts";
import {
  decide,
  isUnderWay,
  slotState,
  type PartUpload,
  type Sent,
  type SlotState,
} from "./upload-state.ts";
import type { UploadParts } from "./uploads.ts";

/** What this call does next, outside any transaction. */
type Task =
  | { to: "begin" }
  | { to: "send"; upload: PartUpload; replaced?: PartUpload }
  | { to: "check"; key: string }
  | { to: "answer"; state: SlotState };

/**
 * Takes a chunk into its file (see `upload-state.ts`), and returns what the slot then holds. The call that brings the
 * last missing chunk returns when the file is checked. Contradictory chunks never end up in the same upload, because the
 * second one starts a new upload.
 */
export async function acceptChunk(
  parts: Pick<UploadParts, "database" | "storage" | "reads" | "storageRoom"> & {
    check: IncomingCheck;
  },
  projectId: string,
  slot: UploadSlot,
  chunk: ReceivedChunk,
): Promise<SlotState> {
  const { database, storage, reads, storageRoom, check } = parts;
  const file = { projectId, slot: slot.id, fileName: chunk.fileName, chunks: chunk.chunks };
  // What is there must not be taken for the file that is sent, if it is damaged.
  await recheckSlot({ db: database.db, reads }, projectId, slot.id);
  let begun: PartUpload | null = null;
  let sent: Sent | null = null;
  try {
    for (;;) {
      const task: Task = await database.transaction(async (transaction) => {
        if (begun) await storageRoom.assertRoomForFile(transaction, file);
        return advance(transaction, file, chunk, { begun, sent });
      });
      if (task.to === "answer") return task.state;
      if (task.to === "check") return await check.verdict(projectId, slot, task.key);
      if (task.to === "begin") begun = await begin(storage);
      else {
        if (task.upload.key === begun?.key) begun = null;
        if (task.replaced) await abort(storage, task.replaced);
        sent = await send(storage, task.upload, chunk);
      }
    }
  } finally {
    if (begun) await abort(storage, begun);
  }
}

/** Decides under the slot's lock, and records what was decided. */
async function advance(
  transaction: Db,
  { projectId, slot: slotId }: { projectId: string; slot: string },
  chunk: ReceivedChunk,
  { begun, sent }: { begun: PartUpload | null; sent: Sent | null },
): Promise<Task> {
  const row = await lockSlot(transaction, projectId, slotId);
  if (sent?.tag != null && row.incoming_key === sent.key) {
    await noteStored(transaction, row, chunk.chunk, sent.tag);
  }
  const slot = await readSlot(transaction, row);
  const next = decide(slot, chunk, sent);
  switch (next.to) {
    case "start":
      if (!begun) return { to: "begin" };
      await startFile(transaction, row, chunk, begun);
      await announceChunk(transaction, row, chunk);
      return { to: "send", upload: begun, ...(isUnderWay(slot) ? { replaced: slot.upload } : {}) };
    case "store":
      await announceChunk(transaction, row, chunk);
      return { to: "send", upload: next.upload };
    case "check":
      return next;
    case "drop":
      await dropIncoming(transaction, row);
      return { to: "answer", state: await stateOf(transaction, projectId, slotId) };
    case "answer":
      return { to: "answer", state: slotState(slot, chunk) };
  }
}

async function begin(storage: Storage): Promise<PartUpload> {
  const key = newObjectKey();
  return { key, uploadId: await storage.beginParts(key) };
}

/** Failures are ignored; the sweep aborts what is left. */
async function abort(storage: Storage, { key, uploadId }: PartUpload): Promise<void> {
  await storage.abortParts(key, uploadId).catch(() => undefined);
}

async function send(
  storage: Storage,
  { key, uploadId }: PartUpload,
  { chunk, source }: ReceivedChunk,
): Promise<Sent> {
  try {
    return { key, tag: await storage.putPart(key, uploadId, chunk, source) };
  } catch (error) {
    // Another file has taken this one's place, or the storage has dropped the upload.
    if (error instanceof MissingObjectError) return { key, tag: null };
    throw error;
  }
}
