import type { Db } from "../db/database.ts";
import { damagedInput, damageOf } from "./damage.ts";
import type { SoundReads } from "./sound-reads.ts";

/** A complete file of a project, as a step takes it. */
export interface InputFile {
  slot: string;
  /** The name under which readers look for it: `barcodes.tsv.gz`. */
  name: string;
  /** The name that its owner gave it, for sentences. */
  fileName: string;
  storageKey: string;
  size: number;
  /** Identifies its content: SHA-256 (hex) of the joined hex SHA-256s of its 10 MiB chunks. */
  digest: string;
}

/** Makes an uploaded file a local one and checks it. Throws a DamagedFileError, and marks the object. */
export async function fetchInput(
  parts: { db: Db; reads: SoundReads },
  file: InputFile,
  path: string,
  signal?: AbortSignal,
): Promise<void> {
  const { name, size, digest, storageKey } = file;
  const { db, reads } = parts;
  try {
    await reads.fetchTo(storageKey, { size, chunks: digest }, path, signal);
  } catch (error) {
    const damage = damageOf(error);
    if (damage === null) throw error;
    const now = await db
      .selectFrom("objects")
      .select("storage_key")
      .where("digest", "=", digest)
      .where("size", "=", String(size))
      .executeTakeFirst();
    // The object has been repaired since the run began.
    if (now && now.storage_key !== storageKey) {
      return fetchInput(parts, { ...file, storageKey: now.storage_key }, path, signal);
    }
    await reads.note(storageKey, damage, { err: error, name });
    throw damagedInput(name, damage, error);
  }
}
