import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { Db } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";

/** A multi-step action that a user has started. */
export type Purpose = "second step" | "passkey sign-in" | "add passkey" | "add totp";

export interface Ceremony {
  /** null if a passkey identifies the user. */
  userId: string | null;
  /** What a passkey has to sign. */
  challenge: string | null;
  /** The sealed secret of an authenticator app that is not confirmed yet. */
  secret: Buffer | null;
}

/** Actions that take more than one call. Each has a ticket, stored as a hash and valid for ten minutes. */
export interface Ceremonies {
  begin(purpose: Purpose, of: Partial<Ceremony>): Promise<string>;
  /** Throws sign_in_step_over for an unknown or expired ticket. */
  look(purpose: Purpose, ticket: string): Promise<Ceremony>;
  /** Ends it, in the caller's transaction. Throws sign_in_step_over if another call has already ended it. */
  end(query: Db, ticket: string): Promise<void>;
  /** Ends all of a user's, in the caller's transaction. */
  endAllOf(query: Db, userId: string): Promise<void>;
}

const VALID_MS = 10 * 60_000;

export function openCeremonies(db: Db, clock: Clock): Ceremonies {
  return {
    async begin(purpose, { userId = null, challenge = null, secret = null }) {
      const ticket = randomBytes(32).toString("base64url");
      const now = clock.now();
      await db.deleteFrom("ceremonies").where("expires_at", "<=", now).execute();
      await db
        .insertInto("ceremonies")
        .values({
          ticket_hash: hashOf(ticket),
          purpose,
          user_id: userId,
          challenge,
          secret,
          expires_at: new Date(now.getTime() + VALID_MS),
        })
        .execute();
      return ticket;
    },
    async look(purpose, ticket) {
      const row = await db
        .selectFrom("ceremonies")
        .select(["user_id", "challenge", "secret"])
        .where("ticket_hash", "=", hashOf(ticket))
        .where("purpose", "=", purpose)
        .where("expires_at", ">", clock.now())
        .executeTakeFirst();
      if (!row) throw new ApiError("sign_in_step_over");
      return { userId: row.user_id, challenge: row.challenge, secret: row.secret };
    },
    async end(query, ticket) {
      const ended = await query
        .deleteFrom("ceremonies")
        .where("ticket_hash", "=", hashOf(ticket))
        .returning("purpose")
        .executeTakeFirst();
      if (!ended) throw new ApiError("sign_in_step_over");
    },
    async endAllOf(query, userId) {
      await query.deleteFrom("ceremonies").where("user_id", "=", userId).execute();
    },
  };
}

function hashOf(ticket: string): string {
  return createHash("sha256").update(ticket).digest("hex");
}
