import { setTimeout as delay } from "node:timers/promises";
import { acceptedExtension, platformById, type UploadSlot } from "@stipple/contract";
import { sql } from "kysely";
import type { Database, Db } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import { adopt, doom, draftObject, equalObject, sweepObjects } from "../outputs/objects.ts";
import type { SoundReads } from "../outputs/sound-reads.ts";
import { MissingObjectError, type Storage } from "../storage/storage.ts";
import { stateOf } from "./accept-chunk.ts";
import type { FileChecker } from "./file-checker.ts";
import { chunksOf, clearIncoming, dropIncoming, slotRow } from "./slot-rows.ts";
import { chunksDigest } from "../outputs/content.ts";
import { hashesOf, type SlotRow, type SlotState } from "./slot-state.ts";

/** Processes complete files: assembles and checks them, then puts them in place or refuses them. */
export interface FileTaker {
  /**
   * Processes the file with this key, or waits for the process that is working on it. Neither holds a connection
   * meanwhile. Throws upload_file_invalid for a file that fails the check, and project_busy if a run has started: the
   * file then waits.
   */
  take(projectId: string, slot: UploadSlot, key: string): Promise<SlotState>;
  /** Whether this process has refused the file of this key lately. */
  hasRefused(key: string): boolean;
  /** Processes files whose process died while working on them. */
  resume(): Promise<void>;
}

/** How often a process checking a file reports that it is alive, and how long a report is valid. */
const BEAT_MS = 10_000;
const HELD_SECONDS = 40;
const LOOK_AGAIN_MS = 250;
/**
 * Number of refusals a process remembers, for senders of the same file who ask after the next file is already in the
 * slot.
 */
const REMEMBERED = 1_000;
const held = sql<Date>`now() + make_interval(secs => ${HELD_SECONDS})`;

export function openFileTaker(parts: {
  database: Database;
  storage: Storage;
  reads: SoundReads;
  checker: FileChecker;
}): FileTaker {
  const { database, storage, reads, checker } = parts;
  const { db } = database;
  const refusals = new Map<string, string>();
  function remember(key: string, refusal: string): void {
    refusals.set(key, refusal);
    for (const oldest of refusals.keys()) {
      if (refusals.size <= REMEMBERED) break;
      refusals.delete(oldest);
    }
  }

  /** The slot's row, if its file is now ours to process. */
  async function claim(projectId: string, slot: string, key: string): Promise<SlotRow | undefined> {
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

  async function setHeld(key: string, until: typeof held | null): Promise<void> {
    await db
      .updateTable("uploads")
      .set({ checking_until: until })
      .where("incoming_key", "=", key)
      .execute();
  }

  async function take(projectId: string, slot: UploadSlot, key: string): Promise<SlotState> {
    for (;;) {
      const row = await claim(projectId, slot.id, key);
      if (row) return carryOut(row, slot, key);
      const refusal = refusals.get(key);
      if (refusal !== undefined) throw new ApiError("upload_file_invalid", refusal);
      const now = await slotRow(db, projectId, slot.id);
      if (now?.refused_key === key) {
        throw new ApiError("upload_file_invalid", now.refusal ?? undefined);
      }
      if (now?.incoming_key !== key) return stateOf(db, projectId, slot.id);
      await delay(LOOK_AGAIN_MS);
    }
  }

  async function carryOut(row: SlotRow, slot: UploadSlot, key: string): Promise<SlotState> {
    const beat = setInterval(() => void setHeld(key, held).catch(() => undefined), BEAT_MS);
    try {
      const fileName = row.incoming_name ?? "";
      const chunks = await chunksOf(db, row.project_id, slot.id);
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
      });
      const known = contentOf(chunks);
      const equal = await equalObject(db, known);
      if (equal) {
        // If its bytes are not right, it is marked, and gets those that have just arrived.
        const { size, digest } = known;
        await reads.isSound(equal.storageKey, { size, chunks: digest });
      }
      const isSettled = await database.transaction((transaction) =>
        settle(transaction, row, key, { chunks, refusal }),
      );
      if (isSettled && refusal !== null) remember(key, refusal);
    } catch (error) {
      const now = await slotRow(db, row.project_id, slot.id);
      // Another file has taken this one's place while it was read, and with it its bytes.
      const isReplaced = now?.incoming_key !== key;
      // The storage has forgotten the parts: the file is to be sent again.
      const isForgotten = error instanceof MissingObjectError;
      if (!isReplaced && !isForgotten) throw error;
      await database.transaction(async (transaction) => {
        const incoming = await lockIncoming(transaction, row, key);
        if (incoming) await dropIncoming(transaction, incoming);
      });
    } finally {
      clearInterval(beat);
      await setHeld(key, null);
    }
    // Remove refused or replaced files now rather than with the next sweep.
    await sweepObjects(db, storage).catch(() => undefined);
    return take(row.project_id, slot, key);
  }

  return {
    take,
    hasRefused: (key) => refusals.has(key),
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
        if (slot && key) await take(projectId, slot, key).catch(ignoreRefusal);
      }
    },
  };
}

/** Writes the outcome down; false where another file has taken this one's place meanwhile. */
async function settle(
  transaction: Db,
  row: SlotRow,
  key: string,
  found: { chunks: Awaited<ReturnType<typeof chunksOf>>; refusal: string | null },
): Promise<boolean> {
  // A run being accepted at this moment waits for this lock, or this code waits for the run's.
  await transaction
    .selectFrom("projects")
    .select("id")
    .where("id", "=", row.project_id)
    .forUpdate()
    .executeTakeFirst();
  const now = await lockIncoming(transaction, row, key);
  if (!now) {
    await doom(transaction, [key]);
    return false;
  }
  if (found.refusal !== null) {
    await dropIncoming(transaction, now, { refused_key: key, refusal: found.refusal });
    return true;
  }
  await assertIdle(transaction, row.project_id);
  const { hashes, size, digest } = contentOf(found.chunks);
  const object = await adopt(transaction, { digest, size, storageKey: key });
  await transaction
    .updateTable("uploads")
    .set({
      file_name: now.incoming_name,
      size,
      object_id: object.id,
      digest,
      chunks: hashes.length,
      chunk_hashes: JSON.stringify(hashes),
    })
    .where("project_id", "=", row.project_id)
    .where("slot", "=", row.slot)
    .execute();
  await clearIncoming(transaction, now);
  return true;
}

function contentOf(chunks: Awaited<ReturnType<typeof chunksOf>>) {
  const hashes = hashesOf(chunks);
  const size = chunks.reduce((sum, each) => sum + each.size, 0);
  return { hashes, size, digest: chunksDigest(hashes) };
}

async function lockIncoming(
  transaction: Db,
  row: SlotRow,
  key: string,
): Promise<SlotRow | undefined> {
  return transaction
    .selectFrom("uploads")
    .selectAll()
    .where("project_id", "=", row.project_id)
    .where("slot", "=", row.slot)
    .where("incoming_key", "=", key)
    .forUpdate()
    .executeTakeFirst();
}

async function assertIdle(query: Db, projectId: string): Promise<void> {
  const run = await query
    .selectFrom("runs")
    .select("id")
    .where("project_id", "=", projectId)
    .where("status", "in", ["pending", "running"])
    .executeTakeFirst();
  if (run) throw new ApiError("project_busy");
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
}
