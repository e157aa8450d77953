import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { stepFolder, type StepNumber } from "@stipple/contract";
import type { StepManifest } from "@stipple/pipeline/store/manifest";
import type { Db } from "../db/database.ts";
import type { Storage } from "../storage/storage.ts";

/** A published file: its metadata and the location of its bytes. */
export interface StoredFile {
  /** Relative to the results folder. */
  path: string;
  size: number;
  sha256: string;
  storageKey: string;
  offset: number;
  /** Whether the object holds nothing else. */
  alone: boolean;
  publishedAt: Date;
}

/** A finished step, as stored in its row: the manifest without its files. */
export interface StepRecord extends Omit<StepManifest, "files"> {
  /** What is at the top of the step's own folder; folders count as one entry each. */
  entries: string[];
  publishedAt: Date;
}

/** The sample in a few numbers, as the last step writes them. */
export const STATISTICS = "analysis_results/output/statistics.json";

/** What the runs of projects have produced, read from rows and objects: no folder is checked. */
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
  /** A small file as a parsed JSON document; null when it was not published. */
  json(projectId: string, path: string): Promise<unknown>;
}

export function openOutputs(db: Db, storage: Storage): Outputs {
  function files(projectId: string) {
    return db
      .selectFrom("step_files")
      .innerJoin("objects", "objects.id", "step_files.object_id")
      .innerJoin("step_results", (join) =>
        join
          .onRef("step_results.project_id", "=", "step_files.project_id")
          .onRef("step_results.step", "=", "step_files.step"),
      )
      .select(["step_files.path", "step_files.size", "step_files.sha256", "step_files.offset"])
      .select(["objects.storage_key", "objects.size as object_size", "step_results.published_at"])
      .where("step_files.project_id", "=", projectId)
      .orderBy("step_files.path");
  }
  type Row = Awaited<ReturnType<ReturnType<typeof files>["execute"]>>[number];
  const stored = (row: Row): StoredFile => ({
    path: row.path,
    size: Number(row.size),
    sha256: row.sha256,
    storageKey: row.storage_key,
    offset: Number(row.offset),
    alone: row.object_size === row.size,
    publishedAt: row.published_at,
  });

  async function steps(projectId: string): Promise<StepRecord[]> {
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

  async function findAll(projectId: string, paths: readonly string[]): Promise<StoredFile[]> {
    if (paths.length === 0) return [];
    const rows = await files(projectId)
      .where("step_files.path", "=", (any) => any.fn.any(any.val([...paths])))
      .execute();
    return rows.map(stored);
  }

  async function find(projectId: string, path: string): Promise<StoredFile | null> {
    // PostgreSQL refuses the character.
    if (path.includes("\0")) return null;
    const row = await files(projectId).where("step_files.path", "=", path).executeTakeFirst();
    return row ? stored(row) : null;
  }

  async function open(
    file: StoredFile,
    range = { start: 0, end: file.size - 1 },
  ): Promise<Readable> {
    // No range can express zero bytes.
    if (range.end < range.start) return Readable.from([]);
    return storage.get(file.storageKey, {
      start: file.offset + range.start,
      end: file.offset + range.end,
    });
  }

  return {
    steps,
    find,
    findAll,
    open,
    async manifests(projectId) {
      const records = await steps(projectId);
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
    },
    async below(projectId, folders) {
      const rows = await files(projectId)
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
    },
    async json(projectId, path) {
      const file = await find(projectId, path);
      return file ? JSON.parse((await buffer(await open(file))).toString()) : null;
    },
  };
}

/** What is at the top of a step's own folder among its files: the status answer's list. */
export function entriesOf(step: StepNumber, files: readonly { path: string }[]): string[] {
  const folder = `${stepFolder(step)}/`;
  const tops = files
    .filter(({ path }) => path.startsWith(folder))
    .map(({ path }) => folder + path.slice(folder.length).split("/", 1)[0]!);
  return [...new Set(tops)].sort();
}
