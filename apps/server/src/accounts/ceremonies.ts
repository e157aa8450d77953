import type { Db } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import type { AccountServices } from "./services.ts";
import { hashOf, newToken } from "./tokens.ts";

/** A multi-step action that a user has started. Each has a ticket, stored as a hash and valid for ten minutes. */
export type Purpose = "second step" | "passkey sign-in" | "add passkey" | "add totp";

export interface Ceremony {
  /** null if a passkey identifies the user. */
  userId: string | null;
  /** What a passkey has to sign. */
  challenge: string | null;
  /** The sealed secret of an authenticator app that is not confirmed yet. */
  secret: Buffer | null;
  /** The hash of the password that was right; null if no password was asked for. */
  passwordHash: string | null;
}

const VALID_MS = 10 * 60_000;

/** Returns its ticket. */
export async function beginCeremony(
  { clock, database: { db } }: AccountServices,
  purpose: Purpose,
  { userId = null, challenge = null, secret = null, passwordHash = null }: Partial<Ceremony>,
): Promise<string> {
  const ticket = newToken();
  const now = clock.now();
  await db.deleteFrom("ceremonies").where("expires_at", "<=", now).execute();
  const expires = new Date(now.getTime() + VALID_MS);
  await db
    .insertInto("ceremonies")
    .values({
      ...{ ticket_hash: hashOf(ticket), purpose, expires_at: expires },
      ...{ user_id: userId, challenge, secret, password_hash: passwordHash },
    })
    .execute();
  return ticket;
}

/** Throws sign_in_step_over for an unknown or expired ticket. */
export async function ceremonyOf(
  { clock, database }: AccountServices,
  purpose: Purpose,
  ticket: string,
): Promise<Ceremony> {
  const row = await database.db
    .selectFrom("ceremonies")
    .select(["user_id as userId", "challenge", "secret", "password_hash as passwordHash"])
    .where("ticket_hash", "=", hashOf(ticket))
    .where("purpose", "=", purpose)
    .where("expires_at", ">", clock.now())
    .executeTakeFirst();
  if (!row) throw new ApiError("sign_in_step_over");
  return row;
}

/** Throws sign_in_step_over if another call has already ended it. */
export async function endCeremony(query: Db, ticket: string): Promise<void> {
  const ended = await query
    .deleteFrom("ceremonies")
    .where("ticket_hash", "=", hashOf(ticket))
    .returning("purpose")
    .executeTakeFirst();
  if (!ended) throw new ApiError("sign_in_step_over");
}

export async function endCeremoniesOf(query: Db, userId: string): Promise<void> {
  await query.deleteFrom("ceremonies").where("user_id", "=", userId).execute();
}
