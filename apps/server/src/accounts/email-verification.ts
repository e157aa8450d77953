import { createHash, randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { audit } from "../audit/audit.ts";
import type { Clock } from "../clock.ts";
import type { Database, Db } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import type { Attempts, Limit } from "./attempts.ts";
import type { Mailer } from "../notices/mailer.ts";

/** Confirms an email address with an emailed link. Nothing depends on it (docs/decisions/0041). */
export interface EmailVerification {
  /** Emails the first link in the background. */
  welcome(user: { id: string; email: string }): void;
  /** Emails another link. Throws rate_limited, or mail_not_sent if no mail can be sent. */
  send(user: { id: string; email: string }): Promise<void>;
  /** Throws verification_link_invalid for a used, expired or unknown token. */
  confirm(token: string): Promise<void>;
  /** Records that the user has access to this mailbox, in the caller's transaction. */
  confirmed(query: Db, userId: string): Promise<void>;
  isConfirmed(userId: string): Promise<boolean>;
  /** Resolves when all emails requested so far have been sent. */
  settled(): Promise<void>;
}

const VALID_DAYS = 7;
const PER_HOUR: Limit = { what: "email verification", max: 5, windowMs: 3_600_000 };

export function openEmailVerification(parts: {
  database: Database;
  clock: Clock;
  logger: Logger;
  attempts: Attempts;
  mailer: Mailer;
  publicUrl: string;
}): EmailVerification {
  const { database, clock, logger, attempts, mailer, publicUrl } = parts;
  const { db } = database;
  const underWay = new Set<Promise<void>>();

  async function mailLink({ id, email }: { id: string; email: string }): Promise<void> {
    const token = randomBytes(32).toString("base64url");
    const now = clock.now();
    await db.deleteFrom("email_verifications").where("expires_at", "<=", now).execute();
    await db
      .insertInto("email_verifications")
      .values({
        token_hash: hashOf(token),
        user_id: id,
        expires_at: new Date(now.getTime() + VALID_DAYS * 86_400_000),
      })
      .execute();
    await mailer.send({
      to: email,
      subject: "Confirm your email address for Stipple",
      text: [
        "Someone, probably you, created a Stipple account with this email address.",
        "",
        `Open this link within ${VALID_DAYS} days to confirm that it is yours:`,
        // After the hash: browsers do not send that part to servers, so it appears in no log.
        `${publicUrl}/verify-email#${token}`,
        "",
        "You can use Stipple without confirming. If this was not you, ignore this message.",
      ].join("\n"),
    });
  }

  async function confirmed(query: Db, userId: string): Promise<void> {
    const changed = await query
      .updateTable("users")
      .set({ email_verified_at: clock.now() })
      .where("id", "=", userId)
      .where("email_verified_at", "is", null)
      .returning("id")
      .executeTakeFirst();
    await query.deleteFrom("email_verifications").where("user_id", "=", userId).execute();
    if (changed) await audit(query, { userId, what: "email_verified", by: "person" });
  }

  return {
    welcome(user) {
      if (!mailer.canSend) return;
      const work: Promise<void> = mailLink(user)
        .catch((error: unknown) =>
          logger.error({ err: error }, "the email confirmation link was not sent"),
        )
        .finally(() => underWay.delete(work));
      underWay.add(work);
    },
    async send(user) {
      if ((await attempts.count(PER_HOUR, user.id)).count > PER_HOUR.max) {
        await attempts.check(PER_HOUR, user.id);
      }
      if (!mailer.canSend) throw new ApiError("mail_not_sent");
      await mailLink(user).catch((error: unknown) => {
        logger.error({ err: error }, "the email confirmation link was not sent");
        throw new ApiError("mail_not_sent");
      });
    },
    async confirm(token) {
      await database.transaction(async (transaction) => {
        const taken = await transaction
          .deleteFrom("email_verifications")
          .where("token_hash", "=", hashOf(token))
          .returning(["user_id", "expires_at"])
          .executeTakeFirst();
        if (!taken || taken.expires_at <= clock.now()) {
          throw new ApiError("verification_link_invalid");
        }
        await confirmed(transaction, taken.user_id);
      });
    },
    confirmed,
    async isConfirmed(userId) {
      const row = await db
        .selectFrom("users")
        .select("email_verified_at")
        .where("id", "=", userId)
        .executeTakeFirst();
      return Boolean(row?.email_verified_at);
    },
    async settled() {
      await Promise.all(underWay);
    },
  };
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
