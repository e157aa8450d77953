import { ACTIVITY_KEPT_DAYS, type Activity, type Actor } from "@stipple/contract";
import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import { caller } from "../http/caller.ts";
import { deviceOf } from "./device.ts";

export interface Fact {
  /** Whose account it concerns. */
  userId: string;
  what: Activity;
  /** Without it: the person whose request is being served, else the system. */
  by?: Actor;
  /** Names at this time, because they may be gone later: project, file, plan, amount … */
  about?: Record<string, string>;
}

const LONGEST_NAME = 200;

/**
 * Records a fact in the account's audit log, which its user can read in the profile. Pass the transaction that makes
 * the change, if any, so that either both are stored or neither. Nothing is recorded for an account that does not
 * exist; the call takes equally long.
 */
export function audit(query: Db, fact: Fact): Promise<void> {
  return auditEach(query, [fact.userId], fact);
}

/** Records the same fact in the audit logs of several accounts, in one statement. */
export async function auditEach(
  query: Db,
  userIds: readonly string[],
  fact: Omit<Fact, "userId">,
): Promise<void> {
  const from = caller();
  const by = fact.by ?? (from ? "person" : "system");
  // Actions of the provider or the operator have no address of the user.
  const place = by === "person" || by === "visitor" ? from : undefined;
  await query
    .insertInto("audit_log")
    .columns(["user_id", "what", "by", "about", "address", "device"])
    .expression((select) =>
      select
        .selectFrom("users")
        .select([
          "id",
          sql.val<string>(fact.what).as("what"),
          sql.val<string>(by).as("by"),
          sql<string>`${JSON.stringify(shortened(fact.about))}::jsonb`.as("about"),
          sql.val<string | null>(place?.address ?? null).as("address"),
          sql.val<string | null>(place ? deviceOf(place.userAgent) : null).as("device"),
        ])
        .where((is) => is("id", "=", is.fn.any(sql.val<readonly string[]>(userIds)))),
    )
    .execute();
}

/** Records that an account is gone. Its own log goes with it; this line, which only operators see, names nobody. */
export async function auditAccountDeleted(query: Db, userId: string): Promise<void> {
  await query
    .insertInto("audit_log")
    .values({
      user_id: null,
      what: "account_deleted" satisfies Activity,
      by: caller() ? "person" : "system",
      about: JSON.stringify({ account: userId }),
      address: null,
      device: null,
    })
    .execute();
}

/** Removes what is older than ACTIVITY_KEPT_DAYS. */
export async function sweepAuditLog(query: Db): Promise<void> {
  await query
    .deleteFrom("audit_log")
    .where("at", "<", sql<Date>`now() - make_interval(days => ${ACTIVITY_KEPT_DAYS})`)
    .execute();
}

function shortened(about: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(about).map(([name, value]) => [
      name,
      // PostgreSQL's jsonb accepts neither NUL nor lone surrogates.
      value.replaceAll("\0", "").slice(0, LONGEST_NAME).toWellFormed(),
    ]),
  );
}
