import { setTimeout as delay } from "node:timers/promises";
import { acceptedExtension, platformById, type UploadSlot } from "@stipple/contract";
import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import { hasActiveRun, lockRow } from "../db/rows.ts";
import { ApiError } from "../http/api-error.ts";
import { BoundedMap } from "../operations/bounded-map.ts";
import { chunksDigest } from "../outputs/content.ts";
import {
  adopt,
  markForRemoval,
  draftObject,
  equalObject,
  sweepObjects,
} from "../outputs/objects.ts";
import { MissingObjectError } from "../storage/storage.ts";
import type { FileChecker } from "./file-checker.ts";
import {
  chunksOf,
  clearIncoming,
  dropIncoming,
  lockIncoming,
  setFile,
  slotRow,
  stateOf,
} from "./slot-rows.ts";
import { hashesOf, type ChunkRow, type SlotRow, type SlotState } from "./upload-state.ts";
import type { UploadParts } from "./uploads.ts";

/** Assembles and checks whole files, then puts them in place or refuses them: one process at a time a file. */
export interface IncomingCheck {
  /**
   * Checks the file with this key, or waits for the process that does. Neither holds a connection meanwhile. Throws
   * upload_file_invalid for a file that fails the check, and project_busy if a run has started: the file then waits.
   */
  verdict(projectId: string, slot: UploadSlot, key: string): Promise<SlotState>;
  /** Checks files whose process died meanwhile. */
  resume(): Promise<void>;
}

/** How often a process checking a file reports that it is alive, and how long a report is valid. */
const BEAT_MS = 10_000;
const HELD_SECONDS = 40;
const POLL_MS = 250;
const held = sql<Date>`now() + make_interval(secs => ${HELD_SECONDS})`;

type Parts = Pick<UploadParts, "database" | "storage" | "reads" | "scratch"> & {
  checker: FileChecker;
};

interface Remembering extends Parts {
  /** For senders of the same file who ask after the next file is already in the slot. */
  refusals: BoundedMap<string>;
}

export function openIncomingCheck(parts: Parts): IncomingCheck {
  const { db } = parts.database;
  const refusals = new BoundedMap<string>(1_000);

  async function verdict(projectId: string, slot: UploadSlot, key: string): Promise<SlotState> {
    for (;;) {
      const ours = await claim(db, projectId, slot.id, key);
      if (ours) await checkHeld({ ...parts, refusals }, ours, slot, key);
      const row = await slotRow(db, projectId, slot.id);
      const refusal = refusals.get(key) ?? (row?.refused_key === key ? row.refusal : null);
      if (refusal !== null) throw new ApiError("upload_file_invalid", refusal);
      if (row?.incoming_key !== key) return stateOf(db, projectId, slot.id);
      if (!ours) await delay(POLL_MS);
    }
  }

  return {
    verdict,
    async resume() {
      const left = await db
        .selectFrom("uploads")
        .innerJoin("projects", "projects.id", "uploads.project_id")
        .select(["project_id", "slot", "incoming_key", "projects.options"])
        .where("checking_until", "<", sql<Date>`now()`)
        .execute();
      for (const { project_id: projectId, slot: id, incoming_key: key, options } of left) {
        const slot = platformById(options.platform).slots.find((each) => each.id === id);
        // A refusal is the outcome, and its owner reads it in the slot.
        if (slot && key) await verdict(projectId, slot, key).catch(ignoreRefusal);
      }
    },
  };
}

/** The slot's row, if its file is now this process's to check. */
async function claim(
  db: Db,
  projectId: string,
  slot: string,
  key: string,
): Promise<SlotRow | undefined> {
  return db
    .updateTable("uploads")
    .set({ checking_until: held })
    .where("project_id", "=", projectId)
    .where("slot", "=", slot)
    .where("incoming_key", "=", key)
    .where((is) =>
      is.or([is("checking_until", "is", null), is("checking_until", "<", sql<Date>`now()`)]),
    )
    .returningAll()
    .executeTakeFirst();
}

