import type { AccountSecurity } from "@stipple/contract";
import { audit } from "../audit/audit.ts";
import type { Clock } from "../clock.ts";
import type { Database, Db } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import type { Attempts, Limit } from "./attempts.ts";
import { openAuthenticatorApps } from "./authenticator-app.ts";
import type { Ceremonies } from "./ceremonies.ts";
import { openPasskeys, type Passkeys } from "./passkeys.ts";
import { openRecoveryCodes } from "./recovery-codes.ts";
import { openSecretBox } from "./secret-box.ts";
import type { Sessions } from "./sessions.ts";

/** How a user authenticated, as the audit log records it. */
export type Means = "password" | "authenticator app" | "recovery code" | "passkey";

/** What a user signs in with in addition to the password. Users without a second factor are not asked for one. */
export interface SecondFactor {
  passkeys: Passkeys;
  /** The user's second factors; null if none. */
  of(userId: string): Promise<{ totp: boolean; passkeys: boolean } | null>;
  state(userId: string): Promise<Omit<AccountSecurity, "email_verified" | "can_verify_email">>;
  /** A ticket for the second step of someone whose password was right. */
  ask(userId: string): Promise<string>;
  /**
   * Accepts a code from the app or a recovery code, and ends the ticket. Wrong codes are counted separately for each
   * known device, and together for all others. Throws code_wrong, rate_limited.
   */
  takeCode(
    ticket: string,
    code: string,
    deviceOf: (userId: string) => Promise<string | null>,
  ): Promise<{ userId: string; means: Means }>;
  /** A ticket and what the browser needs; without the ticket of a second step, any user's passkey will do. */
  askPasskey(
    step: string | undefined,
  ): Promise<{ ticket: string; options: Record<string, unknown> }>;
  /** Takes the passkey's answer, and ends the ticket. Throws passkey_refused. */
  takePasskey(
    ticket: string,
    response: Record<string, unknown>,
  ): Promise<{ userId: string; means: Means }>;
  startTotp(user: {
    id: string;
    email: string;
  }): Promise<{ ticket: string; secret: string; uri: string }>;
  /** Recovery codes, when this is the first factor. Throws code_wrong. */
  confirmTotp(userId: string, ticket: string, code: string): Promise<string[] | null>;
  addPasskey(
    userId: string,
    ticket: string,
    name: string,
    response: Record<string, unknown>,
  ): Promise<string[] | null>;
  /** Throws not_found. */
  removeTotp(userId: string): Promise<void>;
  removePasskey(userId: string, id: string): Promise<void>;
  newRecoveryCodes(userId: string): Promise<string[]>;
  /**
   * Removes every factor and ends every session, in one transaction with what `note` writes: the person who requested
   * it may be an impostor and must still know the password. Returns what was removed; null if nothing.
   */
  removeAll(
    userId: string,
    note: (transaction: Db) => Promise<void>,
  ): Promise<{ totp: boolean; passkeys: boolean } | null>;
}

const CODES: Limit = { what: "second factor", max: 10, windowMs: 15 * 60_000 };

