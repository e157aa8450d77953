import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { StepNumber } from "@stipple/contract";
import type { StepManifest } from "@stipple/pipeline/results";
import type { Db } from "../db/database.ts";
import { damagedResult, damageOf, noteSound } from "./damage.ts";
import { FileReplacedError } from "../storage/damage-errors.ts";
import { knownContent } from "./known-content.ts";
import type { SoundReads, StoredBytes } from "./sound-reads.ts";

/** A published file: its metadata and the location of its bytes. */
export interface StoredFile extends StoredBytes {
  projectId: string;
  step: StepNumber;
  /** Relative to the results folder. */
  path: string;
  /** Equals `size` if the object holds nothing else. */
  objectSize: number;
  publishedAt: Date;
}

/** A finished step, as stored in its row: the manifest without its files. */
export interface StepRecord extends Omit<StepManifest, "files"> {
  /** Paths of its files, see {@link entriesOf}. */
  entries: string[];
  publishedAt: Date;
}

/** The sample in a few numbers, as the last step writes them. */
export const STATISTICS = "analysis_results/output/statistics.json";

/**
 * What the runs of projects have produced, read from rows and objects. No byte of a file that differs from its digest is
 * passed on: `open`, `fetchTo`, `assertSound`, and `json` throw a DamagedFileError that tells the user what to run again,
 * and mark the object; or a FileReplacedError if a run has replaced the file.
 */
export interface Outputs {
  /** The finished steps of a project, in order. A single query, one row per step. */
  steps(projectId: string): Promise<StepRecord[]>;
  /** The manifests of the finished steps, in order, as the steps wrote them. */
  manifests(projectId: string): Promise<StepManifest[]>;
  /** A file by its path in the results folder. */
  find(projectId: string, path: string): Promise<StoredFile | null>;
  /** The files among `paths` that were published. */
  findAll(projectId: string, paths: readonly string[]): Promise<StoredFile[]>;
  /** Every file below one of the folders (`figures`, `step6_output/viewer`), by path. */
  below(projectId: string, folders: readonly string[]): Promise<StoredFile[]>;
  /** Bytes `start`–`end` (inclusive) of a file, or all of it. */
  open(file: StoredFile, range?: { start: number; end: number }): Promise<Readable>;
  /** Makes a file that has an object of its own a local file, by a hard link where that is possible. */
  fetchTo(file: StoredFile, path: string, signal?: AbortSignal): Promise<void>;
  /** Reads files through that are going to be sent. */
  assertSound(files: readonly StoredFile[]): Promise<void>;
  /** The steps with files that are known to be damaged; looks again at those objects if `again`. */
  damagedSteps(projectId: string, options?: { again: boolean }): Promise<StepNumber[]>;
  /** A small file as a parsed JSON document; null when it was not published. */
  json(projectId: string, path: string): Promise<unknown>;
}

export function openOutputs(db: Db, reads: SoundReads): Outputs {
  const parts = { db, reads };
  async function findAll(projectId: string, paths: readonly string[]): Promise<StoredFile[]> {
    if (paths.length === 0) return [];
    const rows = await files(db, projectId)
      .where("step_files.path", "=", (any) => any.fn.any(any.val([...paths])))
      .execute();
    return rows.map(stored);
  }

  async function find(projectId: string, path: string): Promise<StoredFile | null> {
    // PostgreSQL refuses the character.
    if (path.includes("\0")) return null;
    const row = await files(db, projectId).where("step_files.path", "=", path).executeTakeFirst();
    return row ? stored(row) : null;
  }

  async function open(
    file: StoredFile,
    range = { start: 0, end: file.size - 1 },
  ): Promise<Readable> {
    // No range can express zero bytes.
    if (range.end < range.start) return Readable.from([]);
    return reading(parts, file, (now) => reads.open(now, range));
  }

  return {
    steps: (projectId) => stepsOf(db, projectId),
    manifests: (projectId) => manifestsOf(db, projectId),
    below: (projectId, folders) => filesBelow(db, projectId, folders),
    find,
    findAll,
    open,
    assertSound: (list) => assertSound(parts, list),
    damagedSteps: (projectId, { again } = { again: false }) =>
      damagedSteps(parts, projectId, again),
    fetchTo: (file, path, signal) =>
      reading(parts, file, ({ storageKey, size, sha256 }) =>
        reads.fetchTo(storageKey, { size, sha256 }, path, signal),
      ),
    async json(projectId, path) {
      const file = await find(projectId, path);
      return file ? JSON.parse((await buffer(await open(file))).toString()) : null;
    },
  };
}

function files(db: Db, projectId: string) {
  return db
    .selectFrom("step_files")
    .innerJoin("objects", "objects.id", "step_files.object_id")
    .innerJoin("step_results", (join) =>
      join
        .onRef("step_results.project_id", "=", "step_files.project_id")
        .onRef("step_results.step", "=", "step_files.step"),
    )
    .select(["step_files.project_id", "step_files.step", "step_files.path", "step_files.size"])
    .select(["step_files.sha256", "step_files.offset"])
    .select(["objects.storage_key", "objects.size as object_size", "step_results.published_at"])
    .where("step_files.project_id", "=", projectId)
    .orderBy("step_files.path");
}
type Row = Awaited<ReturnType<ReturnType<typeof files>["execute"]>>[number];
function stored(row: Row): StoredFile {
  return {
    projectId: row.project_id,
    step: row.step as StepNumber,
    path: row.path,
    size: Number(row.size),
    sha256: row.sha256,
    storageKey: row.storage_key,
    offset: Number(row.offset),
    objectSize: Number(row.object_size),
    publishedAt: row.published_at,
  };
}

