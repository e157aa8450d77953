import { createHash, randomUUID } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import type { Clock } from "../clock.ts";

/**
 * Browsers from which an account was signed in to before, told by a signed cookie. It opens nothing: wrong passwords
 * from there are counted apart, so that somebody who guesses from elsewhere does not keep the owner out.
 */
export interface KnownDevices {
  /** The cookie for a browser that has just shown who it is. */
  cookieFor(userId: string): Promise<string>;
  /** An id of this browser if it is a known one of this account. */
  among(cookies: string | undefined, userId: string): Promise<string | null>;
}

const AUDIENCE = "known device";
const DAYS = 365;

export function openKnownDevices(key: Uint8Array, publicUrl: string, clock: Clock): KnownDevices {
  const secure = publicUrl.startsWith("https:");
  // One for each account of a browser; the name tells nobody whose.
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
