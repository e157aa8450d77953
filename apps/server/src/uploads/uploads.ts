import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import {
  acceptedExtension,
  CHUNK_BYTES,
  platformById,
  type AnalysisOptions,
  type RunChoices,
  type UploadSlot,
} from "@stipple/contract";
import { REFERENCE_SLOT } from "@stipple/contract/platforms/shared-slots";
import { typeRefusal } from "@stipple/contract/recognition/accepted-type";
import type { ReferenceOrder } from "@stipple/pipeline/steps/5-cluster-analysis/reference/condense-reference";
import type { Config } from "../config.ts";
import { audit } from "../audit/audit.ts";
import type { StorageRoom } from "../billing/storage-room.ts";
import type { Database } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import { adopt, draftObject, equalObject, sweepObjects } from "../outputs/objects.ts";
import type { Scratch } from "../outputs/scratch.ts";
import type { SoundReads } from "../outputs/sound-reads.ts";
import type { Storage } from "../storage/storage.ts";
import { runSettings } from "../projects/run-settings.ts";
import { acceptChunk, stateOf } from "./accept-chunk.ts";
import { openFileChecker } from "./file-checker.ts";
import { openFileTaker } from "./file-taker.ts";
import type { ReceivedChunk } from "./multipart-chunk.ts";
import { dropIncoming, lockSlot, recheckSlot, slotRow } from "./slot-rows.ts";
import { chunksDigest } from "../outputs/content.ts";
import type { SlotState } from "./slot-state.ts";
import type { InputFile } from "../outputs/input-reads.ts";

export interface Uploads extends Disposable {
  /** Folder for chunks on their way in. */
  spool: string;
  /** Refuses a file that this slot cannot hold, before its bytes are checked. */
  assertAccepted(slot: UploadSlot, fileName: string): string;
  /**
   * Accepts a chunk, in any order, once or repeatedly. The last missing one assembles and checks the file; if the check
   * fails, the slot is ready for another attempt. A complete file stays in use until its replacement is complete. A
   * chunk that contradicts earlier ones starts the file over, and a sender that states the digest of the whole file
   * gets no other file: chunks of two files with the same name are never combined.
   */
  accept(projectId: string, slot: UploadSlot, chunk: ReceivedChunk): Promise<SlotState>;
  /** A slot whose file is damaged is empty: it must be sent again. */
  state(projectId: string, slot: UploadSlot): Promise<SlotState>;
  /** Empties a slot: its file, and any part of an incoming one. Does nothing if the slot is empty. */
  remove(project: { id: string; userId: string; name: string }, slot: UploadSlot): Promise<void>;
  /** Slot id → the complete file's own name. */
  complete(projectId: string): Promise<Record<string, string>>;
  /** The complete files, as they are now. */
  inputs(projectId: string): Promise<InputFile[]>;
  /**
   * Why the project's complete files cannot be analyzed together, in one sentence; null if nothing speaks against it.
   * Checked in another process, once for the same files and options.
   */
  faultOfSample(
    project: { id: string; name: string; options: AnalysisOptions },
    choices: RunChoices,
  ): Promise<string | null>;
  /** Which slots are filled, and with how many bytes. One query. */
  sizes(projectId: string): Promise<{ slot: string; size: number }[]>;
  /** Removes chunks that a crash left in the spool, and takes files that a crash left unchecked. */
  sweep(): Promise<void>;
  /** Fills a slot from a local file under a name of its own. */
  put(projectId: string, slot: UploadSlot, path: string, fileName: string): Promise<void>;
  /**
   * Condenses the project's reference in another process, and keeps it for `owner`. Returns why not, in one sentence;
   * null if it is kept.
   */
  keepReference(projectId: string, owner: string, about: ReferenceOrder): Promise<string | null>;
  /** Fills slots from local files, as if they had been uploaded. Slot id → path. */
  fill(projectId: string, files: ReadonlyMap<string, string>): Promise<void>;
}

const SPOOL_LIFETIME_MS = 3_600_000;
/** Outcomes of checks that a process remembers. */
const REMEMBERED = 500;
/** From a bucket, larger files are not fetched just to check them. */
const LARGEST_COPY = 500e6;

