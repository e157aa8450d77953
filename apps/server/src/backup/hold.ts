import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Db } from "../db/database.ts";

const HELD_SECONDS = 120;
const RENEW_MS = 20_000;

/**
 * Keeps all stored objects from being removed until the returned hold is disposed of. It is renewed regularly, so a
 * killed backup holds nothing for long. Take it before the snapshot: what is gone by then is not in the snapshot
 * either.
 */
export async function holdObjects(db: Db): Promise<AsyncDisposable> {
  const id = randomUUID();
  const until = {
    held_until: sql<Date>`clock_timestamp() + make_interval(secs => ${HELD_SECONDS})`,
  };
  await db
    .deleteFrom("backup_holds")
    .where("held_until", "<", sql<Date>`clock_timestamp()`)
    .execute();
  await db
    .insertInto("backup_holds")
    .values({ id, ...until })
    .execute();
  const renewing = setInterval(() => {
    // If the database is briefly unavailable, the next renewal succeeds; an object removed meanwhile is reported as
    // missing.
    db.updateTable("backup_holds")
      .set(until)
      .where("id", "=", id)
      .execute()
      .catch(() => undefined);
  }, RENEW_MS);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(renewing);
      await db.deleteFrom("backup_holds").where("id", "=", id).execute();
    },
  };
}
