import { pipeline } from "node:stream/promises";
import { Writable } from "node:stream";
import { assertContent, ContentError, Hashing } from "../outputs/content.ts";
import { inParallel } from "../storage/in-parallel.ts";
import { MissingObjectError, type Storage } from "../storage/storage.ts";
import {
  fileKey,
  objectListKey,
  tableKey,
  type BackedUpObject,
  type BackupManifest,
} from "./contents.ts";
import { readObjectList } from "./object-list.ts";

const READ_AT_ONCE = 4;

/** Reads every byte of a backup and returns what differs from its manifest, one line each. */
export async function verifyBackup(
  place: Storage,
  name: string,
  manifest: BackupManifest,
): Promise<string[]> {
  const wrong = await verifyTables(place, name, manifest);
  if (wrong.length > 0) return wrong;
  await inParallel(readObjectList(place, name), READ_AT_ONCE, async (object) => {
    const why = await faultOf(place, object);
    if (why !== null) wrong.push(`${fileKey(object.key)}: ${why}`);
  });
  return wrong.sort();
}

/** Names tables and lists that are missing or damaged: they must be whole before a database is touched. */
export async function verifyTables(
  place: Storage,
  name: string,
  manifest: BackupManifest,
): Promise<string[]> {
  const wrong: string[] = [];
  const files = manifest.tables.map((table) => ({
    key: tableKey(name, table),
    sha256: table.sha256,
  }));
  files.push({ key: objectListKey(name), sha256: manifest.objects.sha256 });
  for (const { key, sha256 } of files) {
    const hashing = new Hashing();
    try {
      const nowhere = new Writable({ write: (_bytes, _encoding, done) => done() });
      await pipeline(await place.get(key), hashing, nowhere);
      if (hashing.sha256 !== sha256)
        wrong.push(`${key}: its content differs from what was written`);
    } catch (error) {
      if (!(error instanceof MissingObjectError)) throw error;
      wrong.push(`${key}: it is missing`);
    }
  }
  return wrong;
}

async function faultOf(place: Storage, { key, size, sha256 }: BackedUpObject) {
  try {
    await assertContent(place, fileKey(key), { size, sha256 });
    return null;
  } catch (error) {
    if (error instanceof MissingObjectError) return "it is missing";
    if (error instanceof ContentError) return error.message;
    throw error;
  }
}
