import { Secret, TOTP } from "otpauth";
import type { Clock } from "../clock.ts";
import type { Db } from "../db/database.ts";
import type { SecretBox } from "./secret-box.ts";

/** Codes of an authenticator app (RFC 6238): six digits, thirty seconds. */
export interface AuthenticatorApps {
  /** A secret for an app. Nothing is stored. */
  newSecret(email: string): { sealable: Uint8Array; secret: string; uri: string };
  /** Stores a secret if `code` matches it; returns false otherwise. In the caller's transaction. */
  turnOn(query: Db, userId: string, secret: Uint8Array, code: string): Promise<boolean>;
  /**
   * Whether `code` is valid for the user's app. A code works once: it and earlier ones are refused from then on. In the
   * caller's transaction.
   */
  takes(query: Db, userId: string, code: string): Promise<boolean>;
  /** Removes the app; returns whether there was one. In the caller's transaction. */
  turnOff(query: Db, userId: string): Promise<boolean>;
}

const PERIOD_S = 30;
/** Codes before and after the current one that are also accepted, because clocks differ. */
const WINDOW = 1;
const SECRET_BYTES = 20;

export function openAuthenticatorApps(box: SecretBox, clock: Clock): AuthenticatorApps {
  function totp(secret: Secret, email = ""): TOTP {
    return new TOTP({ issuer: "Stipple", label: email, secret, period: PERIOD_S });
  }

  /** The number of the 30-second period that `code` belongs to, or null. */
  function periodOf(secret: Uint8Array, code: string): number | null {
    if (!/^\d{6}$/.test(code)) return null;
    const timestamp = clock.now().getTime();
    const key = new Secret({ buffer: Uint8Array.from(secret).buffer });
    const delta = totp(key).validate({ token: code, timestamp, window: WINDOW });
    return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_S) + delta;
  }

  return {
    newSecret(email) {
      const secret = new Secret({ size: SECRET_BYTES });
      return {
        sealable: secret.bytes,
        secret: secret.base32,
        uri: totp(secret, email).toString(),
      };
    },
    async turnOn(query, userId, secret, code) {
      const period = periodOf(secret, code);
      if (period === null) return false;
      const row = {
        secret: box.seal(secret, userId),
        last_period: period,
        created_at: clock.now(),
      };
      await query
        .insertInto("authenticator_apps")
        .values({ user_id: userId, ...row })
        .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
        .execute();
      return true;
    },
    async takes(query, userId, code) {
      const app = await query
        .selectFrom("authenticator_apps")
        .select("secret")
        .where("user_id", "=", userId)
        .executeTakeFirst();
      const period = app ? periodOf(box.open(app.secret, userId), code) : null;
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
    },
    async turnOff(query, userId) {
      const gone = await query
        .deleteFrom("authenticator_apps")
        .where("user_id", "=", userId)
        .returning("user_id")
        .executeTakeFirst();
      return gone !== undefined;
    },
  };
}
