import { readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import {
  acceptedExtension,
  CHUNK_BYTES,
  missingSlots,
  platformById,
  type AnalysisOptions,
  type UploadSlot,
} from "@stipple/contract";
import { REFERENCE_SLOT } from "@stipple/contract/platforms/shared-slots";
import { typeRefusal } from "@stipple/contract/recognition/accepted-type";
import type { ReferenceOrder } from "@stipple/pipeline/references";
import type { Config } from "../config.ts";
import { audit } from "../audit/audit.ts";
import type { StorageRoom } from "../billing/storage-room.ts";
import type { Database } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import { withTemporaryFolder } from "../operations/with-temporary-folder.ts";
import { damagedInput } from "../outputs/damage.ts";
import type { InputFile } from "../outputs/input-reads.ts";
import { sweepObjects } from "../outputs/objects.ts";
import type { Outputs } from "../outputs/read.ts";
import type { Scratch } from "../outputs/scratch.ts";
import type { SoundReads } from "../outputs/sound-reads.ts";
import type { Storage } from "../storage/storage.ts";
import { EDITED_NUCLEI, forgetEditedNuclei } from "./edited-nuclei.ts";
import { acceptChunk } from "./accept-chunk.ts";
import { openIncomingCheck } from "./check-incoming.ts";
import { openFileChecker } from "./file-checker.ts";
import { filledSlots, inputFiles } from "./input-files.ts";
import { putLocal } from "./local-file.ts";
import type { ReceivedChunk } from "./multipart-chunk.ts";
import { openSampleAnswers, type SampleAnswers } from "./sample-answers.ts";
import {
  dropIncoming,
  lockIdleProject,
  lockSlot,
  recheckSlot,
  slotRow,
  stateOf,
} from "./slot-rows.ts";
import type { SlotState } from "./upload-state.ts";

export interface Uploads extends Disposable, SampleAnswers {
  /** Folder for chunks on their way in. */
  spool: string;
  /**
   * Accepts a chunk, in any order, once or repeatedly. The last missing one assembles and checks the file; if the check
   * fails, the slot is ready for another attempt. A complete file stays in use until its replacement is complete. A
   * chunk that contradicts earlier ones starts the file over, and a sender that states the digest of the whole file
   * gets no other file: chunks of two files with the same name are never combined.
   */
  accept(projectId: string, slot: UploadSlot, chunk: ReceivedChunk): Promise<SlotState>;
  /** A slot whose file is damaged is empty: it must be sent again. */
  state(projectId: string, slot: UploadSlot): Promise<SlotState>;
  /**
   * Empties a slot: its file, and any part of an incoming one. Does nothing if the slot is empty. Throws project_busy.
   */
  remove(project: { id: string; userId: string; name: string }, slot: UploadSlot): Promise<void>;
  /** Slot id → the complete file's own name. */
  complete(projectId: string): Promise<Record<string, string>>;
  /** The complete files, as they are now. */
  inputs(projectId: string): Promise<InputFile[]>;
  /** Which slots are filled, and with how many bytes. One query. */
  sizes(projectId: string): Promise<{ slot: string; size: number }[]>;
  /** Removes chunks that a crash left in the spool, and takes files that a crash left unchecked. */
  sweep(): Promise<void>;
  /** The file in a slot; null if there is none. Throws a DamagedFileError. */
  open(projectId: string, slot: string): Promise<{ size: number; bytes: Readable } | null>;
  /** Fills a slot from a local file under a name of its own. */
  put(projectId: string, slot: UploadSlot, path: string, fileName: string): Promise<void>;
  /** Fills a slot with a text. */
  putText(projectId: string, slot: UploadSlot, text: string, fileName: string): Promise<void>;
  /** Whether all files are there without which a workflow cannot start. */
  isComplete(project: { id: string; options: AnalysisOptions }): Promise<boolean>;
  /**
   * Condenses the project's reference in another process, and keeps it for `owner`. Returns why not, in one sentence;
   * null if it is kept.
   */
  keepReference(projectId: string, owner: string, about: ReferenceOrder): Promise<string | null>;
  /** Fills slots from local files, as if they had been uploaded. Slot id → path. */
  fill(projectId: string, files: ReadonlyMap<string, string>): Promise<void>;
}

const SPOOL_LIFETIME_MS = 3_600_000;

/** A warning about an image that is probably the small preview; undefined if there is none. */
export function remarkOn(slot: UploadSlot, size: number | null): string | undefined {
  return size !== null && size < (slot.smallBelowBytes ?? 0)
    ? "This file seems too small. Please ensure that it is the full resolution image (roughly 500 MB to 7 GB), not the small ~20 MB preview."
    : undefined;
}

export interface UploadParts {
  database: Database;
  storage: Storage;
  reads: SoundReads;
  config: Config;
  storageRoom: StorageRoom;
  scratch: Scratch;
  outputs: Outputs;
}

export function openUploads(parts: UploadParts): Uploads {
  const { database, storage, reads, config, scratch } = parts;
  const { db } = database;
  const spool = join(config.dataDir, "spool");
  const checker = openFileChecker(config.storage);
  const check = openIncomingCheck({ database, storage, reads, checker, scratch });
  const isLocal = config.storage.address.startsWith("file:");
  const inputs = (projectId: string) => inputFiles({ db, storage }, projectId);

  return {
    spool,
    async accept(projectId, slot, chunk) {
      assertAccepted(slot, chunk.fileName);
      assertSize(chunk, config.maxUploadBytes);
      return acceptChunk({ ...parts, check }, projectId, slot, chunk);
    },
    async state(projectId, slot) {
      await recheckSlot({ db, reads }, projectId, slot.id);
      return stateOf(db, projectId, slot.id);
    },
    remove: (project, slot) => emptySlot(parts, project, slot),
    async complete(projectId) {
      const filled = await filledSlots(db, projectId);
      return Object.fromEntries(filled.map(({ slot, fileName }) => [slot, fileName]));
    },
    sizes: (projectId) => filledSlots(db, projectId),
    inputs,
    ...openSampleAnswers({ ...parts, checker, isLocal, inputs }),
    async sweep() {
      await sweepSpool(spool);
      await check.resume();
    },
    async open(projectId, slot) {
      const file = (await inputs(projectId)).find((each) => each.slot === slot);
      if (!file) return null;
      const { storageKey, size, fileName, digest } = file;
      if (!(await reads.isSound(storageKey, { size, chunks: digest })))
        throw damagedInput(fileName, "damaged", null);
      return { size, bytes: await storage.get(storageKey) };
    },
    put: (projectId, slot, path, fileName) =>
      putLocal(parts, projectId, slot.id, { path, fileName }),
    putText: (projectId, slot, text, fileName) =>
      withTemporaryFolder(scratch.folder, async (folder) => {
        const path = join(folder, "text");
        await writeFile(path, text);
        await putLocal(parts, projectId, slot.id, { path, fileName });
      }),
    async isComplete({ id, options }) {
      const filled = new Set((await filledSlots(db, id)).map(({ slot }) => slot));
      return missingSlots(options.platform, filled).length === 0;
    },
    async keepReference(projectId, owner, about) {
      const row = await slotRow(db, projectId, REFERENCE_SLOT.id);
      const file = (await inputs(projectId)).find(({ slot }) => slot === REFERENCE_SLOT.id);
      if (!row || !file) throw new ApiError("reference_missing");
      const fileName = row.file_name ?? file.name;
      // What is kept is known by the digest of what is read here: damage would be kept as good.
      if (!(await reads.isSound(file.storageKey, { size: file.size, chunks: file.digest })))
        return `${fileName} is damaged on the server: upload it to the project again.`;
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
    fill: (projectId, files) => fillSlots(parts, projectId, files),
    [Symbol.dispose]: () => checker[Symbol.dispose](),
  };
}

/** Refuses a file that this slot cannot hold, before its bytes are checked; returns its extension. */
function assertAccepted(slot: UploadSlot, fileName: string): string {
  const extension = acceptedExtension(slot, fileName);
  if (extension !== undefined) return extension;
  throw new ApiError("upload_type_wrong", typeRefusal(slot, fileName) ?? undefined);
}

function assertSize({ fileName, chunks }: ReceivedChunk, maxBytes: number): void {
  if (chunks * CHUNK_BYTES <= maxBytes + CHUNK_BYTES) return;
  throw new ApiError(
    "upload_too_large",
    `${fileName} exceeds this server's limit of ${Math.floor(maxBytes / 1024 ** 3)} GB.`,
  );
}

async function fillSlots(
  parts: UploadParts,
  projectId: string,
  files: ReadonlyMap<string, string>,
): Promise<void> {
  const { options } = await parts.database.db
    .selectFrom("projects")
    .select("options")
    .where("id", "=", projectId)
    .executeTakeFirstOrThrow();
  for (const slot of platformById(options.platform).slots) {
    const path = files.get(slot.id);
    if (path === undefined) continue;
    const fileName = `${slot.storedAs}${assertAccepted(slot, path)}`;
    await putLocal(parts, projectId, slot.id, { path, fileName });
  }
}

async function emptySlot(
  { database, storage }: UploadParts,
  project: { id: string; userId: string; name: string },
  slot: UploadSlot,
): Promise<void> {
  const upload = await database.transaction(async (transaction) => {
    await lockIdleProject(transaction, project.id);
    const row = await lockSlot(transaction, project.id, slot.id);
    await dropIncoming(transaction, row);
    await transaction
      .deleteFrom("uploads")
      .where("project_id", "=", project.id)
      .where("slot", "=", slot.id)
      .execute();
    if (row.file_name === EDITED_NUCLEI) await forgetEditedNuclei(transaction, project.id);
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
  await sweepObjects(database.db, storage).catch(() => undefined);
}

async function sweepSpool(spool: string): Promise<void> {
  for (const name of await readdir(spool).catch(() => [])) {
    const path = join(spool, name);
    const info = await stat(path).catch(() => null);
    // Another API process may be receiving one right now.
    if (info && Date.now() - info.mtimeMs > SPOOL_LIFETIME_MS) await rm(path, { force: true });
  }
}
