import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { Finding, KeptFinding } from "./messages.ts";

/** A finding with more of them than a study is asked for at a time. */
const MAX_KEPT = 5;
const unpacked = promisify(gunzip);

/** What comparisons of studies found, kept until the study is deleted or has been compared in other ways since. */
export interface Findings {
  read(studyId: string, key: string): Promise<KeptFinding | null>;
  /** A file of a finding; null if there is none. */
  file(studyId: string, key: string, name: string): Promise<Buffer | null>;
  /** Keeps nothing if the study has been deleted. */
  keep(studyId: string, key: string, finding: Finding): Promise<void>;
}

export function openFindings(database: Database): Findings {
  const { db } = database;
  return {
    async read(studyId, key) {
      const row = await db
        .selectFrom("study_findings")
        .select("finding")
        .where("study_id", "=", studyId)
        .where("key", "=", key)
        .executeTakeFirst();
      return row?.finding ?? null;
    },
    async file(studyId, key, name) {
      const row = await db
        .selectFrom("study_finding_files")
        .select("gzipped")
        .where("study_id", "=", studyId)
        .where("key", "=", key)
        .where("name", "=", name)
        .executeTakeFirst();
      return row ? unpacked(row.gzipped) : null;
    },
    async keep(studyId, key, { files, ...found }) {
      await database.transaction(async (transaction) => {
        // Processes that found the same come one after another.
        const study = await transaction
          .selectFrom("studies")
          .select("id")
          .where("id", "=", studyId)
          .forUpdate()
          .executeTakeFirst();
        if (!study) return;
        const of = transaction.deleteFrom("study_findings").where("study_id", "=", studyId);
        await of.where("key", "=", key).execute();
        await transaction
          .insertInto("study_findings")
          .values({
            ...{ study_id: studyId, key, finding: JSON.stringify(found) },
            found_at: sql<Date>`clock_timestamp()`,
          })
          .execute();
        for (const [name, gzipped] of files) {
          const file = { study_id: studyId, key, name, gzipped: Buffer.from(gzipped) };
          await transaction.insertInto("study_finding_files").values(file).execute();
        }
        await of
          .where("key", "not in", (select) =>
            select
              .selectFrom("study_findings as latest")
              .select("latest.key")
              .where("latest.study_id", "=", studyId)
              .orderBy("latest.found_at", "desc")
              .limit(MAX_KEPT),
          )
          .execute();
      });
    },
  };
}
