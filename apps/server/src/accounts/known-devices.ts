import { createHash, randomUUID } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import type { Clock } from "../clock.ts";

/**
 * Browsers that have signed in to an account before, recognized by a signed cookie. It grants no access: wrong
 * passwords from there are counted separately, so someone guessing from elsewhere does not lock out the owner.
 */
export interface KnownDevices {
  /** The cookie for a browser that has just signed in. */
  cookieFor(userId: string): Promise<string>;
  /** An id of this browser if it is a known one of this account. */
  among(cookies: string | undefined, userId: string): Promise<string | null>;
}

const AUDIENCE = "known device";
const DAYS = 365;

export function openKnownDevices(key: Uint8Array, publicUrl: string, clock: Clock): KnownDevices {
  const secure = publicUrl.startsWith("https:");
  // One per account in a browser; the name does not reveal whose.
  const nameOf = (userId: string): string =>
    `${secure ? "__Secure-" : ""}stipple-device-${createHash("sha256").update(userId).digest("hex").slice(0, 12)}`;

  return {
    async cookieFor(userId) {
      const now = clock.now();
      const token = await new SignJWT()
        .setProtectedHeader({ alg: "HS256" })
        .setSubject(userId)
        .setAudience(AUDIENCE)
        .setJti(randomUUID())
        .setExpirationTime(new Date(now.getTime() + DAYS * 86_400_000))
        .sign(key);
      return [
        `${nameOf(userId)}=${token}`,
        "Path=/api/login",
        `Max-Age=${DAYS * 86_400}`,
        "HttpOnly",
        "SameSite=Strict",
        ...(secure ? ["Secure"] : []),
      ].join("; ");
    },
    async among(cookies = "", userId) {
      const name = nameOf(userId);
      const token = cookies
        .split(";")
        .map((cookie) => cookie.trim())
        .find((cookie) => cookie.startsWith(`${name}=`))
        ?.slice(name.length + 1);
      if (!token) return null;
      const { payload } = await jwtVerify(token, key, {
        algorithms: ["HS256"],
        audience: AUDIENCE,
        subject: userId,
        requiredClaims: ["jti", "exp"],
        currentDate: clock.now(),
      }).catch(() => ({ payload: { jti: undefined } }));
      return payload.jti ?? null;
    },
  };
}
