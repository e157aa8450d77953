import { audit } from "../audit/audit.ts";
import { ApiError } from "../http/api-error.ts";
import { accountById, type Account, type Authenticated } from "./accounts.ts";
import { assertAttempt, forgetAttempts, type Limit } from "./attempts.ts";
import { consumeAppCode } from "./authenticator-app.ts";
import { beginCeremony, ceremonyOf, endCeremony, type Ceremony } from "./ceremonies.ts";
import { ownerOfPasskey, startAskingPasskey } from "./passkeys.ts";
import { consumeRecoveryCode } from "./recovery-codes.ts";
import type { AccountServices } from "./services.ts";
import type { Means } from "./sessions.ts";

const CODES: Limit = { what: "second factor", max: 10, windowMs: 15 * 60_000 };

/** A ticket for the second step of someone whose password was right. */
export function beginSecondStep(services: AccountServices, user: Authenticated): Promise<string> {
  return beginCeremony(services, "second step", { userId: user.id, passwordHash: user.hash });
}

/** Who has passed a step; with the password that came before it, which may have been replaced since. */
async function passed(
  { database }: AccountServices,
  userId: string,
  { passwordHash: hash }: Ceremony,
): Promise<Account | Authenticated> {
  const account = await accountById(database.db, userId);
  return hash === null ? account : { ...account, hash };
}

/**
 * Accepts a code from the app or a recovery code, and ends the ticket. Wrong codes are counted separately for each known
 * device, and together for all others. Throws code_wrong, rate_limited.
 */
export async function takeCode(
  services: AccountServices,
  { ticket, code: given }: { ticket: string; code: string },
  deviceOf: (userId: string) => Promise<string | null>,
): Promise<{ user: Account | Authenticated; means: Means }> {
  const ceremony = await ceremonyOf(services, "second step", ticket);
  const { userId } = ceremony;
  if (userId === null) throw new ApiError("sign_in_step_over");
  const device = await deviceOf(userId);
  const who = device ? `${userId} ${device}` : userId;
  await assertAttempt(services, CODES, who);
  const code = given.trim();
  const means = await services.database.transaction(async (transaction): Promise<Means | null> => {
    if (/^\d[\d\s]*$/.test(code)) {
      const digits = code.replace(/\s/g, "");
      if (!(await consumeAppCode(services, transaction, userId, digits))) return null;
      await endCeremony(transaction, ticket);
      return "authenticator app";
    }
    if (!(await consumeRecoveryCode(services, transaction, userId, code))) return null;
    await endCeremony(transaction, ticket);
    await audit(transaction, { userId, what: "recovery_code_used", by: "person" });
    return "recovery code";
  });
  if (!means) {
    await audit(services.database.db, { userId, what: "second_factor_failed", by: "visitor" });
    throw new ApiError("code_wrong");
  }
  await forgetAttempts(services, CODES, who);
  return { user: await passed(services, userId, ceremony), means };
}

/** A ticket and what the browser needs; without the ticket of a second step, any user's passkey will do. */
export async function askPasskey(
  services: AccountServices,
  step: string | undefined,
): Promise<{ ticket: string; options: Record<string, unknown> }> {
  const { userId, passwordHash } =
    step === undefined
      ? { userId: null, passwordHash: null }
      : await ceremonyOf(services, "second step", step);
  const { challenge, options } = await startAskingPasskey(services, userId);
  const begun = { userId, passwordHash, challenge };
  const ticket = await beginCeremony(services, "passkey sign-in", begun);
  return { ticket, options };
}

/** Takes the passkey's answer, and ends the ticket. Returns its owner. Throws passkey_refused. */
export async function takePasskey(
  services: AccountServices,
  ticket: string,
  response: Record<string, unknown>,
): Promise<Account | Authenticated> {
  const ceremony = await ceremonyOf(services, "passkey sign-in", ticket);
  const { userId, challenge } = ceremony;
  // A challenge accepts only one answer, correct or not.
  await endCeremony(services.database.db, ticket);
  const alone = userId === null;
  const owner = await ownerOfPasskey(services, challenge ?? "", response, alone);
  if (!alone && owner !== userId) throw new ApiError("passkey_refused");
  return passed(services, owner, ceremony);
}
