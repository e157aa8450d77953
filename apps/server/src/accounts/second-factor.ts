import type { AccountSecurity } from "@stipple/contract";
import { audit } from "../audit/audit.ts";
import type { Db } from "../db/database.ts";
import { countOf, lockRow } from "../db/rows.ts";
import { ApiError } from "../http/api-error.ts";
import { newAppSecret, disableApp, enableApp } from "./authenticator-app.ts";
import { beginCeremony, ceremonyOf, endCeremony } from "./ceremonies.ts";
import { checkNewPasskey, keepPasskey } from "./passkeys.ts";
import { removeCodes, renewCodes } from "./recovery-codes.ts";
import { openSecretBox } from "./secret-box.ts";
import type { AccountServices } from "./services.ts";
import { revokeSessions } from "./sessions.ts";

/*
 * What a user signs in with in addition to the password. Users without a second factor are not asked for one.
 */

interface Factors {
  totp: boolean;
  passkeys: boolean;
}

/** The user's second factors; null if none. */
export async function secondFactorOf(query: Db, userId: string): Promise<Factors | null> {
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

export async function securityOf(
  db: Db,
  userId: string,
): Promise<Omit<AccountSecurity, "email_verified" | "can_verify_email">> {
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
  const codes = db.selectFrom("recovery_codes").where("user_id", "=", userId);
  return {
    totp_since: app?.created_at.toISOString() ?? null,
    passkeys: keys.map(({ id, name, created_at, last_used_at }) => ({
      id,
      name,
      created_at: created_at.toISOString(),
      last_used_at: last_used_at?.toISOString() ?? null,
    })),
    recovery_codes_left: await countOf(codes.where("used_at", "is", null)),
  };
}

/** Adds or removes a factor. Locks the account's row, so that the first and the last factor are recognized as such. */
function changing<T>(
  { database }: AccountServices,
  userId: string,
  change: (transaction: Db) => Promise<T>,
): Promise<T> {
  return database.transaction(async (transaction) => {
    await lockRow(transaction, "users", userId);
    return change(transaction);
  });
}

/** Adds a factor. Returns recovery codes if it is the first. */
function adding(
  services: AccountServices,
  userId: string,
  add: (transaction: Db) => Promise<void>,
): Promise<string[] | null> {
  return changing(services, userId, async (transaction) => {
    const isFirst = !(await secondFactorOf(transaction, userId));
    await add(transaction);
    return isFirst ? renewCodes(services, transaction, userId) : null;
  });
}

/** Without a second factor there is nothing to recover. */
async function dropCodesAfterLast(query: Db, userId: string): Promise<void> {
  if (!(await secondFactorOf(query, userId))) await removeCodes(query, userId);
}

export async function startTotp(
  services: AccountServices,
  user: { id: string; email: string },
): Promise<{ ticket: string; secret: string; uri: string }> {
  const { sealable, secret, uri } = newAppSecret(user.email);
  const sealed = openSecretBox(services.config.jwtSecret).seal(sealable, user.id);
  const ticket = await beginCeremony(services, "add totp", { userId: user.id, secret: sealed });
  return { ticket, secret, uri };
}

/** Returns recovery codes if this is the first factor. Throws code_wrong. */
export async function confirmTotp(
  services: AccountServices,
  userId: string,
  ticket: string,
  code: string,
): Promise<string[] | null> {
  const { secret: sealed, ...ceremony } = await ceremonyOf(services, "add totp", ticket);
  if (ceremony.userId !== userId || !sealed) throw new ApiError("sign_in_step_over");
  const secret = openSecretBox(services.config.jwtSecret).open(sealed, userId);
  const given = { secret, code: code.replace(/\s/g, "") };
  return adding(services, userId, async (transaction) => {
    if (!(await enableApp(services, transaction, userId, given))) throw new ApiError("code_wrong");
    await endCeremony(transaction, ticket);
    await audit(transaction, { userId, what: "totp_added" });
  });
}

/** Returns recovery codes if this is the first factor. */
export async function addPasskey(
  services: AccountServices,
  userId: string,
  { ticket, name, response }: { ticket: string; name: string; response: Record<string, unknown> },
): Promise<string[] | null> {
  const passkey = await checkNewPasskey(services, userId, ticket, response);
  return adding(services, userId, async (transaction) => {
    const kept = await keepPasskey(services, transaction, userId, passkey, name);
    await audit(transaction, { userId, what: "passkey_added", about: { name: kept } });
  });
}

/** Throws not_found. */
export function removeTotp(services: AccountServices, userId: string): Promise<void> {
  return changing(services, userId, async (transaction) => {
    if (!(await disableApp(transaction, userId))) {
      throw new ApiError("not_found", "There is no authenticator app to remove.");
    }
    await dropCodesAfterLast(transaction, userId);
    await audit(transaction, { userId, what: "totp_removed" });
  });
}

/** Throws not_found. */
export function removePasskey(
  services: AccountServices,
  userId: string,
  id: string,
): Promise<void> {
  return changing(services, userId, async (transaction) => {
    const gone = await transaction
      .deleteFrom("passkeys")
      .where("user_id", "=", userId)
      .where("id", "=", id.replaceAll("\0", ""))
      .returning("name")
      .executeTakeFirst();
    if (!gone) throw new ApiError("not_found", "This passkey does not exist.");
    await dropCodesAfterLast(transaction, userId);
    await audit(transaction, { userId, what: "passkey_removed", about: { name: gone.name } });
  });
}

export function newRecoveryCodes(services: AccountServices, userId: string): Promise<string[]> {
  return changing(services, userId, async (transaction) => {
    if (!(await secondFactorOf(transaction, userId))) {
      throw new ApiError(
        "invalid_request",
        "Recovery codes require a second factor: add one first.",
      );
    }
    const made = await renewCodes(services, transaction, userId);
    await audit(transaction, { userId, what: "recovery_codes_made" });
    return made;
  });
}

/**
 * Removes every factor and ends every session, in one transaction with what `note` writes: the person who requested it
 * may be an impostor and must still know the password. Returns what was removed; null if nothing.
 */
export function removeAllFactors(
  services: AccountServices,
  userId: string,
  note: (transaction: Db) => Promise<void>,
): Promise<Factors | null> {
  return changing(services, userId, async (transaction) => {
    const had = await secondFactorOf(transaction, userId);
    if (!had) return null;
    await disableApp(transaction, userId);
    await transaction.deleteFrom("passkeys").where("user_id", "=", userId).execute();
    await removeCodes(transaction, userId);
    await revokeSessions(services, transaction, userId);
    await note(transaction);
    return had;
  });
}
