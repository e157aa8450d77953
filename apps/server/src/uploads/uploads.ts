import { createHash } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { acceptedExtension, CHUNK_BYTES, platformById, type UploadSlot } from "@stipple/contract";
import type { Config } from "../config.ts";
import type { Database, Db } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import { incomingKey, inputKey } from "../storage/project-keys.ts";
import type { Storage } from "../storage/storage.ts";
import { faultOfFile } from "./check-file.ts";
import type { ReceivedChunk } from "./multipart-chunk.ts";

/** How far the upload of a slot is. `chunks` is null while nothing was ever sent. */
export interface SlotState {
  fileName: string | null;
  received: number[];
  chunks: number | null;
  complete: boolean;
  size: number | null;
  /** Hex SHA-256 of each received chunk; empty where they are not known. */
  sha256: string[];
}

export interface Uploads {
  /** Folder for chunks on their way in. */
  spool: string;
  /** Refuses a file that this slot cannot hold, before its bytes are looked at. */
  assertAccepted(slot: UploadSlot, fileName: string): string;
  /**
   * Takes a chunk, in any order, once or more often. The last one that was missing assembles and checks the file;
   * a file that fails the check leaves the slot ready for another try. A complete file stays in use until the one
   * that replaces it is complete. A chunk that contradicts those before it begins the file anew, and a sender that
   * says what the whole file must be gets no other: chunks of two files of one name never become a file.
   */
  accept(projectId: string, slot: UploadSlot, chunk: ReceivedChunk): Promise<SlotState>;
  state(projectId: string, slot: UploadSlot): Promise<SlotState>;
  /** Empties a slot: its file, and what has arrived of another. Nothing happens where nothing is. */
  remove(projectId: string, slot: UploadSlot): Promise<void>;
  /** Slot id → the complete file's own name. */
  complete(projectId: string): Promise<Record<string, string>>;
  /** Removes chunks that a crash left in the spool. */
  sweepSpool(): Promise<void>;
  /** Fills slots from local files, as if they had been uploaded. Slot id → path. */
  fill(projectId: string, files: ReadonlyMap<string, string>): Promise<void>;
}

const SPOOL_LIFETIME_MS = 3_600_000;

/** Remark on an image that is probably the small preview; null when there is nothing to say. */
export function remarkOn(slot: UploadSlot, size: number | null): string | undefined {
  return size !== null && size < (slot.smallBelowBytes ?? 0)
    ? "This file seems too small. Please ensure that it is the full resolution image (roughly 500 MB to 7 GB), not the small ~20 MB preview."
    : undefined;
}