async function hold(db: Db, key: string, until: typeof held | null): Promise<void> {
  await db
    .updateTable("uploads")
    .set({ checking_until: until })
    .where("incoming_key", "=", key)
    .execute();
}

/** Checks a claimed file and writes the outcome down. */
async function checkHeld(
  parts: Remembering,
  row: SlotRow,
  slot: UploadSlot,
  key: string,
): Promise<void> {
  const { database, storage } = parts;
  const { db } = database;
  const beat = setInterval(() => void hold(db, key, held).catch(() => undefined), BEAT_MS);
  try {
    await assembleAndCheck(parts, row, slot, key);
  } catch (error) {
    // Another file has taken this one's place while it was read, and with it its bytes.
    const isReplaced = (await slotRow(db, row.project_id, slot.id))?.incoming_key !== key;
    // The storage has forgotten the parts: the file is to be sent again.
    const isForgotten = error instanceof MissingObjectError;
    if (!isReplaced && !isForgotten) throw error;
    await database.transaction(async (transaction) => {
      const incoming = await lockIncoming(transaction, row, key);
      if (incoming) await dropIncoming(transaction, incoming);
    });
  } finally {
    clearInterval(beat);
    await hold(db, key, null);
  }
  // Remove refused or replaced files now rather than with the next sweep.
  await sweepObjects(db, storage).catch(() => undefined);
}

async function assembleAndCheck(
  parts: Remembering,
  row: SlotRow,
  slot: UploadSlot,
  key: string,
): Promise<void> {
  const { database, storage, reads, checker, scratch, refusals } = parts;
  const { db } = database;
  const fileName = row.incoming_name ?? "";
  const chunks = await chunksOf(db, row);
  await draftObject(db, key);
  await storage.completeParts(
    key,
    row.incoming_upload_id ?? "",
    chunks.map(({ chunk, tag, size }) => ({ index: chunk, tag: tag ?? "", size })),
  );
  const refusal = await checker.faultOf({
    key,
    fileName,
    extension: acceptedExtension(slot, fileName) ?? "",
    slot: slot.id,
    scratch: scratch.folder,
  });
  const known = contentOf(chunks);
  const equal = await equalObject(db, known);
  if (equal) {
    // If its bytes are not right, it is marked, and gets those that have just arrived.
    const { size, digest } = known;
    await reads.isSound(equal.storageKey, { size, chunks: digest });
  }
  // Before the slot is free: another sender may fill it at once, and overwrite its refusal.
  if (refusal !== null) refusals.set(key, refusal);
  const isSettled = await database.transaction((transaction) =>
    settle(transaction, row, key, { chunks, refusal }),
  );
  if (!isSettled) refusals.delete(key);
}

/** Writes the outcome down; false where another file has taken this one's place meanwhile. */
async function settle(
  transaction: Db,
  row: SlotRow,
  key: string,
  found: { chunks: readonly ChunkRow[]; refusal: string | null },
): Promise<boolean> {
  // A run being accepted at this moment waits for this lock, or this code waits for the run's.
  await lockRow(transaction, "projects", row.project_id);
  const now = await lockIncoming(transaction, row, key);
  if (!now) {
    await markForRemoval(transaction, [key]);
    return false;
  }
  if (found.refusal !== null) {
    await dropIncoming(transaction, now, { refused_key: key, refusal: found.refusal });
    return true;
  }
  const isBusy = await hasActiveRun(transaction, "project_id", row.project_id);
  if (isBusy) throw new ApiError("project_busy");
  const content = contentOf(found.chunks);
  const { id: objectId } = await adopt(transaction, { ...content, storageKey: key });
  await setFile(transaction, now, { ...content, fileName: now.incoming_name, objectId });
  await clearIncoming(transaction, now);
  return true;
}

function contentOf(chunks: readonly ChunkRow[]) {
  const hashes = hashesOf(chunks);
  const size = chunks.reduce((sum, each) => sum + each.size, 0);
  return { hashes, size, digest: chunksDigest(hashes) };
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
}
