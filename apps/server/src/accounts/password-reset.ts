import { audit } from "../audit/audit.ts";
import type { Db } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import { accountByEmail, setPassword } from "./accounts.ts";
import { assertAttempt } from "./attempts.ts";
import { endCeremoniesOf } from "./ceremonies.ts";
import { isEmailShaped, plainEmail } from "./email-address.ts";
import { noteConfirmed } from "./email-verification.ts";
import { checkNewPassword } from "./passwords.ts";
import type { AccountServices } from "./services.ts";
import { revokeSessions } from "./sessions.ts";
import { mailedToken, takeMailedToken } from "./tokens.ts";

const HOUR_MS = 3_600_000;

/**
 * Emails a link to choose a new password. Returns immediately; the account lookup and the email happen afterward, so
 * neither the response nor its timing reveals whether the account exists. Throws rate_limited, for unknown emails too,
 * and mail_not_sent where no mail can be sent.
 */
export async function requestReset(services: AccountServices, email: string): Promise<void> {
  const { background, config, logger, mailer } = services;
  if (!isEmailShaped(email)) throw new ApiError("email_invalid");
  const limit = { what: "password reset", max: config.resetsPerHour, windowMs: HOUR_MS };
  await assertAttempt(services, limit, plainEmail(email));
  if (!mailer.canSend) {
    throw new ApiError(
      "mail_not_sent",
      "This installation doesn't send email, so it can't send you a link. Ask whoever runs it.",
    );
  }
  background.add(mailLink(services, email), (error) =>
    logger.error({ err: error }, "the password reset link was not sent"),
  );
}

async function mailLink(services: AccountServices, email: string): Promise<void> {
  const { config, database, mailer } = services;
  const account = await accountByEmail(database.db, email);
  if (!account) return;
  await audit(database.db, { userId: account.id, what: "password_reset_asked", by: "visitor" });
  const token = await mailedToken(services, "password_resets", account.id, HOUR_MS);
  await mailer.send({
    to: account.email,
    subject: "Choose a new password for Stipple",
    text: [
      "Someone, probably you, asked to reset the password of your Stipple account.",
      "",
      "Open this link within an hour to choose a new one:",
      // After the hash: browsers do not send that part to servers, so it appears in no log.
      `${config.publicUrl}/reset-password#${token}`,
      "",
      "The link works once. If you did not request it, ignore this message. Your password stays the same.",
    ].join("\n"),
  });
}

/**
 * Sets the password, ends every session, and returns the user's id. Throws reset_link_invalid for a used, expired, or
 * unknown token.
 */
export async function resetPassword(
  services: AccountServices,
  token: string,
  password: string,
  confirmation: string,
): Promise<string> {
  checkNewPassword(password, confirmation);
  return services.database.transaction(async (transaction) => {
    const userId = await takeMailedToken(services, transaction, "password_resets", token);
    if (userId === undefined) throw new ApiError("reset_link_invalid");
    await setPassword(transaction, userId, password);
    await revokeSessions(services, transaction, userId);
    await endCeremoniesOf(transaction, userId);
    // The link came by email, so its holder can read that mailbox.
    await noteConfirmed(services, transaction, userId);
    await audit(transaction, { userId, what: "password_reset" });
    return userId;
  });
}

/** Links that were mailed before no longer work. */
export async function endResets(query: Db, userId: string): Promise<void> {
  await query.deleteFrom("password_resets").where("user_id", "=", userId).execute();
}
