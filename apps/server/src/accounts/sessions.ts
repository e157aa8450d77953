import { randomUUID } from "node:crypto";
import { expressionBuilder, sql } from "kysely";
import { errors, jwtVerify, SignJWT } from "jose";
import type { Clock } from "../clock.ts";
import { audit } from "../audit/audit.ts";
import { deviceOf } from "../audit/device.ts";
import type { Database, Db } from "../db/database.ts";
import { prepared } from "../db/prepared.ts";
import type { Schema } from "../db/schema.ts";
import { ApiError } from "../http/api-error.ts";
import { caller } from "../http/caller.ts";
import type { Means } from "./second-factor.ts";
import type { ReadBeside, Session } from "../access/session.ts";

export interface Sessions {
  /** A new bearer token; its payload holds email and sub. `means`: how the user authenticated. */
  issue(user: { id: string; email: string }, means: Means): Promise<string>;
  /**
   * The session of a token, and the JSON text of what was read with it; one query. Throws session_expired if the token
   * is expired, revoked, or forged, or its account was deleted.
   */
  verify(
    token: string,
    beside?: { read: ReadBeside<unknown>; projectId: string | null },
  ): Promise<{ session: Session; beside: string | null }>;
  /** In the caller's transaction when `query` is one. */
  revoke(sessionId: string, query?: Db): Promise<void>;
  /** Ends every session of a person but `except`; in the caller's transaction when `query` is one. */
  revokeAll(userId: string, options?: { except?: string; query?: Db }): Promise<void>;
  /** Whether an account that has been signed in to before never was from this device and address. */
  isNewPlace(userId: string, from: { device: string; address: string }): Promise<boolean>;
  /** Active sessions, most recently seen first. */
  list(userId: string): Promise<SessionRow[]>;
  /** Ends one of a user's sessions. Throws not_found. */
  end(userId: string, sessionId: string): Promise<void>;
  /** Ends all of a user's sessions except one. */
  endOthers(userId: string, except: string): Promise<void>;
}

export interface SessionRow {
  id: string;
  createdAt: Date;
  lastSeenAt: Date;
  address: string | null;
  device: string | null;
}

const AUDIENCE = "session";

/** How stale the last-seen time of a session may get: every call reads it, few write it. */
const SEEN_MS = 5 * 60_000;

/** Tokens whose signature is cached: polling pages keep sending the same one. */
const REMEMBERED = 10_000;

export function openSessions(
  database: Database,
  key: Uint8Array,
  days: number,
  clock: Clock,
): Sessions {
  const { db } = database;
  const signed = new Map<string, { id: string; expires: number }>();

  /** The id of a token's session. The signature is checked once, the expiry every time. */
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

  function queryOf(read?: ReadBeside<unknown>) {
    return prepared(db, (given: { id: string; projectId: string | null }) =>
      db
        .selectFrom("sessions")
        .innerJoin("users", "users.id", "sessions.user_id")
        .select(["sessions.id", "users.id as user_id", "users.email", "sessions.last_seen_at"])
        .select(
          sql<string | null>`${
            read?.(expressionBuilder<Schema, "users">(), given.projectId as string) ?? null
          }::text`.as("beside"),
        )
        .where("sessions.id", "=", given.id)
        .where("sessions.revoked_at", "is", null),
    );
  }
  const queries = new Map<ReadBeside<unknown> | undefined, ReturnType<typeof queryOf>>();
  function rowOf(id: string, read?: ReadBeside<unknown>, projectId: string | null = null) {
    const query = queries.get(read) ?? queryOf(read);
    queries.set(read, query);
    return query({ id, projectId });
  }

  async function revokeAll(
    userId: string,
    { except, query = db }: { except?: string; query?: Db } = {},
  ): Promise<void> {
    let sessions = query
      .updateTable("sessions")
      .set({ revoked_at: clock.now() })
      .where("user_id", "=", userId)
      .where("revoked_at", "is", null);
    if (except !== undefined) sessions = sessions.where("id", "!=", except);
    await sessions.execute();
  }

  return {
    async issue(user, means) {
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
          .values({
            id,
            user_id: user.id,
            created_at: now,
            expires_at: expires,
            revoked_at: null,
            last_seen_at: now,
            ...placeOfCaller(),
          })
          .execute();
        await audit(transaction, {
          userId: user.id,
          what: "signed_in",
          by: "person",
          about: { means },
        });
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
    async verify(token, beside) {
      const id = await sessionOf(token);
      const [row] = await rowOf(id, beside?.read, beside?.projectId);
      if (!row) throw new ApiError("session_expired");
      const now = clock.now();
      const seenBefore = new Date(now.getTime() - SEEN_MS);
      if (row.last_seen_at < seenBefore) {
        await db
          .updateTable("sessions")
          .set({ last_seen_at: now, ...placeOfCaller() })
          .where("id", "=", id)
          // Of simultaneous calls, one writes.
          .where("last_seen_at", "<", seenBefore)
          .execute();
      }
      return {
        session: { id: row.id, userId: row.user_id, email: row.email },
        beside: row.beside,
      };
    },
    async revoke(sessionId, query = db) {
      await query
        .updateTable("sessions")
        .set({ revoked_at: clock.now() })
        .where("id", "=", sessionId)
        .execute();
    },
    revokeAll,
    async isNewPlace(userId, { device, address }) {
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
    },
    async list(userId) {
      const rows = await db
        .selectFrom("sessions")
        .select(["id", "created_at", "last_seen_at", "address", "device"])
        .where("user_id", "=", userId)
        .where("revoked_at", "is", null)
        .where("expires_at", ">", clock.now())
        .orderBy("last_seen_at", "desc")
        .orderBy("id")
        .execute();
      return rows.map(({ created_at, last_seen_at, ...row }) => ({
        ...row,
        createdAt: created_at,
        lastSeenAt: last_seen_at,
      }));
    },
    async end(userId, sessionId) {
      await database.transaction(async (transaction) => {
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
    },
    async endOthers(userId, except) {
      await database.transaction(async (transaction) => {
        await revokeAll(userId, { except, query: transaction });
        await audit(transaction, { userId, what: "other_sessions_ended" });
      });
    },
  };
}

/** Where the current request comes from. */
function placeOfCaller(): { address?: string; device?: string } {
  const from = caller();
  return from ? { address: from.address, device: deviceOf(from.userAgent) } : {};
}
