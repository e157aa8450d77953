import { hash } from "node:crypto";
import { errors, jwtVerify, SignJWT, type JWTPayload } from "jose";
import type { Clock } from "../clock.ts";
import { ApiError } from "../http/api-error.ts";

/** What a link opens, and to whom it was given. */
export const AUDIENCE = {
  own: "visualization",
  shared: "visualization-share",
  ofStudy: "visualization-of-study",
  sharedStudy: "study-share",
  example: "visualization-example",
} as const;
type Audience = (typeof AUDIENCE)[keyof typeof AUDIENCE];

/** Signed URLs, and what they say. */
export function linkTokens(parts: { key: Uint8Array; publicUrl: string; clock: Clock }) {
  const { key, publicUrl, clock } = parts;
  return {
    /** The URL of what belongs to an owner; `secret` names the row of `share_links` that it needs. */
    async sign(
      { id, userId }: { id: string; userId: string },
      audience: Audience,
      expiresAt: Date,
      secret?: string,
    ): Promise<string> {
      const token = new SignJWT({ owner: userId })
        .setProtectedHeader({ alg: "HS256" })
        .setSubject(id)
        .setAudience(audience)
        .setIssuedAt(clock.now())
        .setExpirationTime(expiresAt);
      if (secret) token.setJti(secret);
      const page = audience === AUDIENCE.sharedStudy ? "study" : "visualization";
      return `${publicUrl}/${page}/${await token.sign(key)}`;
    },
    /** What a token says, if it is for one of the audiences, expired or not. Throws not_found. */
    async claimsOf(token: string, audiences: readonly Audience[]): Promise<JWTPayload> {
      try {
        // The signature only: the kinds of link expire by two clocks.
        const { payload } = await jwtVerify(token, key, {
          algorithms: ["HS256"],
          audience: [...audiences],
          requiredClaims: ["sub", "owner", "exp"],
          currentDate: new Date(0),
        });
        return payload;
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error;
        throw new ApiError("not_found", "This visualization link is not valid.", { cause: error });
      }
    },
  };
}

/** A secret as `share_links` holds it. */
export function hashOf(secret: string): string {
  return hash("sha256", secret);
}
