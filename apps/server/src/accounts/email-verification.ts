import { audit } from "../audit/audit.ts";
import type { Db } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import { assertAttempt, type Limit } from "./attempts.ts";
import type { AccountServices } from "./services.ts";
import { mailedToken, takeMailedToken } from "./tokens.ts";

/*
 * Confirms an email address with an emailed link. Nothing depends on it (docs/decisions/0041).
 */

const VALID_DAYS = 7;
const PER_HOUR: Limit = { what: "email verification", max: 5, windowMs: 3_600_000 };

interface Recipient {
  id: string;
  email: string;
}

/** Emails the first link in the background. */
export function welcome(services: AccountServices, user: Recipient): void {
  if (!services.mailer.canSend) return;
  services.background.add(mailLink(services, user), (error) => logNotSent(services, error));
}

/** Emails another link. Throws rate_limited, or mail_not_sent if no mail can be sent. */
export async function sendVerificationLink(
  services: AccountServices,
  user: Recipient,
): Promise<void> {
  await assertAttempt(services, PER_HOUR, user.id);
  if (!services.mailer.canSend) throw new ApiError("mail_not_sent");
  await mailLink(services, user).catch((error: unknown) => {
    logNotSent(services, error);
    throw new ApiError("mail_not_sent");
  });
}

function logNotSent({ logger }: AccountServices, error: unknown): void {
  logger.error({ err: error }, "the email confirmation link was not sent");
}

async function mailLink(services: AccountServices, { id, email }: Recipient): Promise<void> {
  const { config, mailer } = services;
  const token = await mailedToken(services, "email_verifications", id, VALID_DAYS * 86_400_000);
  await mailer.send({
    to: email,
    subject: "Confirm your email address for Stipple",
    text: [
      "Someone, probably you, created a Stipple account with this email address.",
      "",
      `Open this link within ${VALID_DAYS} days to confirm that it is yours:`,
      // After the hash: browsers do not send that part to servers, so it appears in no log.
      `${config.publicUrl}/verify-email#${token}`,
      "",
      "You can use Stipple without confirming. If this was not you, ignore this message.",
    ].join("\n"),
  });
}

/** Throws verification_link_invalid for a used, expired or unknown token. */
export async function confirmEmail(services: AccountServices, token: string): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const userId = await takeMailedToken(services, transaction, "email_verifications", token);
    if (userId === undefined) throw new ApiError("verification_link_invalid");
    await noteConfirmed(services, transaction, userId);
  });
}

/** Records that the user has access to this mailbox, in the caller's transaction. */
export async function noteConfirmed(
  { clock }: AccountServices,
  query: Db,
  userId: string,
): Promise<void> {
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

export async function isEmailConfirmed(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom("users")
    .select("email_verified_at")
    .where("id", "=", userId)
    .executeTakeFirst();
  return Boolean(row?.email_verified_at);
}