export function openUploads(parts: {
  database: Database;
  storage: Storage;
  config: Config;
}): Uploads {
  const { database, storage, config } = parts;
  const { db } = database;
  const spool = join(config.dataDir, "spool");

  /** The slot's row, locked: chunks of one slot are put in place one at a time, also across processes. */
  async function lockSlot(transaction: Db, projectId: string, slot: string) {
    await transaction
      .insertInto("uploads")
      .values({ project_id: projectId, slot })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return transaction
      .selectFrom("uploads")
      .selectAll()
      .where("project_id", "=", projectId)
      .where("slot", "=", slot)
      .forUpdate()
      .executeTakeFirstOrThrow();
  }

  async function receivedChunks(query: Db, projectId: string, slot: string) {
    return query
      .selectFrom("upload_chunks")
      .select(["chunk", "size", "sha256"])
      .where("project_id", "=", projectId)
      .where("slot", "=", slot)
      .orderBy("chunk")
      .execute();
  }

  async function forgetIncoming(query: Db, projectId: string, slot: string): Promise<void> {
    await query
      .deleteFrom("upload_chunks")
      .where("project_id", "=", projectId)
      .where("slot", "=", slot)
      .execute();
    await query
      .updateTable("uploads")
      .set({ incoming_name: null, incoming_chunks: null })
      .where("project_id", "=", projectId)
      .where("slot", "=", slot)
      .execute();
  }

  async function storeComplete(
    query: Db,
    projectId: string,
    slot: UploadSlot,
    file: { name: string; size: number; key: string; hashes: string[] },
  ): Promise<void> {
    const values = {
      file_name: file.name,
      size: file.size,
      storage_key: file.key,
      chunks: Math.max(1, Math.ceil(file.size / CHUNK_BYTES)),
      chunk_hashes: JSON.stringify(file.hashes),
    };
    await query
      .insertInto("uploads")
      .values({ project_id: projectId, slot: slot.id, ...values })
      .onConflict((conflict) => conflict.columns(["project_id", "slot"]).doUpdateSet(values))
      .execute();
  }

  function assertAccepted(slot: UploadSlot, fileName: string): string {
    const extension = acceptedExtension(slot, fileName);
    if (extension !== undefined) return extension;
    throw new ApiError(
      "upload_type_wrong",
      `${fileName || "The file"} is not accepted as ${slot.label}: accepted types are ${slot.extensions.join(" and ")}.`,
    );
  }

  return {
    spool,
    assertAccepted,
    async accept(projectId, slot, chunk) {
      const extension = assertAccepted(slot, chunk.fileName);
      if (chunk.chunks * CHUNK_BYTES > config.maxUploadBytes + CHUNK_BYTES) {
        throw new ApiError(
          "upload_too_large",
          `${chunk.fileName} is larger than the ${Math.floor(config.maxUploadBytes / 1024 ** 3)} GB that this server accepts.`,
        );
      }
      const incoming = incomingKey(projectId, slot.id);
      // A refusal must not roll back the bookkeeping that goes with it, so it is returned and thrown afterwards.
      const outcome = await database.transaction(async (transaction) => {
        const row = await lockSlot(transaction, projectId, slot.id);
        const sameFile =
          row.incoming_name === chunk.fileName && row.incoming_chunks === chunk.chunks;
        const before = sameFile ? await receivedChunks(transaction, projectId, slot.id) : [];

        const isRepeatOfComplete =
          row.incoming_name === null &&
          row.file_name === chunk.fileName &&
          row.chunks === chunk.chunks &&
          row.chunk_hashes?.[chunk.chunk] === chunk.sha256 &&
          agrees(row.chunk_hashes, chunk);
        if (isRepeatOfComplete) return { state: completeState(row) };

        const known = before.find((each) => each.chunk === chunk.chunk);
        const others = before.filter((each) => each !== known);
        const contradicts =
          (known && known.sha256 !== chunk.sha256) || !agrees(hashesOf([...others, chunk]), chunk);
        if (!sameFile || contradicts) {
          // Another file than the one under way: it starts anew.
          await forgetIncoming(transaction, projectId, slot.id);
          before.length = 0;
        }
        if (!before.some((each) => each.chunk === chunk.chunk)) {
          await storage.putPart(incoming, chunk.path, chunk.chunk, CHUNK_BYTES);
          await transaction
            .updateTable("uploads")
            .set({ incoming_name: chunk.fileName, incoming_chunks: chunk.chunks })
            .where("project_id", "=", projectId)
            .where("slot", "=", slot.id)
            .execute();
          await transaction
            .insertInto("upload_chunks")
            .values({
              project_id: projectId,
              slot: slot.id,
              chunk: chunk.chunk,
              size: chunk.size,
              sha256: chunk.sha256,
            })
            .execute();
        }
        const received = await receivedChunks(transaction, projectId, slot.id);
        const isWhole = received.length === chunk.chunks && agrees(hashesOf(received), chunk);
        if (!isWhole || chunk.fileSha256 === "") {
          return { state: incomingState(chunk.fileName, chunk.chunks, received) };
        }

        const size = received.reduce((sum, each) => sum + each.size, 0);
        await storage.completeParts(incoming, size);
        await forgetIncoming(transaction, projectId, slot.id);
        const fault = await faultOfFile(storage, incoming, chunk.fileName, extension);
        if (fault) {
          await storage.remove(incoming);
          return { refusal: new ApiError("upload_file_invalid", fault) };
        }
        const key = `${inputKey(projectId)}/${slot.storedAs}${extension}`;
        await storage.move(incoming, key);
        if (row.storage_key && row.storage_key !== key) await storage.remove(row.storage_key);
        await storeComplete(transaction, projectId, slot, {
          name: chunk.fileName,
          size,
          key,
          hashes: hashesOf(received),
        });
        return {
          state: completeState({
            file_name: chunk.fileName,
            chunks: chunk.chunks,
            size,
            chunk_hashes: hashesOf(received),
          }),
        };
      });
      if (outcome.refusal) throw outcome.refusal;
      return outcome.state;
    },

    async state(projectId, slot) {
      const row = await db
        .selectFrom("uploads")
        .selectAll()
        .where("project_id", "=", projectId)
        .where("slot", "=", slot.id)
        .executeTakeFirst();
      if (row?.incoming_name) {
        const received = await receivedChunks(db, projectId, slot.id);
        return incomingState(row.incoming_name, row.incoming_chunks, received);
      }
      return row?.file_name ? completeState(row) : incomingState(null, null, []);
    },

    async remove(projectId, slot) {
      await database.transaction(async (transaction) => {
        const row = await lockSlot(transaction, projectId, slot.id);
        await forgetIncoming(transaction, projectId, slot.id);
        await transaction
          .deleteFrom("uploads")
          .where("project_id", "=", projectId)
          .where("slot", "=", slot.id)
          .execute();
        for (const key of [row.storage_key, incomingKey(projectId, slot.id)]) {
          if (key) await storage.remove(key);
        }
      });
    },

    async complete(projectId) {
      const rows = await db
        .selectFrom("uploads")
        .select(["slot", "file_name"])
        .where("project_id", "=", projectId)
        .where("file_name", "is not", null)
        .execute();
      return Object.fromEntries(rows.map((row) => [row.slot, row.file_name ?? ""]));
    },

    async sweepSpool() {
      for (const name of await readdir(spool).catch(() => [])) {
        const path = join(spool, name);
        const info = await stat(path).catch(() => null);
        // Another API process may be receiving one right now.
        if (info && Date.now() - info.mtimeMs > SPOOL_LIFETIME_MS) await rm(path, { force: true });
      }
    },

    async fill(projectId, files) {
      const { options } = await db
        .selectFrom("projects")
        .select("options")
        .where("id", "=", projectId)
        .executeTakeFirstOrThrow();
      for (const slot of platformById(options.platform).slots) {
        const path = files.get(slot.id);
        if (!path) continue;
        const extension = assertAccepted(slot, path);
        const key = `${inputKey(projectId)}/${slot.storedAs}${extension}`;
        await storage.putFile(key, path);
        const info = await storage.stat(key);
        await storeComplete(db, projectId, slot, {
          name: `${slot.storedAs}${extension}`,
          size: info?.size ?? 0,
          key,
          hashes: [],
        });
      }
    },
  };
}

