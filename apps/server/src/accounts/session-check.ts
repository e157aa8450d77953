import { expressionBuilder, sql } from "kysely";
import { errors, jwtVerify } from "jose";
import type { ReadWithSession, VerifySession } from "../access/session.ts";
import { prepared } from "../db/prepared.ts";
import type { Schema } from "../db/schema.ts";
import { ApiError } from "../http/api-error.ts";
import { BoundedMap } from "../operations/bounded-map.ts";
import type { AccountServices } from "./services.ts";
import { placeOfCaller, SESSION_AUDIENCE } from "./sessions.ts";

/** How stale the last-seen time of a session may get: every call reads it, few write it. */
const SEEN_MS = 5 * 60_000;

/** Tokens whose signature is cached: polling pages keep sending the same one. */
const REMEMBERED = 10_000;

/** Looks sessions up, each with one query. Throws session_expired if one is over, revoked, or forged. */
export function sessionCheck(services: AccountServices): VerifySession {
  const { clock, database } = services;
  const idOf = tokenCheck(services);
  const rowOf = sessionRead(services);
  return async (token, beside) => {
    const id = await idOf(token);
    const [row] = await rowOf(id, beside?.read, beside?.projectId);
    if (!row) throw new ApiError("session_expired");
    const now = clock.now();
    const seenBefore = new Date(now.getTime() - SEEN_MS);
    if (row.last_seen_at < seenBefore) {
      await database.db
        .updateTable("sessions")
        .set({ last_seen_at: now, ...placeOfCaller() })
        .where("id", "=", id)
        // Of simultaneous calls, one writes.
        .where("last_seen_at", "<", seenBefore)
        .execute();
    }
    const session = { id: row.id, userId: row.user_id, email: row.email };
    return { session, beside: row.beside };
  };
}

/** The id of a token's session. The signature is checked once, the expiry every time. */
function tokenCheck({ clock, config }: AccountServices): (token: string) => Promise<string> {
  const signed = new BoundedMap<{ id: string; expires: number }>(REMEMBERED);
  return async (token) => {
    const now = clock.now();
    const known = signed.get(token);
    if (known && known.expires > now.getTime()) return known.id;
    const { payload } = await jwtVerify(token, config.jwtSecret, {
      algorithms: ["HS256"],
      audience: SESSION_AUDIENCE,
      requiredClaims: ["jti", "exp"],
      currentDate: now,
    }).catch((error: unknown) => {
      if (error instanceof errors.JOSEError) {
        throw new ApiError("session_expired", undefined, { cause: error });
      }
      throw error;
    });
    const id = payload.jti ?? "";
    signed.set(token, { id, expires: (payload.exp ?? 0) * 1000 });
    return id;
  };
}

/** Reads a session, and what a route wants along with it. The queries are built once for each route. */
function sessionRead({ database: { db } }: AccountServices) {
  const queryOf = (read?: ReadWithSession<unknown>) =>
    prepared(db, (given: { id: string; projectId: string | null }) =>
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
  const queries = new Map<ReadWithSession<unknown> | undefined, ReturnType<typeof queryOf>>();
  return (id: string, read?: ReadWithSession<unknown>, projectId: string | null = null) => {
    const query = queries.get(read) ?? queryOf(read);
    queries.set(read, query);
    return query({ id, projectId });
  };
}
