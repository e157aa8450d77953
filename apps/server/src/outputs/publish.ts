import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { sql } from "kysely";
import type { StepNumber } from "@stipple/contract";
import type { StepManifest } from "@stipple/pipeline/results";
import type { Clock } from "../clock.ts";
import { untilDatabaseAnswers, type Database, type Db } from "../db/database.ts";
import type { Storage } from "../storage/storage.ts";
import { inParallel } from "../storage/in-parallel.ts";
import { untilStorageAnswers } from "../storage/storage-away.ts";
import { layoutOf, type ListedFile, type ObjectPlan } from "./layout.ts";
import { adopt, draftObject, equalObject } from "./objects.ts";
import { entriesOf } from "./read.ts";
import type { SoundReads } from "./sound-reads.ts";

export interface Publication {
  projectId: string;
  manifest: StepManifest;
  /** The results folder that the manifest's paths are relative to. Its files must not change afterward. */
  folder: string;
  /**
   * Called first in the transaction: throws if the publisher may no longer write about the project, and writes what must
   * be true together with the new rows.
   */
  guard(transaction: Db): Promise<void>;
  signal?: AbortSignal;
}

/** What publishing took. */
export interface Published {
  files: number;
  bytes: number;
  objects: number;
  /** Objects that were not known before or were damaged, and their bytes. */
  sentObjects: number;
  sentBytes: number;
}

/** A known object is gone: its last reference was deleted in the meantime, or it was found damaged. */
class ObjectGoneError extends Error {}

const UPLOADS_AT_ONCE = 4;
const ATTEMPTS = 4;
const ROWS_AT_ONCE = 10_000;

/**
 * Publishes a finished step: stores its new objects, then replaces the step's rows in one transaction. Until that
 * commits, nothing is visible, and after a failure the stored objects are removed after a while.
 */
