import { randomUUID } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import type { AccountServices } from "./services.ts";
import { hashOf } from "./tokens.ts";

/*
 * Browsers that have signed in to an account before, recognized by a signed cookie. It grants no access: wrong
 * passwords from there are counted separately, so someone guessing from elsewhere does not lock out the owner.
 */

const AUDIENCE = "known device";
const DAYS = 365;

/** The cookie for a browser that has just signed in. */
export async function deviceCookie(
  { clock, config: { jwtSecret, publicUrl } }: AccountServices,
  userId: string,
): Promise<string> {
  const token = await new SignJWT()
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(userId)
    .setAudience(AUDIENCE)
    .setJti(randomUUID())
    .setExpirationTime(new Date(clock.now().getTime() + DAYS * 86_400_000))
    .sign(jwtSecret);
  return [
    `${nameOf(publicUrl, userId)}=${token}`,
    "Path=/api/login",
    `Max-Age=${DAYS * 86_400}`,
    "HttpOnly",
    "SameSite=Strict",
    ...(isSecure(publicUrl) ? ["Secure"] : []),
  ].join("; ");
}

/** An id of this browser if it is a known one of this account. */
export async function knownDevice(
  { clock, config: { jwtSecret, publicUrl } }: AccountServices,
  cookies: string | undefined,
  userId: string,
): Promise<string | null> {
  const name = nameOf(publicUrl, userId);
  const token = cookies
    ?.split(";")
    .map((cookie) => cookie.trim())
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.slice(name.length + 1);
  if (!token) return null;
  const { payload } = await jwtVerify(token, jwtSecret, {
    algorithms: ["HS256"],
    audience: AUDIENCE,
    subject: userId,
    requiredClaims: ["jti", "exp"],
    currentDate: clock.now(),
  }).catch(() => ({ payload: { jti: undefined } }));
  return payload.jti ?? null;
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith("https:");
}

/** One per account in a browser; the name does not reveal whose. */
function nameOf(publicUrl: string, userId: string): string {
  return `${isSecure(publicUrl) ? "__Secure-" : ""}stipple-device-${hashOf(userId).slice(0, 12)}`;
}