export function openSecondFactor(parts: {
  database: Database;
  clock: Clock;
  attempts: Attempts;
  ceremonies: Ceremonies;
  sessions: Sessions;
  operatorSecret: Uint8Array;
  publicUrl: string;
}): SecondFactor {
  const { database, clock, attempts, ceremonies } = parts;
  const { db } = database;
  const box = openSecretBox(parts.operatorSecret);
  const apps = openAuthenticatorApps(box, clock);
  const codes = openRecoveryCodes(box, clock);
  const passkeys = openPasskeys(parts);

  async function of(
    query: Db,
    userId: string,
  ): Promise<{ totp: boolean; passkeys: boolean } | null> {
    const found = await query
      .selectFrom("users")
      .select((select) => [
        select
          .exists(
            select
              .selectFrom("authenticator_apps")
              .select("user_id")
              .whereRef("authenticator_apps.user_id", "=", "users.id"),
          )
          .as("totp"),
        select
          .exists(
            select
              .selectFrom("passkeys")
              .select("passkeys.id")
              .whereRef("passkeys.user_id", "=", "users.id"),
          )
          .as("passkeys"),
      ])
      .where("users.id", "=", userId)
      .executeTakeFirst();
    const has = { totp: Boolean(found?.totp), passkeys: Boolean(found?.passkeys) };
    return has.totp || has.passkeys ? has : null;
  }

  /**
   * Adds or removes a factor. Locks the account's row, so that the first and the last factor are recognized as such.
   */
  function changing<T>(userId: string, change: (transaction: Db) => Promise<T>): Promise<T> {
    return database.transaction(async (transaction) => {
      await transaction
        .selectFrom("users")
        .select("id")
        .where("id", "=", userId)
        .forUpdate()
        .executeTakeFirst();
      return change(transaction);
    });
  }

  async function codesForFirst(
    query: Db,
    userId: string,
    isFirst: boolean,
  ): Promise<string[] | null> {
    return isFirst ? codes.renew(query, userId) : null;
  }

  /** Without a second factor there is nothing to recover. */
  async function dropCodesAfterLast(query: Db, userId: string): Promise<void> {
    if (!(await of(query, userId))) await codes.remove(query, userId);
  }

  return {
    passkeys,
    of: (userId) => of(db, userId),
    async state(userId) {
      const app = await db
        .selectFrom("authenticator_apps")
        .select("created_at")
        .where("user_id", "=", userId)
        .executeTakeFirst();
      const keys = await db
        .selectFrom("passkeys")
        .select(["id", "name", "created_at", "last_used_at"])
        .where("user_id", "=", userId)
        .orderBy("created_at")
        .execute();
      const { left } = await db
        .selectFrom("recovery_codes")
        .select((select) => select.fn.countAll<string>().as("left"))
        .where("user_id", "=", userId)
        .where("used_at", "is", null)
        .executeTakeFirstOrThrow();
      return {
        totp_since: app?.created_at.toISOString() ?? null,
        passkeys: keys.map(({ id, name, created_at, last_used_at }) => ({
          id,
          name,
          created_at: created_at.toISOString(),
          last_used_at: last_used_at?.toISOString() ?? null,
        })),
        recovery_codes_left: Number(left),
      };
    },
    ask: (userId) => ceremonies.begin("second step", { userId }),
    async takeCode(ticket, given, deviceOf) {
      const { userId } = await ceremonies.look("second step", ticket);
      if (userId === null) throw new ApiError("sign_in_step_over");
      const device = await deviceOf(userId);
      const who = device ? `${userId} ${device}` : userId;
      const { count } = await attempts.count(CODES, who);
      if (count > CODES.max) await attempts.check(CODES, who);
      const code = given.trim();
      const means = await database.transaction(async (transaction): Promise<Means | null> => {
        if (/^\d[\d\s]*$/.test(code)) {
          if (!(await apps.takes(transaction, userId, code.replace(/\s/g, "")))) return null;
          await ceremonies.end(transaction, ticket);
          return "authenticator app";
        }
        if (!(await codes.takes(transaction, userId, code))) return null;
        await ceremonies.end(transaction, ticket);
        await audit(transaction, { userId, what: "recovery_code_used", by: "person" });
        return "recovery code";
      });
      if (!means) {
        await audit(db, { userId, what: "second_factor_failed", by: "visitor" });
        throw new ApiError("code_wrong");
      }
      await attempts.clear(CODES, who);
      return { userId, means };
    },
    async askPasskey(step) {
      const userId =
        step === undefined ? null : (await ceremonies.look("second step", step)).userId;
      const { challenge, options } = await passkeys.startAsking(userId);
      const ticket = await ceremonies.begin("passkey sign-in", { userId, challenge });
      return { ticket, options };
    },
    async takePasskey(ticket, response) {
      const { userId, challenge } = await ceremonies.look("passkey sign-in", ticket);
      // A challenge accepts only one answer, correct or not.
      await ceremonies.end(db, ticket);
      const alone = userId === null;
      const owner = await passkeys.check(challenge ?? "", response, alone);
      if (!alone && owner.userId !== userId) throw new ApiError("passkey_refused");
      return { userId: owner.userId, means: "passkey" };
    },
    async startTotp(user) {
      const { sealable, secret, uri } = apps.newSecret(user.email);
      const ticket = await ceremonies.begin("add totp", {
        userId: user.id,
        secret: box.seal(sealable, user.id),
      });
      return { ticket, secret, uri };
    },
    async confirmTotp(userId, ticket, code) {
      const ceremony = await ceremonies.look("add totp", ticket);
      const { secret } = ceremony;
      if (ceremony.userId !== userId || !secret) throw new ApiError("sign_in_step_over");
      return changing(userId, async (transaction) => {
        const isFirst = !(await of(transaction, userId));
        const isOn = await apps.turnOn(
          transaction,
          userId,
          box.open(secret, userId),
          code.replace(/\s/g, ""),
        );
        if (!isOn) throw new ApiError("code_wrong");
        await ceremonies.end(transaction, ticket);
        await audit(transaction, { userId, what: "totp_added" });
        return codesForFirst(transaction, userId, isFirst);
      });
    },
    async addPasskey(userId, ticket, name, response) {
      const passkey = await passkeys.checkNew(userId, ticket, response);
      return changing(userId, async (transaction) => {
        const isFirst = !(await of(transaction, userId));
        const kept = await passkeys.keep(transaction, userId, passkey, name);
        await audit(transaction, { userId, what: "passkey_added", about: { name: kept } });
        return codesForFirst(transaction, userId, isFirst);
      });
    },
    removeTotp: (userId) =>
      changing(userId, async (transaction) => {
        if (!(await apps.turnOff(transaction, userId))) {
          throw new ApiError("not_found", "There is no authenticator app to remove.");
        }
        await dropCodesAfterLast(transaction, userId);
        await audit(transaction, { userId, what: "totp_removed" });
      }),
    removePasskey: (userId, id) =>
      changing(userId, async (transaction) => {
        const name = await passkeys.remove(transaction, userId, id);
        if (name === undefined) throw new ApiError("not_found", "This passkey does not exist.");
        await dropCodesAfterLast(transaction, userId);
        await audit(transaction, { userId, what: "passkey_removed", about: { name } });
      }),
    newRecoveryCodes: (userId) =>
      changing(userId, async (transaction) => {
        if (!(await of(transaction, userId))) {
          throw new ApiError(
            "invalid_request",
            "Recovery codes require a second factor: add one first.",
          );
        }
        const made = await codes.renew(transaction, userId);
        await audit(transaction, { userId, what: "recovery_codes_made" });
        return made;
      }),
    removeAll: (userId, note) =>
      changing(userId, async (transaction) => {
        const had = await of(transaction, userId);
        if (!had) return null;
        await apps.turnOff(transaction, userId);
        await transaction.deleteFrom("passkeys").where("user_id", "=", userId).execute();
        await codes.remove(transaction, userId);
        await parts.sessions.revokeAll(userId, { query: transaction });
        await note(transaction);
        return had;
      }),
  };
}