interface KnownChunk {
  chunk: number;
  sha256: string;
}

function hashesOf(chunks: readonly KnownChunk[]): string[] {
  return chunks.toSorted((a, b) => a.chunk - b.chunk).map((each) => each.sha256);
}

/** What a file is known by: the SHA-256 of its chunks' hex SHA-256s, joined in order. */
function chunksDigest(hashes: readonly string[]): string {
  return createHash("sha256").update(hashes.join("")).digest("hex");
}

/** Whether the chunks with these hashes may be the file that the sender of `chunk` means; fewer than all may. */
function agrees(hashes: readonly string[], chunk: ReceivedChunk): boolean {
  return (
    !chunk.fileSha256 || hashes.length < chunk.chunks || chunksDigest(hashes) === chunk.fileSha256
  );
}

function incomingState(
  fileName: string | null,
  chunks: number | null,
  received: readonly KnownChunk[],
): SlotState {
  return {
    fileName,
    received: received.map((each) => each.chunk),
    chunks,
    complete: false,
    size: null,
    sha256: received.map((each) => each.sha256),
  };
}

function completeState(file: {
  file_name: string | null;
  chunks: number | null;
  size: string | number | null;
  chunk_hashes: string[] | null;
}): SlotState {
  return {
    fileName: file.file_name,
    received: Array.from({ length: file.chunks ?? 0 }, (_, index) => index),
    chunks: file.chunks,
    complete: true,
    size: file.size === null ? null : Number(file.size),
    sha256: file.chunk_hashes ?? [],
  };
}
