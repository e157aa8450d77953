import { accountActivity, ACTIVITY_KEPT_DAYS } from "@stipple/contract";
import type { Database } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import { ok, type Mount } from "../http/route-adapter.ts";

const PAGE = 50;

export function auditRoutes(mount: Mount, { database }: { database: Database }): void {
  mount(accountActivity, async ({ session, query }) => {
    const { before } = query;
    if (before !== undefined && !/^[1-9]\d{0,17}$/.test(before)) {
      throw new ApiError(
        "invalid_request",
        "before must be the value of next in the previous response.",
      );
    }
    let select = database.db
      .selectFrom("audit_log")
      .select(["id", "at", "what", "by", "about", "address", "device"])
      .where("user_id", "=", session.userId);
    if (before !== undefined) select = select.where("id", "<", before);
    // One more than a page, to see whether there is another page.
    const rows = await select
      .orderBy("id", "desc")
      .limit(PAGE + 1)
      .execute();
    const entries = rows.slice(0, PAGE).map(({ at, ...row }) => ({ ...row, at: at.toISOString() }));
    return ok({
      entries,
      next: rows.length > PAGE ? (entries.at(-1)?.id ?? null) : null,
      kept_days: ACTIVITY_KEPT_DAYS,
    });
  });
}