export async function publishStep(
  parts: { database: Database; storage: Storage; reads: SoundReads; clock: Clock },
  publication: Publication,
): Promise<Published> {
  const { manifest } = publication;
  const plans = layoutOf(manifest.files);
  const published: Published = {
    files: manifest.files.length,
    bytes: manifest.files.reduce((sum, { size }) => sum + size, 0),
    objects: plans.length,
    sentObjects: 0,
    sentBytes: 0,
  };
  for (let attempt = 1; ; attempt++) {
    const keys = await storeObjects(parts, plans, publication, published);
    try {
      // What is stored is not sent again when the database is away, or has no space left.
      await untilDatabaseAnswers(() =>
        parts.database.transaction((transaction) =>
          replaceRows(transaction, parts.clock, publication, plans, keys),
        ),
      );
      return published;
    } catch (error) {
      if (!(error instanceof ObjectGoneError) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** The storage key of every object: that of an equal one whose bytes are right, or that of one written now. */
async function storeObjects(
  { database, storage, reads }: { database: Database; storage: Storage; reads: SoundReads },
  plans: readonly ObjectPlan[],
  { folder, signal }: Publication,
  published: Published,
): Promise<Map<ObjectPlan, string>> {
  const { db } = database;
  const rows = await db
    .selectFrom("objects")
    .select(["digest", "size", "storage_key"])
    .where("digest", "=", (any) => any.fn.any(any.val(plans.map(({ digest }) => digest))))
    .where("damage", "is", null)
    .execute();
  const known = new Map(rows.map((row) => [`${row.digest} ${row.size}`, row.storage_key]));
  const keys = new Map<ObjectPlan, string>();
  async function store(plan: ObjectPlan): Promise<void> {
    signal?.throwIfAborted();
    let key = known.get(`${plan.digest} ${plan.size}`);
    const content = { size: plan.size, ranges: plan.files };
    if (key === undefined || !(await reads.isSound(key, content))) {
      key = await untilDatabaseAnswers(() => draftObject(db));
      await assertSizes(folder, plan.files);
      if (plan.files.length === 1) await storage.putFile(key, join(folder, plan.files[0].path));
      else await storage.put(key, Readable.from(contentOf(folder, plan.files)));
      published.sentObjects++;
      published.sentBytes += plan.size;
    }
    keys.set(plan, key);
  }
  await inParallel(plans, UPLOADS_AT_ONCE, (plan) =>
    untilStorageAnswers(() => store(plan), signal),
  );
  return keys;
}

async function assertSizes(folder: string, files: readonly ListedFile[]): Promise<void> {
  for (const { path, size } of files) {
    const found = await stat(join(folder, path));
    if (found.size !== size) {
      throw new Error(`${path} has ${found.size} bytes; its step's manifest says ${size}`);
    }
  }
}

async function* contentOf(folder: string, files: readonly ListedFile[]): AsyncGenerator<Buffer> {
  for (const { path } of files) yield* createReadStream(join(folder, path));
}

async function replaceRows(
  transaction: Db,
  clock: Clock,
  { projectId, manifest, guard }: Publication,
  plans: readonly ObjectPlan[],
  keys: ReadonlyMap<ObjectPlan, string>,
): Promise<void> {
  await guard(transaction);
  const { step, files, name, version, key, params, settings, seconds, warnings, fields } = manifest;
  // Dooms the previous result's objects that nothing else references; those needed again are re-adopted below.
  await transaction
    .deleteFrom("step_results")
    .where("project_id", "=", projectId)
    .where("step", "=", step)
    .execute();
  await transaction
    .insertInto("step_results")
    .values({
      project_id: projectId,
      step,
      name,
      version,
      key,
      params: JSON.stringify(params),
      settings: JSON.stringify(settings),
      seconds,
      warnings: JSON.stringify(warnings),
      fields: JSON.stringify(fields),
      entries: JSON.stringify(entriesOf(files)),
      published_at: clock.now(),
    })
    .execute();
  const rows: { file: ListedFile; objectId: string; offset: number }[] = [];
  // In the same order everywhere, so that two processes publishing the same objects cannot deadlock.
  for (const plan of plans.toSorted((a, b) => (a.digest < b.digest ? -1 : 1))) {
    const objectId = await hold(transaction, plan, keys.get(plan)!);
    for (const { offset, ...file } of plan.files) rows.push({ file, objectId, offset });
  }
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const some = rows.slice(at, at + ROWS_AT_ONCE);
    await sql`
      insert into step_files (project_id, step, path, size, sha256, object_id, "offset")
      select ${projectId}::uuid, ${step}::smallint, * from unnest(
        ${some.map(({ file }) => file.path)}::text[],
        ${some.map(({ file }) => file.size)}::bigint[],
        ${some.map(({ file }) => file.sha256)}::text[],
        ${some.map(({ objectId }) => objectId)}::uuid[],
        ${some.map(({ offset }) => offset)}::bigint[])`.execute(transaction);
  }
}

/** The id of the object with this content: an equal one, or the one under `storageKey`, which is a draft or doomed. */
async function hold(transaction: Db, plan: ObjectPlan, storageKey: string): Promise<string> {
  const equal = await equalObject(transaction, plan);
  const [unheld] = await transaction
    .selectFrom("doomed_objects")
    .select("removing")
    .where("storage_key", "=", storageKey)
    .forUpdate()
    .execute();
  if (equal && (!unheld || equal.storageKey === storageKey)) return equal.id;
  if (!unheld || unheld.removing) {
    if (equal) return equal.id;
    throw new ObjectGoneError(`The object ${storageKey} is gone`);
  }
  return (await adopt(transaction, { digest: plan.digest, size: plan.size, storageKey })).id;
}

/** Removes the outputs of steps: the rows now, and unreferenced objects with the next sweep. */
export async function removeSteps(
  transaction: Db,
  projectId: string,
  steps: readonly StepNumber[],
): Promise<void> {
  await transaction
    .deleteFrom("step_results")
    .where("project_id", "=", projectId)
    .where("step", "in", [-1, ...steps])
    .execute();
}
