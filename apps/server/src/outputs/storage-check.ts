import { readConfig } from "../config.ts";
import { openDatabase } from "../db/database.ts";
import { openStorage } from "../storage/open-storage.ts";
import { checkReport, checkStored, removeOrphans } from "./check.ts";

/** `stipple storage check`: reports what it finds, and returns whether everything that rows name can be read. */
export async function storageCheck(
  environment: NodeJS.ProcessEnv,
  options: { remove: boolean },
  tell: (line: string) => void,
): Promise<boolean> {
  const config = readConfig(environment);
  const storage = await openStorage(config.storage);
  await using database = openDatabase(config.databaseUrl, 2);
  try {
    const check = await checkStored(database.db, storage);
    if (options.remove) await removeOrphans(storage, check);
    for (const line of checkReport(check, options.remove)) tell(line);
    return check.missing.length + check.damaged.length === 0;
  } finally {
    storage.close();
  }
}