async function stepsOf(db: Db, projectId: string): Promise<StepRecord[]> {
  const rows = await db
    .selectFrom("step_results")
    .selectAll()
    .where("project_id", "=", projectId)
    .orderBy("step")
    .execute();
  return rows.map(({ project_id, published_at: publishedAt, step, ...row }) => ({
    ...row,
    step: step as StepNumber,
    publishedAt,
  }));
}

async function manifestsOf(db: Db, projectId: string): Promise<StepManifest[]> {
  const records = await stepsOf(db, projectId);
  const listed = await db
    .selectFrom("step_files")
    .select(["step", "path", "size", "sha256"])
    .where("project_id", "=", projectId)
    .orderBy("path")
    .execute();
  const byStep = Map.groupBy(listed, ({ step }) => step);
  return records.map(({ entries, publishedAt, ...manifest }) => ({
    ...manifest,
    files: (byStep.get(manifest.step) ?? []).map(({ path, size, sha256 }) => ({
      path,
      size: Number(size),
      sha256,
    })),
  }));
}

async function filesBelow(
  db: Db,
  projectId: string,
  folders: readonly string[],
): Promise<StoredFile[]> {
  const rows = await files(db, projectId)
    .where((where) =>
      where.or(
        folders.map((folder) =>
          // "0" follows "/": by the index's order of bytes everything below the folder is between the two.
          where.and([
            where("step_files.path", ">", `${folder}/`),
            where("step_files.path", "<", `${folder}0`),
          ]),
        ),
      ),
    )
    .execute();
  return rows.map(stored);
}

/**
 * Reads a file. If its bytes are not there or not right, reads an equal one of the project: the object may have been
 * repaired, and so have another key, since the row was read.
 */
async function reading<T>(
  parts: Parts,
  file: StoredFile,
  read: (file: StoredFile) => Promise<T>,
  tried: readonly StoredBytes[] = [],
): Promise<T> {
  try {
    return await read(file);
  } catch (error) {
    const damage = damageOf(error);
    if (damage === null) throw error;
    const { projectId, storageKey, size, sha256 } = file;
    const all = [...tried, file];
    const equal = (
      await files(parts.db, projectId)
        .where("step_files.sha256", "=", sha256)
        .where("step_files.size", "=", String(size))
        .execute()
    ).map(stored);
    const other = equal.find((one) => !all.some((before) => isSamePlace(one, before)));
    if (other) return reading(parts, other, read, all);
    const place = equal.find((one) => isSamePlace(one, all[0])) ?? equal[0];
    if (!place) throw new FileReplacedError(`${file.path} has been replaced`, { cause: error });
    const { path } = place;
    await parts.reads.note(storageKey, damage, { err: error, projectId, path });
    throw damagedResult(place, damage, error);
  }
}

async function assertSound(parts: Parts, list: readonly StoredFile[]): Promise<void> {
  for (const [storageKey, held] of Map.groupBy(list, (file) => file.storageKey)) {
    const [{ objectSize }] = held as [StoredFile];
    try {
      await parts.reads.assertSound(storageKey, { size: objectSize, ranges: held });
      continue;
    } catch (error) {
      if (damageOf(error) === null) throw error;
    }
    // What is wrong may be another file in the same pack.
    for (const file of held.filter((each) => each.size > 0)) {
      const source = await reading(parts, file, (now) =>
        parts.reads.open(now, { start: 0, end: now.size - 1 }),
      );
      source.destroy();
    }
  }
}

interface Parts {
  db: Db;
  reads: SoundReads;
}

async function damagedSteps(
  { db, reads }: Parts,
  projectId: string,
  again: boolean,
): Promise<StepNumber[]> {
  const rows = await db
    .selectFrom("step_files")
    .innerJoin("objects", "objects.id", "step_files.object_id")
    .select(["step_files.step", "objects.id", "objects.storage_key", "objects.digest"])
    .select("objects.size")
    .distinct()
    .where("project_id", "=", projectId)
    .where("objects.damage", "is not", null)
    .execute();
  const steps = new Set<number>();
  for (const { step, storage_key: key, ...object } of rows) {
    if (again) {
      const known = await knownContent(db, { ...object, size: Number(object.size) });
      if (await reads.isSound(key, known)) {
        await noteSound(db, key);
        continue;
      }
    }
    steps.add(step);
  }
  return [...steps].sort() as StepNumber[];
}

/** Folders of the interactive view and of Zarr stores: their files are too many, and too small, to be listed. */
const UNLISTED = /\/viewer\/|\.zarr\//;

/** The status answer's list of a step's files. */
export function entriesOf(files: readonly { path: string }[]): string[] {
  return files
    .map(({ path }) => path)
    .filter((path) => !UNLISTED.test(path))
    .sort();
}

function isSamePlace(a: StoredBytes, b: StoredBytes): boolean {
  return a.storageKey === b.storageKey && a.offset === b.offset;
}
