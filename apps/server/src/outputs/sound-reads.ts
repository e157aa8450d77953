import { hash } from "node:crypto";
import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Logger } from "pino";
import type { Db } from "../db/database.ts";
import type { Damage } from "../db/schema.ts";
import type { Metrics } from "../operations/metrics.ts";
import { MissingObjectError, type ByteRange, type Storage } from "../storage/storage.ts";
import { assertContent, assertFileContent, ContentError, type KnownContent } from "./content.ts";
import { damageOf, noteDamage } from "./damage.ts";

/** A file's bytes: an object, or a part of one. */
export interface StoredBytes {
  storageKey: string;
  offset: number;
  size: number;
  sha256: string;
}

/**
 * Reads objects so that no byte is passed on before the file it belongs to was found to be what its digest says.
 * Everything throws MissingObjectError or {@link ContentError} otherwise (`damageOf`).
 */
export interface SoundReads {
  /**
   * Bytes `start`–`end` (inclusive) of a file. Small files are read whole and checked each time. A large one is read
   * through first, unless this process has done so within the hour and it has not been written since.
   */
  open(file: StoredBytes, range: ByteRange): Promise<Readable>;
  /** Makes a whole object a local file (see `Storage.fetchTo`) and checks all of it. */
  fetchTo(
    storageKey: string,
    known: KnownContent,
    path: string,
    signal?: AbortSignal,
  ): Promise<void>;
  /**
   * Reads an object through, unless that was done within the hour with the same knowledge of it, and it has not been
   * written since.
   */
  assertSound(storageKey: string, known: KnownContent): Promise<void>;
  /** Whether `assertSound` would pass; an object that is not sound is marked, so that it is not reused. */
  isSound(storageKey: string, known: KnownContent): Promise<boolean>;
  /** Marks an object that a read has shown to be damaged, and tells the operator. */
  note(storageKey: string, damage: Damage, about: object): Promise<void>;
}

/** Files up to this are held in memory while they are checked. Members of packs are smaller. */
const WHOLE_BYTES = 1024 * 1024;
/** Not every fault of a disk changes the time at which a file was written. */
const TRUSTED_MS = 3_600_000;
const MAX_KNOWN = 100_000;

export function openSoundReads(parts: {
  db: Db;
  storage: Storage;
  logger: Logger;
  metrics: Metrics;
}): SoundReads {
  const { db, storage, logger, metrics } = parts;
  /** Objects that were sound, in one version, by key and what was known of them. */
  const sound = new Map<string, { version: string; until: number }>();
  const reading = new Map<string, Promise<void>>();

  async function assertSound(storageKey: string, known: KnownContent): Promise<void> {
    const info = await storage.stat(storageKey);
    if (!info) throw new MissingObjectError(`No object ${storageKey}`);
    const { version, size } = info;
    if (size !== known.size) {
      throw new ContentError(`it has ${size} bytes instead of ${known.size}`);
    }
    const read = `${storageKey} ${hash("sha256", JSON.stringify(known), "base64url")}`;
    const before = sound.get(read);
    if (before?.version === version && performance.now() < before.until) return;
    let turn = reading.get(`${read} ${version}`);
    if (!turn) {
      turn = assertContent(storage, storageKey, known).finally(() =>
        reading.delete(`${read} ${version}`),
      );
      reading.set(`${read} ${version}`, turn);
    }
    await turn;
    if (sound.size >= MAX_KNOWN) sound.clear();
    sound.set(read, { version, until: performance.now() + TRUSTED_MS });
  }

  async function note(storageKey: string, damage: Damage, about: object): Promise<void> {
    await noteDamage(db, storageKey, damage);
    metrics.damagedReads.inc({ damage });
    logger.error({ ...about, storageKey, damage }, "a stored object is damaged");
  }

  return {
    assertSound,
    note,
    async isSound(storageKey, known) {
      try {
        await assertSound(storageKey, known);
        return true;
      } catch (err) {
        const damage = damageOf(err);
        if (damage === null) throw err;
        await note(storageKey, damage, { err });
        return false;
      }
    },
    async open({ storageKey, offset, size, sha256 }, { start, end }) {
      if (size > WHOLE_BYTES) {
        await assertSound(storageKey, { size, sha256 });
        return storage.get(storageKey, { start: offset + start, end: offset + end });
      }
      const source = await storage.get(storageKey, { start: offset, end: offset + size - 1 });
      const bytes = await buffer(source);
      if (bytes.length !== size || hash("sha256", bytes) !== sha256) {
        throw new ContentError("its content differs from what was stored");
      }
      return Readable.from([bytes.subarray(start, end + 1)]);
    },
    async fetchTo(storageKey, known, path, signal) {
      await storage.fetchTo(storageKey, path, signal);
      try {
        await assertFileContent(path, known);
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
    },
  };
}