/** A warning about an image that is probably the small preview; undefined if there is none. */
export function remarkOn(slot: UploadSlot, size: number | null): string | undefined {
  return size !== null && size < (slot.smallBelowBytes ?? 0)
    ? "This file seems too small. Please ensure that it is the full resolution image (roughly 500 MB to 7 GB), not the small ~20 MB preview."
    : undefined;
}

export function openUploads(parts: {
  database: Database;
  storage: Storage;
  reads: SoundReads;
  config: Config;
  storageRoom: StorageRoom;
  scratch: Scratch;
}): Uploads {
  const { database, storage, reads, config, storageRoom, scratch } = parts;
  const { db } = database;
  const spool = join(config.dataDir, "spool");
  const checker = openFileChecker(config.storage);
  const checks = new Map<string, Promise<string | null>>();
  const taker = openFileTaker({ database, storage, reads, checker });

  function assertAccepted(slot: UploadSlot, fileName: string): string {
    const extension = acceptedExtension(slot, fileName);
    if (extension !== undefined) return extension;
    throw new ApiError("upload_type_wrong", typeRefusal(slot, fileName) ?? undefined);
  }

  /** Stores a local file as an object, unless one with this content exists and can be read. */
  async function putLocal(
    projectId: string,
    slot: UploadSlot,
    path: string,
    fileName = `${slot.storedAs}${assertAccepted(slot, path)}`,
  ): Promise<void> {
    const { size } = await stat(path);
    const hashes = await chunkHashes(createReadStream(path, { highWaterMark: 1024 * 1024 }));
    const content = { digest: chunksDigest(hashes), size };
    const equal = await equalObject(db, content);
    const known = { size, chunks: content.digest };
    const isKnown = equal !== null && (await reads.isSound(equal.storageKey, known));
    const draft = await draftObject(db);
    // Copied, not linked: damage to one must not be damage to the other.
    const store = (): Promise<void> => storage.put(draft, createReadStream(path));
    if (!isKnown) await store();
    await database.transaction(async (transaction) => {
      await lockSlot(transaction, projectId, slot.id);
      const object = await adopt(transaction, { ...content, storageKey: draft });
      // The existing object was deleted, or found damaged, in the meantime.
      if (isKnown && object.isNew) await store();
      await transaction
        .updateTable("uploads")
        .set({
          file_name: fileName,
          size,
          object_id: object.id,
          digest: content.digest,
          chunks: hashes.length,
          chunk_hashes: JSON.stringify(hashes),
        })
        .where("project_id", "=", projectId)
        .where("slot", "=", slot.id)
        .execute();
    });
  }

  /** Early versions did not hash every file; such a file is read once. */
  async function digestOf(projectId: string, slot: string, storageKey: string): Promise<string> {
    const digest = chunksDigest(await chunkHashes(await storage.get(storageKey)));
    await db
      .updateTable("uploads")
      .set({ digest })
      .where("project_id", "=", projectId)
      .where("slot", "=", slot)
      .where("digest", "is", null)
      .execute();
    return digest;
  }

  return {
    spool,
    assertAccepted,
    async accept(projectId, slot, chunk) {
      assertAccepted(slot, chunk.fileName);
      if (chunk.chunks * CHUNK_BYTES > config.maxUploadBytes + CHUNK_BYTES) {
        throw new ApiError(
          "upload_too_large",
          `${chunk.fileName} exceeds this server's limit of ${Math.floor(config.maxUploadBytes / 1024 ** 3)} GB.`,
        );
      }
      return acceptChunk({ database, storage, reads, storageRoom, taker }, projectId, slot, chunk);
    },

    async state(projectId, slot) {
      await recheckSlot({ db, reads }, projectId, slot.id);
      return stateOf(db, projectId, slot.id);
    },

    async remove(project, slot) {
      const upload = await database.transaction(async (transaction) => {
        const row = await lockSlot(transaction, project.id, slot.id);
        await dropIncoming(transaction, row);
        await transaction
          .deleteFrom("uploads")
          .where("project_id", "=", project.id)
          .where("slot", "=", slot.id)
          .execute();
        const file = row.file_name ?? row.incoming_name;
        if (file !== null) {
          await audit(transaction, {
            userId: project.userId,
            what: "file_removed",
            about: { project: project.name, file },
          });
        }
        return row;
      });
      // If the files cannot be removed, the next sweep tries again.
      const { incoming_key: key, incoming_upload_id: uploadId } = upload;
      if (key && uploadId) await storage.abortParts(key, uploadId).catch(() => undefined);
      await sweepObjects(db, storage).catch(() => undefined);
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

    async faultOfSample(project, choices) {
      const inputs = await this.inputs(project.id);
      if (inputs.length === 0) return null;
      const settings = runSettings({ ...project, choices }, inputs);
      const known = createHash("sha256")
        .update(JSON.stringify([inputs.map(({ slot, digest }) => [slot, digest]), settings]))
        .digest("hex");
      let check = checks.get(known);
      if (!check) {
        check = checker.faultOf({
          files: inputs.map(({ name, storageKey, size }) => ({ name, key: storageKey, size })),
          settings,
          scratch: scratch.folder,
          largestCopy: config.storage.address.startsWith("file:")
            ? Number.MAX_SAFE_INTEGER
            : LARGEST_COPY,
        });
        // A check that failed says nothing about the files.
        check.catch(() => checks.delete(known));
        checks.set(known, check);
        for (const oldest of checks.keys()) {
          if (checks.size <= REMEMBERED) break;
          checks.delete(oldest);
        }
      }
      return check;
    },

    async sizes(projectId) {
      const rows = await db
        .selectFrom("uploads")
        .select(["slot", "size"])
        .where("project_id", "=", projectId)
        .where("file_name", "is not", null)
        .execute();
      return rows.map(({ slot, size }) => ({ slot, size: Number(size) }));
    },

    async inputs(projectId) {
      const rows = await db
        .selectFrom("uploads")
        .innerJoin("objects", "objects.id", "uploads.object_id")
        .innerJoin("projects", "projects.id", "uploads.project_id")
        .select(["slot", "file_name", "storage_key", "objects.size", "uploads.digest", "options"])
        .where("project_id", "=", projectId)
        .orderBy("slot")
        .execute();
      const files: InputFile[] = [];
      for (const row of rows) {
        const { slots } = platformById(row.options.platform);
        const slot = slots.find((each) => each.id === row.slot);
        if (!slot) continue;
        files.push({
          slot: slot.id,
          name: `${slot.storedAs}${acceptedExtension(slot, row.file_name ?? "") ?? ""}`,
          storageKey: row.storage_key,
          size: Number(row.size),
          digest: row.digest ?? (await digestOf(projectId, slot.id, row.storage_key)),
        });
      }
      return files;
    },

    async sweep() {
      for (const name of await readdir(spool).catch(() => [])) {
        const path = join(spool, name);
        const info = await stat(path).catch(() => null);
        // Another API process may be receiving one right now.
        if (info && Date.now() - info.mtimeMs > SPOOL_LIFETIME_MS) await rm(path, { force: true });
      }
      await taker.resume();
    },

    [Symbol.dispose]: () => checker[Symbol.dispose](),

    put: putLocal,

    async keepReference(projectId, owner, about) {
      const row = await slotRow(db, projectId, REFERENCE_SLOT.id);
      const file = (await this.inputs(projectId)).find(({ slot }) => slot === REFERENCE_SLOT.id);
      if (!row || !file) throw new ApiError("reference_missing");
      const fileName = row.file_name ?? file.name;
      return checker.faultOf({
        key: file.storageKey,
        fileName,
        keep: {
          owner,
          about: { ...about, source: about.source ?? fileName },
          scratch: scratch.folder,
        },
      });
    },

    async fill(projectId, files) {
      const { options } = await db
        .selectFrom("projects")
        .select("options")
        .where("id", "=", projectId)
        .executeTakeFirstOrThrow();
      for (const slot of platformById(options.platform).slots) {
        const path = files.get(slot.id);
        if (path) await putLocal(projectId, slot, path);
      }
    },
  };
}

/** Hex SHA-256 of each chunk of a file. */
async function chunkHashes(source: Readable): Promise<string[]> {
  const hashes: string[] = [];
  let hash = createHash("sha256");
  let filled = 0;
  for await (let piece of source as AsyncIterable<Buffer>) {
    while (piece.length > 0) {
      const taken = piece.subarray(0, CHUNK_BYTES - filled);
      hash.update(taken);
      filled += taken.length;
      piece = piece.subarray(taken.length);
      if (filled < CHUNK_BYTES) continue;
      hashes.push(hash.digest("hex"));
      hash = createHash("sha256");
      filled = 0;
    }
  }
  if (filled > 0) hashes.push(hash.digest("hex"));
  return hashes;
}
