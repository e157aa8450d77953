import { acceptedExtension, platformById } from "@stipple/contract";
import type { Db } from "../db/database.ts";
import { chunkHashes, chunksDigest } from "../outputs/content.ts";
import type { InputFile } from "../outputs/input-reads.ts";
import type { Storage } from "../storage/storage.ts";

/** A project's complete files, as they are now. */
export async function inputFiles(
  { db, storage }: { db: Db; storage: Storage },
  projectId: string,
): Promise<InputFile[]> {
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
      fileName: row.file_name ?? "",
      storageKey: row.storage_key,
      size: Number(row.size),
      digest: row.digest ?? (await digestOf({ db, storage }, projectId, slot.id, row.storage_key)),
    });
  }
  return files;
}

/** Early versions did not hash every file; such a file is read once. */
async function digestOf(
  { db, storage }: { db: Db; storage: Storage },
  projectId: string,
  slot: string,
  storageKey: string,
): Promise<string> {
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

/** Which slots are filled, under which names, and with how many bytes. One query. */
export async function filledSlots(
  db: Db,
  projectId: string,
): Promise<{ slot: string; fileName: string; size: number }[]> {
  const rows = await db
    .selectFrom("uploads")
    .select(["slot", "file_name", "size"])
    .where("project_id", "=", projectId)
    .where("file_name", "is not", null)
    .execute();
  return rows.map(({ slot, file_name, size }) => ({
    slot,
    fileName: file_name ?? "",
    size: Number(size),
  }));
}
