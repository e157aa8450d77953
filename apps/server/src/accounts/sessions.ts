import { randomUUID } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";
import type { Clock } from "../clock.ts";
import { audit } from "../audit/audit.ts";
import type { Database, Db } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";

/** A signed-in person. */
export interface Session {
  id: string;
  userId: string;
  email: string;
}

export interface Sessions {
  /** A new bearer token; its payload holds email and sub. */
  issue(user: { id: string; email: string }): Promise<string>;
  /** Whose token this is. Throws session_expired for one that is expired, revoked, forged or of a deleted account. */
  verify(token: string): Promise<Session>;
  /** In the caller's transaction when `query` is one. */
  revoke(sessionId: string, query?: Db): Promise<void>;
  /** Ends every session of a person but `except`; in the caller's transaction when `query` is one. */
  revokeAll(userId: string, options?: { except?: string; query?: Db }): Promise<void>;
}

const AUDIENCE = "session";

/** Tokens whose signature is remembered: everybody who polls sends the same one again and again. */
const REMEMBERED = 10_000;

export function openSessions(
  database: Database,
  key: Uint8Array,
  days: number,
  clock: Clock,
): Sessions {
  const { db } = database;
  const signed = new Map<string, { id: string; expires: number }>();

  /** The session that a token names. Its signature is checked once; its time every time. */
  async function sessionOf(token: string): Promise<string> {
    const now = clock.now();
    const known = signed.get(token);
    if (known && known.expires > now.getTime()) return known.id;
    const { payload } = await jwtVerify(token, key, {
      algorithms: ["HS256"],
      audience: AUDIENCE,
      requiredClaims: ["jti", "exp"],
      currentDate: now,
    }).catch((error: unknown) => {
      if (error instanceof errors.JOSEError) {
        throw new ApiError("session_expired", undefined, { cause: error });
      }
      throw error;
    });
    const id = payload.jti ?? "";
    if (signed.size >= REMEMBERED) signed.delete(signed.keys().next().value ?? "");
    signed.set(token, { id, expires: (payload.exp ?? 0) * 1000 });
    return id;
  }

  return {
    async issue(user) {
      const id = randomUUID();
      const now = clock.now();
      const expires = new Date(now.getTime() + days * 86_400_000);
      await database.transaction(async (transaction) => {
        await transaction
          .deleteFrom("sessions")
          .where("user_id", "=", user.id)
          .where("expires_at", "<", now)
          .execute();
        await transaction
          .insertInto("sessions")
          .values({ id, user_id: user.id, created_at: now, expires_at: expires, revoked_at: null })
          .execute();
        await audit(transaction, { userId: user.id, what: "signed_in" });
      });
      return new SignJWT({ email: user.email })
        .setProtectedHeader({ alg: "HS256" })
        .setSubject(user.id)
        .setAudience(AUDIENCE)
        .setJti(id)
        .setIssuedAt(now)
        .setExpirationTime(expires)
        .sign(key);
    },
    async verify(token) {
      const id = await sessionOf(token);
      const row = await db
        .selectFrom("sessions")
        .innerJoin("users", "users.id", "sessions.user_id")
        .select(["sessions.id", "users.id as user_id", "users.email"])
        .where("sessions.id", "=", id)
        .where("sessions.revoked_at", "is", null)
        .executeTakeFirst();
      if (!row) throw new ApiError("session_expired");
      return { id: row.id, userId: row.user_id, email: row.email };
    },
    async revoke(sessionId, query = db) {
      await query
        .updateTable("sessions")
        .set({ revoked_at: clock.now() })
        .where("id", "=", sessionId)
        .execute();
    },
    async revokeAll(userId, { except, query = db } = {}) {
      let sessions = query
        .updateTable("sessions")
        .set({ revoked_at: clock.now() })
        .where("user_id", "=", userId)
        .where("revoked_at", "is", null);
      if (except !== undefined) sessions = sessions.where("id", "!=", except);
      await sessions.execute();
    },
  };
}
