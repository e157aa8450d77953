import { keepGeneList, listGeneLists, removeGeneList, type KeptGeneList } from "@stipple/contract";
import type { Clock } from "../clock.ts";
import type { Database, Db } from "../db/database.ts";
import { countOf, lockRow } from "../db/rows.ts";
import { ApiError } from "../http/api-error.ts";
import { ok, type Mount } from "../http/route-adapter.ts";

const MAX_LISTS = 1000;

/** The lists that an account keeps, by name. */
export function keptGeneLists(db: Db, userId: string): Promise<KeptGeneList[]> {
  return db
    .selectFrom("gene_lists")
    .select(["name", "genes"])
    .where("user_id", "=", userId)
    .orderBy("name")
    .execute();
}

export function geneListRoutes(
  mount: Mount,
  { database, clock }: { database: Database; clock: Clock },
): void {
  const { db } = database;

  mount(listGeneLists, ({ session }) => ok(keptGeneLists(db, session.userId)));

  mount(keepGeneList, async ({ session: { userId }, body: { name, genes } }) => {
    const row = { genes: JSON.stringify(genes), kept_at: clock.now() };
    await database.transaction(async (transaction) => {
      // Simultaneous calls wait here, so that together they cannot exceed the limit.
      await lockRow(transaction, "users", userId);
      const lists = transaction.selectFrom("gene_lists").where("user_id", "=", userId);
      if ((await countOf(lists.where("name", "!=", name))) >= MAX_LISTS) {
        throw new ApiError(
          "limit_reached",
          `An account can keep ${MAX_LISTS} gene lists. Delete one you no longer need.`,
        );
      }
      await transaction
        .insertInto("gene_lists")
        .values({ user_id: userId, name, ...row })
        .onConflict((conflict) => conflict.columns(["user_id", "name"]).doUpdateSet(row))
        .execute();
    });
    return ok({ message: `${name} is kept in your account.` });
  });

  mount(removeGeneList, async ({ session, query: { name } }) => {
    await db
      .deleteFrom("gene_lists")
      .where("user_id", "=", session.userId)
      .where("name", "=", name)
      .execute();
    return ok({ message: `${name} is no longer kept in your account.` });
  });
}
