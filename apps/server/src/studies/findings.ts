import { writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { sql } from "kysely";
import type { StudyDownload } from "@stipple/contract/routes/studies";
import type { Database, Db } from "../db/database.ts";
import { lockRow } from "../db/rows.ts";
import { adopt, markForRemoval, draftObject } from "../outputs/objects.ts";
import type { SoundReads, StoredBytes } from "../outputs/sound-reads.ts";
import type { Storage } from "../storage/storage.ts";
import type { Finding, KeptFinding, MadeFile } from "./messages.ts";
import type { Readable } from "node:stream";
import { damageOf } from "../outputs/damage.ts";
import { DamagedFileError } from "../storage/damage-errors.ts";

/** Comparisons and joint spaces (a study keeps several), or all samples in one file of a kind. */
export type FindingKind = "answer" | StudyDownload;

/** A study with more answers than it is asked for at a time; of each combined file there is one. */
const MAX_ANSWERS = 5;
/** Combined files are large, and made again in minutes. */
const COMBINED_DAYS = 7;
const unpacked = promisify(gunzip);

/**
 * What was found about studies, kept until the study is deleted or has been asked for other things since. Combined files go
 * earlier: with any change of a sample's results or the design (migration 0025), or after a week.
 */
export interface Findings {
  read(studyId: string, key: string): Promise<KeptFinding | null>;
  /** A file of a finding: its bytes, or where they are stored; null if there is none. */
  file(studyId: string, key: string, name: string): Promise<Buffer | StoredBytes | null>;
  /** Makes a file of a finding a local file; false if there is none. Throws as {@link foundFile} does. */
  fetch(studyId: string, key: string, name: string, path: string): Promise<boolean>;
  /** Keeps nothing if the study has been deleted. */
  keep(studyId: string, key: string, kind: FindingKind, finding: Finding): Promise<void>;
  forget(studyId: string, key: string): Promise<void>;
}

export function openFindings({
  database,
  storage,
  reads,
}: {
  database: Database;
  storage: Storage;
  reads: SoundReads;
}): Findings {
  const { db } = database;
  const forget = (studyId: string, key: string) => removeFinding(db, studyId, key);

  async function file(studyId: string, key: string, name: string) {
    const row = await db
      .selectFrom("study_finding_files")
      .leftJoin("objects", "objects.id", "object_id")
      .select(["gzipped", "storage_key", "study_finding_files.size", "sha256"])
      .where("study_id", "=", studyId)
      .where("key", "=", key)
      .where("name", "=", name)
      .executeTakeFirst();
    if (!row) return null;
    const { gzipped, storage_key: storageKey, size, sha256 } = row;
    if (gzipped) return unpacked(gzipped);
    return { storageKey: storageKey!, size: Number(size), sha256: sha256!, offset: 0 };
  }

  return {
    file,
    async read(studyId, key) {
      const row = await db
        .selectFrom("study_findings")
        .select("finding")
        .where("study_id", "=", studyId)
        .where("key", "=", key)
        .executeTakeFirst();
      return row?.finding ?? null;
    },
    async fetch(studyId, key, name, path) {
      const found = await file(studyId, key, name);
      if (Buffer.isBuffer(found)) await writeFile(path, found);
      else if (found) {
        const fetched = reads.fetchTo(found.storageKey, found, path);
        await orForgotten(fetched, { forget, reads }, { studyId, key, found });
      }
      return found !== null;
    },
    async keep(studyId, key, kind, { files, ...found }) {
      const stored = await store(db, storage, files);
      await database.transaction(async (transaction) => {
        // Processes that found the same come one after another.
        const isThere = await lockRow(transaction, "studies", studyId);
        if (!isThere) return markForRemoval(transaction, [...stored.values()]);
        await removeFinding(transaction, studyId, key);
        await transaction
          .insertInto("study_findings")
          .values({
            ...{ study_id: studyId, key, kind, finding: JSON.stringify(found) },
            found_at: sql<Date>`clock_timestamp()`,
          })
          .execute();
        for (const [name, file] of files) {
          const row = { study_id: studyId, key, name };
          const content =
            "path" in file
              ? await held(transaction, file, stored.get(name)!)
              : { gzipped: Buffer.from(file) };
          await transaction
            .insertInto("study_finding_files")
            .values({ ...row, ...content })
            .execute();
        }
        await removeEarlier(transaction, studyId, kind);
      });
    },
    forget,
  };
}

/** Stores the files that become objects. Returns their drafted keys by name. */
async function store(
  db: Db,
  storage: Storage,
  files: Finding["files"],
): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  for (const [name, file] of files) {
    if (!("path" in file)) continue;
    const key = await draftObject(db);
    await storage.putFile(key, file.path);
    keys.set(name, key);
  }
  return keys;
}

