import type { Clock } from "../clock.ts";
import type { Db } from "../db/database.ts";
import { isHeldByBackup, sweepObjects } from "../outputs/objects.ts";
import type { Storage } from "../storage/storage.ts";

/**
 * Removing files whose rows are gone. The removal is noted in the transaction that deletes the rows, so a crash in
 * between leaves nothing behind: the next sweep finishes it.
 */
export interface Deletions {
  /** Records that everything below `key` must be removed. In the transaction that deletes the rows. */
  note(transaction: Db, key: string): Promise<void>;
  /**
   * Removes what was recorded, or only `keys` of it, and these parts of files. While a backup is in progress, only the
   * parts; a later sweep does the rest. Safe to repeat.
   */
  finish(keys?: readonly string[], parts?: readonly PartsOfFile[]): Promise<void>;
}

/** What has arrived of a file. */
interface PartsOfFile {
  key: string;
  uploadId: string;
}

/** What has arrived of files of these projects that are on their way. Before their rows are deleted. */
export async function partsOf(query: Db, projectIds: readonly string[]): Promise<PartsOfFile[]> {
  const rows = await query
    .selectFrom("uploads")
    .select(["incoming_key as key", "incoming_upload_id as uploadId"])
    .where("project_id", "=", (any) => any.fn.any(any.val([...projectIds])))
    .execute();
  return rows.flatMap(({ key, uploadId }) => (key && uploadId ? [{ key, uploadId }] : []));
}

export function openDeletions(db: Db, storage: Storage, clock: Clock): Deletions {
  return {
    async note(transaction, key) {
      await transaction
        .insertInto("deletions")
        .values({ key, noted_at: clock.now() })
        .onConflict((conflict) => conflict.column("key").doNothing())
        .execute();
    },
    async finish(keys, parts = []) {
      for (const { key, uploadId } of parts) await storage.abortParts(key, uploadId);
      if (await isHeldByBackup(db)) return;
      const noted = keys ?? (await db.selectFrom("deletions").select("key").execute()).map(keyOf);
      for (const key of noted) {
        for await (const { key: found } of storage.list(key)) {
          const held = await db
            .selectFrom("objects")
            .select("id")
            .where("storage_key", "=", found)
            .executeTakeFirst();
          if (!held) await storage.remove([found]);
        }
        await db.deleteFrom("deletions").where("key", "=", key).execute();
      }
      await sweepObjects(db, storage);
    },
  };
}

function keyOf(row: { key: string }): string {
  return row.key;
}
