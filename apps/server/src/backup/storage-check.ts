import { openPlace } from "./commands.ts";
import { fileKey } from "./contents.ts";
import { readConfig } from "../config.ts";
import { assertReachable, assertSchema } from "../db/check-database.ts";
import { openDatabase } from "../db/database.ts";
import { openStorage } from "../storage/open-storage.ts";
import { checkReport } from "../outputs/check-report.ts";
import { checkStored, removeOrphans } from "../outputs/check.ts";
import { repairObject } from "../outputs/repair.ts";

export interface StorageCheckOptions {
  /** Remove what no row references. */
  remove: boolean;
  /** Read every object. */
  deep: boolean;
  /** Repair what is found; implies `deep`. */
  repair: boolean;
  /** A place with backups, to repair from; implies `repair`. */
  from?: string | undefined;
}

/** `stipple storage check`: reports what it finds, and returns whether everything that rows name can be read now. */
export async function storageCheck(
  environment: NodeJS.ProcessEnv,
  { remove, from, ...options }: StorageCheckOptions,
  tell: (line: string) => void,
): Promise<boolean> {
  const config = readConfig(environment);
  await assertReachable(config.databaseUrl);
  await assertSchema(config.databaseUrl);
  const storage = await openStorage(config.storage);
  await using database = openDatabase(config.databaseUrl, 4);
  await using backups =
    from === undefined ? null : await openPlace(config, from, { isThere: true });
  const place = backups ? { storage: backups.storage, keyOf: fileKey } : undefined;
  try {
    const repair = options.repair || from !== undefined;
    const isDeep = options.deep || repair;
    const check = await checkStored(database.db, storage, { deep: isDeep });
    const faults = [...check.missing, ...check.damaged];
    const repaired = new Set<string>();
    for (const { id, key } of repair ? faults : []) {
      if (await repairObject({ database, storage }, id, place)) repaired.add(key);
    }
    if (remove) await removeOrphans(storage, check);
    const done = { isRemoved: remove, isDeep, repaired: repair ? repaired : null };
    for (const line of checkReport(check, done)) tell(line);
    return faults.length === repaired.size;
  } finally {
    storage.close();
  }
}
