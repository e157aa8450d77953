import { CHUNK_BYTES, planByTier, TRIAL, type Tier } from "@stipple/contract";
import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import { countOf } from "../db/rows.ts";
import { ApiError } from "../http/api-error.ts";
import { loadAccount } from "./account-record.ts";
import type { BillingClock } from "./billing-clock.ts";
import { standingOf } from "./standing.ts";

/** What a user's plan allows them to keep on the server: projects, and bytes of uploads and results together. */
export interface StorageRoom {
  /** Throws projects_used_up. Runs in the caller's transaction, which then creates the project. */
  assertRoomForProject(transaction: Db, userId: string): Promise<void>;
  /**
   * Throws storage_used_up if a file with this number of chunks does not fit in addition to what is stored and what is
   * being uploaded. The declared number counts, because chunks arrive in any order; a file that another request has
   * already started has its space reserved. Runs in the caller's transaction before it locks the slot, and makes
   * further files of the same user wait until it ends.
   */
  assertRoomForFile(
    transaction: Db,
    file: { projectId: string; slot: string; fileName: string; chunks: number },
  ): Promise<void>;
}

/** First key of the locks, to distinguish them from others. */
const ROOM_LOCK = 7_160;
const GB = 1024 ** 3;

export function openStorageRoom(clock: BillingClock): StorageRoom {
  /** What the plan allows. Other requests of the same user wait until the transaction ends. */
  async function limitsOf(
    transaction: Db,
    userId: string,
  ): Promise<{ projects: number; storageGb: number }> {
    await sql`select pg_advisory_xact_lock(${ROOM_LOCK}, hashtext(${userId}))`.execute(transaction);
    const account = await loadAccount(transaction, userId);
    const { tier } = standingOf(account, clock.nowWith(account.aheadMs));
    return storageLimits(tier);
  }

  return {
    async assertRoomForProject(transaction, userId) {
      const { projects } = await limitsOf(transaction, userId);
      const own = transaction.selectFrom("projects").where("user_id", "=", userId);
      const count = await countOf(own);
      if (count >= projects) {
        throw new ApiError(
          "projects_used_up",
          `Your plan allows ${projects} projects, and you have ${count}. Delete a project you no longer need, or see /pricing.`,
        );
      }
    },
    async assertRoomForFile(transaction, { projectId, slot, fileName, chunks }) {
      const isUnderWay = async (): Promise<boolean> => {
        const row = await transaction
          .selectFrom("uploads")
          .select(["incoming_name", "incoming_chunks"])
          .where("project_id", "=", projectId)
          .where("slot", "=", slot)
          .executeTakeFirst();
        return row?.incoming_name === fileName && row.incoming_chunks === chunks;
      };
      if (await isUnderWay()) return;
      const project = await transaction
        .selectFrom("projects")
        .select("user_id")
        .where("id", "=", projectId)
        .executeTakeFirst();
      // Just deleted; the next check reports it.
      if (!project) return;
      const { storageGb } = await limitsOf(transaction, project.user_id);
      // Another request for the same file came first.
      if (await isUnderWay()) return;
      const kept = await storedBytes(transaction, project.user_id, { projectId, slot });
      if (kept + chunks * CHUNK_BYTES > storageGb * GB) {
        throw new ApiError(
          "storage_used_up",
          `This file does not fit: your other files and results take ${(kept / GB).toFixed(1)} of the ${storageGb} GB in your plan. Delete a project you no longer need, or see /pricing.`,
        );
      }
    },
  };
}

export function storageLimits(tier: Tier): { projects: number; storageGb: number } {
  const { projects, storageGb } = planByTier(tier) ?? TRIAL;
  return { projects, storageGb };
}

/**
 * Bytes of a user's files and results, counting each content once, plus the declared size of files being uploaded;
 * `without` = a slot whose file is to be replaced.
 */
export async function storedBytes(
  db: Db,
  userId: string,
  without?: { projectId: string; slot: string },
): Promise<number> {
  const others = without
    ? sql`and not (uploads.project_id = ${without.projectId} and uploads.slot = ${without.slot})`
    : sql``;
  const { rows } = await sql<{ stored: string; coming: string }>`
    select
      (select coalesce(sum(size), 0) from objects where id in (
        select object_id from uploads join projects on projects.id = uploads.project_id
          where projects.user_id = ${userId} ${others}
        union select object_id from step_files join projects on projects.id = step_files.project_id
          where projects.user_id = ${userId})) as stored,
      (select coalesce(sum(incoming_chunks), 0) from uploads join projects on projects.id = uploads.project_id
        where projects.user_id = ${userId} ${others}) as coming`.execute(db);
  const { stored, coming } = rows[0];
  return Number(stored) + Number(coming) * CHUNK_BYTES;
}
