import { Secret, TOTP } from "otpauth";
import type { Clock } from "../clock.ts";
import type { Db } from "../db/database.ts";
import { openSecretBox } from "./secret-box.ts";
import type { AccountServices } from "./services.ts";

/*
 * Codes of an authenticator app (RFC 6238): six digits, thirty seconds.
 */

const PERIOD_S = 30;
/** Codes before and after the current one that are also accepted, because clocks differ. */
const WINDOW = 1;
const SECRET_BYTES = 20;

function totp(secret: Secret, email = ""): TOTP {
  return new TOTP({ issuer: "Stipple", label: email, secret, period: PERIOD_S });
}

/** A secret for an app. Nothing is stored. */
export function newAppSecret(email: string): {
  sealable: Uint8Array;
  secret: string;
  uri: string;
} {
  const secret = new Secret({ size: SECRET_BYTES });
  return {
    sealable: secret.bytes,
    secret: secret.base32,
    uri: totp(secret, email).toString(),
  };
}

/** Stores a secret if `code` matches it; returns false otherwise. In the caller's transaction. */
export async function enableApp(
  { clock, config }: AccountServices,
  query: Db,
  userId: string,
  { secret, code }: { secret: Uint8Array; code: string },
): Promise<boolean> {
  const period = periodOf(clock, secret, code);
  if (period === null) return false;
  const row = {
    secret: openSecretBox(config.jwtSecret).seal(secret, userId),
    last_period: period,
    created_at: clock.now(),
  };
  await query
    .insertInto("authenticator_apps")
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
    .execute();
  return true;
}

/**
 * Whether `code` is valid for the user's app. A code works once: it and earlier ones are refused from then on. In the
 * caller's transaction.
 */
export async function consumeAppCode(
  { clock, config }: AccountServices,
  query: Db,
  userId: string,
  code: string,
): Promise<boolean> {
  const app = await query
    .selectFrom("authenticator_apps")
    .select("secret")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  const secret = app && openSecretBox(config.jwtSecret).open(app.secret, userId);
  const period = secret ? periodOf(clock, secret, code) : null;
  if (period === null) return false;
  // One statement, so of two simultaneous calls with the same code only one succeeds.
  const taken = await query
    .updateTable("authenticator_apps")
    .set({ last_period: period })
    .where("user_id", "=", userId)
    .where("last_period", "<", String(period))
    .returning("user_id")
    .executeTakeFirst();
  return taken !== undefined;
}

/** The number of the 30-second period that `code` belongs to, or null. */
function periodOf(clock: Clock, secret: Uint8Array, code: string): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const timestamp = clock.now().getTime();
  const key = new Secret({ buffer: Uint8Array.from(secret).buffer });
  const delta = totp(key).validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_S) + delta;
}

/** Removes the app; returns whether there was one. In the caller's transaction. */
export async function disableApp(query: Db, userId: string): Promise<boolean> {
  const gone = await query
    .deleteFrom("authenticator_apps")
    .where("user_id", "=", userId)
    .returning("user_id")
    .executeTakeFirst();
  return gone !== undefined;
}
