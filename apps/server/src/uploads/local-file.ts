import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Database } from "../db/database.ts";
import { chunkHashes, chunksDigest } from "../outputs/content.ts";
import { adopt, draftObject, equalObject } from "../outputs/objects.ts";
import type { SoundReads } from "../outputs/sound-reads.ts";
import type { Storage } from "../storage/storage.ts";
import { dropIncoming, lockIdleProject, lockSlot, setFile } from "./slot-rows.ts";

/**
 * Fills a slot from a local file, as if it had been uploaded; a file on its way there is discarded. It is stored as an
 * object, unless one with this content exists and can be read. Throws project_busy if a run is queued or in progress by
 * then.
 */
export async function putLocal(
  { database, storage, reads }: { database: Database; storage: Storage; reads: SoundReads },
  projectId: string,
  slot: string,
  { path, fileName }: { path: string; fileName: string },
): Promise<void> {
  const { db } = database;
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
  const before = await database.transaction(async (transaction) => {
    await lockIdleProject(transaction, projectId);
    const row = await lockSlot(transaction, projectId, slot);
    await dropIncoming(transaction, row);
    const object = await adopt(transaction, { ...content, storageKey: draft });
    // The existing object was deleted, or found damaged, in the meantime.
    if (isKnown && object.isNew) await store();
    await setFile(transaction, row, { ...content, hashes, fileName, objectId: object.id });
    return row;
  });
  const { incoming_key: key, incoming_upload_id: uploadId } = before;
  if (key && uploadId) await storage.abortParts(key, uploadId).catch(() => undefined);
}
