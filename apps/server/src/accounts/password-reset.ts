import { createHash, randomBytes } from "node:crypto";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import { audit } from "../audit/audit.ts";
import type { Database } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import type { Accounts } from "./accounts.ts";
import type { Attempts, Limit } from "./attempts.ts";
import type { Ceremonies } from "./ceremonies.ts";
import { isEmailShaped, plainEmail } from "./email-address.ts";
import type { EmailVerification } from "./email-verification.ts";
import type { Mailer } from "../notices/mailer.ts";
import { checkNewPassword } from "./passwords.ts";
import type { Sessions } from "./sessions.ts";

/** Choosing a new password with an emailed link. */
export interface PasswordReset {
  /**
   * Returns immediately; the account lookup and the email happen afterwards, so neither the response nor its timing
   * reveals whether the account exists. Throws rate_limited, for unknown emails too.
   */
  request(email: string): Promise<void>;
  /**
   * Sets the password, ends every session, and returns the user's id. Throws reset_link_invalid for a used, expired, or
   * unknown token.
   */
  reset(token: string, password: string, confirmation: string): Promise<string>;
  /** Resolves when all emails requested so far have been sent. */
  settled(): Promise<void>;
}

const VALID_MS = 3_600_000;
const HOUR_MS = 3_600_000;

export function openPasswordReset(parts: {
  database: Database;
  clock: Clock;
  logger: Logger;
  accounts: Accounts;
  attempts: Attempts;
  sessions: Sessions;
  ceremonies: Ceremonies;
  emailVerification: EmailVerification;
  mailer: Mailer;
  /** Address of the pages. */
  publicUrl: string;
  resetsPerHour: number;
}): PasswordReset {
  const { database, clock, logger, accounts, attempts, sessions, mailer, publicUrl } = parts;
  const { ceremonies, emailVerification } = parts;
  const { db } = database;
  const limit: Limit = { what: "password reset", max: parts.resetsPerHour, windowMs: HOUR_MS };
  const underWay = new Set<Promise<void>>();

  async function mailLink(email: string): Promise<void> {
    const account = await accounts.byEmail(email);
    if (!account) return;
    const token = randomBytes(32).toString("base64url");
    const now = clock.now();
    await audit(db, { userId: account.id, what: "password_reset_asked", by: "visitor" });
    await db.deleteFrom("password_resets").where("expires_at", "<=", now).execute();
    await db
      .insertInto("password_resets")
      .values({
        token_hash: hashOf(token),
        user_id: account.id,
        expires_at: new Date(now.getTime() + VALID_MS),
      })
      .execute();
    await mailer.send({ to: account.email, ...linkMail(publicUrl, token) });
  }

  return {
    async request(email) {
      if (!isEmailShaped(email)) throw new ApiError("email_invalid");
      const who = plainEmail(email);
      if ((await attempts.count(limit, who)).count > limit.max) await attempts.check(limit, who);
      const work: Promise<void> = mailLink(email)
        .catch((error: unknown) =>
          logger.error({ err: error }, "the password reset link was not sent"),
        )
        .finally(() => underWay.delete(work));
      underWay.add(work);
    },
    async reset(token, password, confirmation) {
      checkNewPassword(password, confirmation);
      return database.transaction(async (transaction) => {
        const taken = await transaction
          .deleteFrom("password_resets")
          .where("token_hash", "=", hashOf(token))
          .returning(["user_id", "expires_at"])
          .executeTakeFirst();
        if (!taken || taken.expires_at <= clock.now()) throw new ApiError("reset_link_invalid");
        await accounts.setPassword(taken.user_id, password, transaction);
        await transaction
          .deleteFrom("password_resets")
          .where("user_id", "=", taken.user_id)
          .execute();
        await sessions.revokeAll(taken.user_id, { query: transaction });
        await ceremonies.endAllOf(transaction, taken.user_id);
        // The link came by email, so its holder can read that mailbox.
        await emailVerification.confirmed(transaction, taken.user_id);
        await audit(transaction, { userId: taken.user_id, what: "password_reset" });
        return taken.user_id;
      });
    },
    async settled() {
      await Promise.all(underWay);
    },
  };
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function linkMail(publicUrl: string, token: string): { subject: string; text: string } {
  return {
    subject: "Choose a new password for Stipple",
    text: [
      "Someone, probably you, asked to reset the password of your Stipple account.",
      "",
      "Open this link within an hour to choose a new one:",
      // After the hash: browsers do not send that part to servers, so it appears in no log.
      `${publicUrl}/reset-password#${token}`,
      "",
      "The link works once. If you did not request it, ignore this message. Your password stays the same.",
    ].join("\n"),
  };
}
