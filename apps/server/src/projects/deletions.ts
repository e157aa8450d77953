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
   * Removes what was recorded, or only `keys` of it. Does nothing while a backup is in progress; a later sweep does.
   * Safe to repeat.
   */
  finish(keys?: readonly string[]): Promise<void>;
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
    async finish(keys) {
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
