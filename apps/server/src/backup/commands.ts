import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readConfig, type Config } from "../config.ts";
import { assertReachable } from "../db/check-database.ts";
import { openStorage } from "../storage/open-storage.ts";
import { checkStorage } from "../storage/check-storage.ts";
import type { Storage } from "../storage/storage.ts";
import { backUp } from "./back-up.ts";
import { BackupError, openBackup } from "./contents.ts";
import { restore, type RestoreOptions } from "./restore.ts";
import { verifyBackup } from "./verify.ts";

type Tell = (line: string) => void;

/** `stipple backup`: returns whether it contains everything that rows reference. */
export async function backUpCommand(
  environment: NodeJS.ProcessEnv,
  to: string,
  tell: Tell,
): Promise<boolean> {
  const config = readConfig(environment);
  await assertReachable(config.databaseUrl);
  await using place = await openPlace(config, to);
  await checkStorage(place.storage, place.settings);
  await using files = await openFiles(config);
  const { name, manifest, copied } = await backUp(
    config.databaseUrl,
    files.storage,
    place.storage,
    tell,
  );
  const { objects, tables, faults } = manifest;
  for (const { key, why } of faults) tell(`not in the backup: ${key}: ${why}`);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  tell(
    `Backup ${name}: ${rows} rows, ${objects.count} objects (${objects.bytes} bytes), ${copied.objects} of them new (${copied.bytes} bytes).`,
  );
  tell(
    "The signing secret is not included: keep a separate copy of STIPPLE_SECRET or of the file jwt-secret in the data folder.",
  );
  return faults.length === 0;
}

/** `stipple backup verify`: returns whether every byte is as written. */
export async function verifyCommand(
  environment: NodeJS.ProcessEnv,
  from: string,
  backup: string | undefined,
  tell: Tell,
): Promise<boolean> {
  // Only the settings of the place are used; the database need not be there.
  const config = readConfig({ ...environment, DATABASE_URL: "postgres://unused" });
  await using place = await openPlace(config, from, { isThere: true });
  const { name, manifest } = await openBackup(place.storage, backup);
  const wrong = await verifyBackup(place.storage, name, manifest);
  for (const line of wrong) tell(line);
  tell(
    wrong.length === 0
      ? `Backup ${name} is intact: ${manifest.tables.length} tables, ${manifest.objects.count} objects (${manifest.objects.bytes} bytes).`
      : // The next backup would take them for good: it reads nothing again that an earlier one has copied.
        `Backup ${name} is damaged: ${wrong.length} file${wrong.length === 1 ? "" : "s"}. Remove what is named above from ${from} and back up again: the next backup copies it anew.`,
  );
  return wrong.length === 0;
}

/** `stipple restore`. */
export async function restoreCommand(
  environment: NodeJS.ProcessEnv,
  from: string,
  backup: string | undefined,
  options: RestoreOptions,
  tell: Tell,
): Promise<void> {
  const config = readConfig(environment);
  await using place = await openPlace(config, from, { isThere: true });
  const opened = await openBackup(place.storage, backup);
  await using files = await openFiles(config);
  await checkStorage(files.storage, config.storage);
  const { databaseUrl, jwtSecret } = config;
  const instance = { databaseUrl, jwtSecret, storage: files.storage };
  const { copied } = await restore(instance, place.storage, opened, options);
  const { madeAt, faults } = opened.manifest;
  for (const { key, why } of faults) tell(`was not in the backup: ${key}: ${why}`);
  tell(
    `Restored to ${madeAt} from backup ${opened.name}: ${copied.objects} objects copied (${copied.bytes} bytes). Interrupted runs continue when Stipple starts; upload unfinished files again.`,
  );
}

export interface Opened extends AsyncDisposable {
  storage: Storage;
  settings: Config["storage"];
}

async function openFiles(config: Config): Promise<Opened> {
  return opened(config.storage);
}

/** A folder, or a bucket using the instance's own storage settings. */
export async function openPlace(
  config: Config,
  address: string,
  { isThere } = { isThere: false },
): Promise<Opened> {
  const isBucket = address.startsWith("s3://");
  if (isThere && !isBucket && !existsSync(address.replace(/^file:/, ""))) {
    throw new BackupError(`There is no folder ${address}: check the path after --from.`);
  }
  const settings = {
    ...config.storage,
    address: isBucket ? address : `file:${resolve(address.replace(/^file:/, ""))}`,
  };
  if (settings.address === config.storage.address) {
    throw new BackupError(
      `This instance stores its own files in ${address}: choose another location for backups.`,
    );
  }
  return opened(settings);
}

async function opened(settings: Config["storage"]): Promise<Opened> {
  const storage = await openStorage(settings);
  return {
    storage,
    settings,
    [Symbol.asyncDispose]: () => Promise.resolve(storage.close()),
  };
}
