import { sql } from "kysely";
import type { Database } from "../db/database.ts";

/**
 * Does `work` when due, in whichever process asks first; the others find it done. Whether it succeeds, fails, or is
 * killed, it is next due after `everyMs`. Returns whether it was done here.
 */
export async function whenDue(
  {
    database,
  }: {
    database: Database;
  },
  name: string,
  everyMs: number,
  work: () => Promise<void>,
): Promise<boolean> {
  const due = sql<Date>`clock_timestamp() + make_interval(secs => ${everyMs / 1000})`;
  const claimed = await database.db
    .insertInto("chores")
    .values({ name, due_at: due })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ due_at: due })
        .where("chores.due_at", "<=", sql<Date>`clock_timestamp()`),
    )
    .returning("name")
    .executeTakeFirst();
  if (!claimed) return false;
  await work();
  return true;
}
