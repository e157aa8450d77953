import { randomUUID } from "node:crypto";
import { z } from "zod";
import { text } from "node:stream/consumers";
import { MissingObjectError, type Storage } from "../storage/storage.ts";

/**
 * Contents of a place for backups. All its backups share objects, because an object never changes. A backup's manifest
 * is written last, so a backup without one was never finished.
 *
 *     backups/<name>/manifest.json
 *     backups/<name>/objects.jsonl.gz      a line each: BackedUpObject
 *     backups/<name>/tables/<schema>.<table>.copy.gz
 *     files/<storage key>
 */
export const BackupManifest = z.strictObject({
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  /** Version of Stipple, and the last migration of the database it was made from. */
  version: z.string(),
  migration: z.string(),
  /** Fingerprint of the signing secret, as stored in the database; the secret itself is not in a backup. */
  secretFingerprint: z.string().nullable(),
  tables: z.array(
    z.strictObject({
      schema: z.string(),
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.int(),
      sha256: z.string(),
    }),
  ),
  sequences: z.array(z.strictObject({ schema: z.string(), name: z.string(), value: z.string() })),
  objects: z.strictObject({ count: z.int(), bytes: z.int(), sha256: z.string() }),
  /** Objects that rows held but that could not be read whole: they are not in the backup. */
  faults: z.array(z.strictObject({ key: z.string(), why: z.string() })),
});
export type BackupManifest = z.infer<typeof BackupManifest>;
export type BackedUpTable = BackupManifest["tables"][number];

export interface BackedUpObject {
  key: string;
  size: number;
  /** Of all its bytes. */
  sha256: string;
}

const ROOT = "backups";

export const manifestKey = (backup: string): string => `${ROOT}/${backup}/manifest.json`;
export const objectListKey = (backup: string): string => `${ROOT}/${backup}/objects.jsonl.gz`;
export const tableKey = (backup: string, table: { schema: string; name: string }): string =>
  `${ROOT}/${backup}/tables/${table.schema}.${table.name}.copy.gz`;
export const fileKey = (storageKey: string): string => `files/${storageKey}`;

/** Names sort by time. */
export function newBackupName(now: Date): string {
  return `${now.toISOString().slice(0, 19).replaceAll(":", "-")}Z-${randomUUID().slice(0, 8)}`;
}

/** A backup that cannot be used; the message says why and what to do. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

/** Finished backups, oldest first. */
export async function backupsIn(place: Storage): Promise<string[]> {
  const names: string[] = [];
  for await (const { key } of place.list(ROOT)) {
    const [, name, file] = key.split("/");
    if (name !== undefined && file === "manifest.json") names.push(name);
  }
  return names.sort();
}

/** The manifest of a backup, or of the newest. Throws a {@link BackupError}. */
export async function openBackup(
  place: Storage,
  name?: string,
): Promise<{ name: string; manifest: BackupManifest }> {
  const chosen = name ?? (await backupsIn(place)).at(-1);
  if (chosen === undefined) {
    throw new BackupError("There is no finished backup there: check the path after --from.");
  }
  const json = await place
    .get(manifestKey(chosen))
    .then(text)
    .catch((error: unknown) => {
      if (!(error instanceof MissingObjectError)) throw error;
      throw new BackupError(
        `There is no finished backup "${chosen}" there: omit --backup to use the newest.`,
      );
    });
  const parsed = BackupManifest.safeParse(parse(json));
  if (!parsed.success) {
    throw new BackupError(
      `The backup ${chosen} cannot be read by this version of Stipple: its manifest is damaged or from a newer version.`,
    );
  }
  return { name: chosen, manifest: parsed.data };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
