import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { missingParent, type Db } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";

const HELD_SECONDS = 120;
const RENEW_MS = 30_000;

/**
 * Keeps a project beyond its storage time while its results are being sent. Returns a function to call at the end; if
 * the process dies before that, the project is kept for two more minutes. Throws project_not_found if the project is
 * just being deleted.
 */
export async function holdForDownload(db: Db, projectId: string): Promise<() => void> {
  const id = randomUUID();
  const until = {
    held_until: sql<Date>`clock_timestamp() + make_interval(secs => ${HELD_SECONDS})`,
  };
  try {
    await db
      .insertInto("download_holds")
      .values({ id, project_id: projectId, ...until })
      .execute();
  } catch (error) {
    const refusal = missingParent(error);
    throw refusal ? new ApiError(refusal, undefined, { cause: error }) : error;
  }
  const quietly = (query: { execute(): Promise<unknown> }): void =>
    void query.execute().catch(() => undefined);
  const renewing = setInterval(
    () => quietly(db.updateTable("download_holds").set(until).where("id", "=", id)),
    RENEW_MS,
  ).unref();
  return () => {
    clearInterval(renewing);
    quietly(db.deleteFrom("download_holds").where("id", "=", id));
  };
}

/** Whether someone is downloading a project's results. Removes holds of dead processes. */
export async function isDownloaded(transaction: Db, projectId: string): Promise<boolean> {
  await transaction
    .deleteFrom("download_holds")
    .where("project_id", "=", projectId)
    .where("held_until", "<", sql<Date>`clock_timestamp()`)
    .execute();
  const hold = await transaction
    .selectFrom("download_holds")
    .select("id")
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  return hold !== undefined;
}
