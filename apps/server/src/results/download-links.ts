import { DOWNLOAD_PART_IDS, type DownloadPartId } from "@stipple/contract";
import { errors, jwtVerify, SignJWT } from "jose";
import type { Clock } from "../clock.ts";
import { ApiError } from "../http/api-error.ts";

/** Signed tokens for one download of a project: they appear in URLs, where a session token never does. */
export interface DownloadLinks {
  issue(project: { id: string; userId: string }, part: DownloadPartId | undefined): Promise<string>;
  /** Throws not_found for an invalid or expired token. Does not check what its owner may do. */
  verify(
    token: string,
  ): Promise<{ projectId: string; userId: string; part: DownloadPartId | undefined }>;
}

const AUDIENCE = "download";
/** Browsers use the link immediately but keep its URL in their download list, where it should no longer work. */
const VALID_MS = 60_000;

export function openDownloadLinks(key: Uint8Array, clock: Clock): DownloadLinks {
  return {
    issue: (project, part) =>
      new SignJWT({ owner: project.userId, part })
        .setProtectedHeader({ alg: "HS256" })
        .setSubject(project.id)
        .setAudience(AUDIENCE)
        .setExpirationTime(new Date(clock.now().getTime() + VALID_MS))
        .sign(key),
    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: ["HS256"],
          audience: AUDIENCE,
          requiredClaims: ["sub", "owner", "exp"],
          currentDate: clock.now(),
        });
        return {
          projectId: String(payload.sub),
          userId: String(payload["owner"]),
          part: DOWNLOAD_PART_IDS.find((id) => id === payload["part"]),
        };
      } catch (cause) {
        if (!(cause instanceof errors.JOSEError)) throw cause;
        throw new ApiError("not_found", "This download link is no longer valid.", { cause });
      }
    },
  };
}
