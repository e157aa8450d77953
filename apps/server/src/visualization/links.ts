import { errors, jwtVerify, SignJWT } from "jose";
import type { Clock } from "../clock.ts";
import { ApiError } from "../http/api-error.ts";

/** What a link's token opens. */
export interface OpenedLink {
  projectId: string;
  /** A share link: looks, but does not save. */
  readOnly: boolean;
  expiresAt: Date;
}

/** Signed addresses of interactive views: they open alone, expire, and say nothing of the session. */
export interface VisualizationLinks {
  issue(projectId: string): Promise<string>;
  /** Throws visualization_expired, or not_found for anything that is no such token. */
  verify(token: string): Promise<OpenedLink>;
}

const AUDIENCE = "visualization";
const HOURS = 12;

export function openVisualizationLinks(
  key: Uint8Array,
  publicUrl: string,
  clock: Clock,
): VisualizationLinks {
  return {
    async issue(projectId) {
      const now = clock.now();
      const token = await new SignJWT()
        .setProtectedHeader({ alg: "HS256" })
        .setSubject(projectId)
        .setAudience(AUDIENCE)
        .setIssuedAt(now)
        .setExpirationTime(new Date(now.getTime() + HOURS * 3_600_000))
        .sign(key);
      return `${publicUrl}/visualization/${token}`;
    },
    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: ["HS256"],
          audience: AUDIENCE,
          currentDate: clock.now(),
        });
        return {
          projectId: payload.sub ?? "",
          readOnly: false,
          expiresAt: new Date((payload.exp ?? 0) * 1000),
        };
      } catch (error) {
        if (error instanceof errors.JWTExpired) throw new ApiError("visualization_expired");
        if (error instanceof errors.JOSEError) {
          throw new ApiError("not_found", "This visualization link is not valid.", {
            cause: error,
          });
        }
        throw error;
      }
    },
  };
}