async function held(transaction: Db, { size, sha256 }: MadeFile, storageKey: string) {
  const { id } = await adopt(transaction, { digest: sha256, size, storageKey });
  return { object_id: id, size, sha256 };
}

async function removeFinding(query: Db, studyId: string, key: string): Promise<void> {
  await query
    .deleteFrom("study_findings")
    .where("study_id", "=", studyId)
    .where("key", "=", key)
    .execute();
}

async function removeEarlier(transaction: Db, studyId: string, kind: FindingKind): Promise<void> {
  await transaction
    .deleteFrom("study_findings")
    .where("study_id", "=", studyId)
    .where("kind", "=", kind)
    .where("key", "not in", (select) =>
      select
        .selectFrom("study_findings as latest")
        .select("latest.key")
        .where("latest.study_id", "=", studyId)
        .where("latest.kind", "=", kind)
        .orderBy("latest.found_at", "desc")
        .limit(kind === "answer" ? MAX_ANSWERS : 1),
    )
    .execute();
}

/** Removes combined files that were made long ago, and what processes left that died while they made some. */
export async function sweepCombinedFiles(db: Db): Promise<void> {
  await db
    .deleteFrom("study_makings")
    .where("held_until", "<", sql<Date>`now()`)
    .execute();
  await db
    .deleteFrom("study_findings")
    .where("kind", "!=", "answer")
    .where("found_at", "<", sql<Date>`now() - make_interval(days => ${COMBINED_DAYS})`)
    .execute();
}

/** A file of a finding; a large one can be sent in ranges. */
export interface FoundFile {
  size: number;
  /** Differs for different contents. */
  tag: string;
  open(range?: { start: number; end: number }): Promise<Readable | Buffer>;
}

/** Null if there is none. Opening one whose stored bytes are damaged forgets the finding, so that it is made anew. */
export async function foundFile(
  { kept, reads }: { kept: Findings; reads: SoundReads },
  { studyId, key, name }: { studyId: string; key: string; name: string },
): Promise<FoundFile | null> {
  const found = await kept.file(studyId, key, name);
  if (found === null) return null;
  if (Buffer.isBuffer(found)) {
    return { tag: `"${key}"`, size: found.length, open: () => Promise.resolve(found) };
  }
  const { size, sha256 } = found;
  return {
    ...{ tag: `"${sha256}"`, size },
    open: (range = { start: 0, end: size - 1 }) =>
      orForgotten(
        reads.open(found, range),
        { forget: kept.forget, reads },
        { studyId, key, found },
      ),
  };
}

async function orForgotten<T>(
  read: Promise<T>,
  { forget, reads }: { forget: Findings["forget"]; reads: SoundReads },
  { studyId, key, found }: { studyId: string; key: string; found: StoredBytes },
): Promise<T> {
  return read.catch(async (error: unknown) => {
    const damage = damageOf(error);
    if (damage === null) throw error;
    await reads.note(found.storageKey, damage, { err: error, study: studyId });
    await forget(studyId, key);
    const what = "A file of this study was damaged on the server: ask for it again.";
    throw new DamagedFileError(what, { cause: error });
  });
}
