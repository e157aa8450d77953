import { randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import { sql } from "kysely";
import { audit } from "../audit/audit.ts";
import { deviceOf } from "../audit/device.ts";
import type { Db } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import { caller } from "../http/caller.ts";
import { holdPassword, type Account, type Authenticated } from "./accounts.ts";
import type { AccountServices } from "./services.ts";

export const SESSION_AUDIENCE = "session";

/** How a user authenticated, as the audit log records it. */
export type Means = "password" | "authenticator app" | "recovery code" | "passkey";

/**
 * A new bearer token; its payload holds email and sub. Throws credentials_wrong if the password that was checked has been
 * replaced since: what ends all sessions must not miss this one.
 */
export async function issueSession(
  { clock, config, database }: AccountServices,
  user: Account | Authenticated,
  means: Means,
): Promise<string> {
  const id = randomUUID();
  const now = clock.now();
  const expires = new Date(now.getTime() + config.sessionDays * 86_400_000);
  await database.transaction(async (transaction) => {
    if ("hash" in user) await holdPassword(transaction, user);
    await transaction
      .deleteFrom("sessions")
      .where("user_id", "=", user.id)
      .where("expires_at", "<", now)
      .execute();
    await transaction
      .insertInto("sessions")
      .values({
        ...{ id, user_id: user.id, created_at: now, last_seen_at: now },
        ...{ expires_at: expires, revoked_at: null, ...placeOfCaller() },
      })
      .execute();
    const fact = { userId: user.id, what: "signed_in", by: "person", about: { means } } as const;
    await audit(transaction, fact);
  });
  return new SignJWT({ email: user.email })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(user.id)
    .setAudience(SESSION_AUDIENCE)
    .setJti(id)
    .setIssuedAt(now)
    .setExpirationTime(expires)
    .sign(config.jwtSecret);
}

/** Where the current request comes from. */
export function placeOfCaller(): { address?: string; device?: string } {
  const from = caller();
  return from ? { address: from.address, device: deviceOf(from.userAgent) } : {};
}

export async function revokeSession(
  { clock }: AccountServices,
  query: Db,
  sessionId: string,
): Promise<void> {
  await query
    .updateTable("sessions")
    .set({ revoked_at: clock.now() })
    .where("id", "=", sessionId)
    .execute();
}

/** Ends every session of a person but `except`. */
export async function revokeSessions(
  { clock }: AccountServices,
  query: Db,
  userId: string,
  except?: string,
): Promise<void> {
  let sessions = query
    .updateTable("sessions")
    .set({ revoked_at: clock.now() })
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null);
  if (except !== undefined) sessions = sessions.where("id", "!=", except);
  await sessions.execute();
}

/** Whether an account that has been signed in to before never was from this device and address. */
export async function isNewPlace(
  db: Db,
  userId: string,
  { device, address }: { device: string; address: string },
): Promise<boolean> {
  const { all, same } = await db
    .selectFrom("sessions")
    .select([
      sql<number>`count(*)::integer`.as("all"),
      sql<number>`(count(*) filter (where device = ${device} and address = ${address}))::integer`.as(
        "same",
      ),
    ])
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return all > 0 && same === 0;
}

/** Active sessions, most recently seen first. */
export function activeSessions({ clock, database }: AccountServices, userId: string) {
  return database.db
    .selectFrom("sessions")
    .select(["id", "created_at", "last_seen_at", "address", "device"])
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", clock.now())
    .orderBy("last_seen_at", "desc")
    .orderBy("id")
    .execute();
}

/** Ends one of a user's sessions. Throws not_found. */
export function endSession(
  { clock, database }: AccountServices,
  userId: string,
  sessionId: string,
): Promise<void> {
  return database.transaction(async (transaction) => {
    const ended = await transaction
      .updateTable("sessions")
      .set({ revoked_at: clock.now() })
      .where((is) => is(is.cast<string>("id", "text"), "=", sessionId))
      .where("user_id", "=", userId)
      .where("revoked_at", "is", null)
      .returning("device")
      .executeTakeFirst();
    if (!ended) throw new ApiError("not_found", "This session does not exist.");
    const about = { device: ended.device ?? "" };
    await audit(transaction, { userId, what: "session_ended", about });
  });
}

/** Ends all of a user's sessions except one. */
export function endOtherSessions(
  services: AccountServices,
  userId: string,
  except: string,
): Promise<void> {
  return services.database.transaction(async (transaction) => {
    await revokeSessions(services, transaction, userId, except);
    await audit(transaction, { userId, what: "other_sessions_ended" });
  });
}
