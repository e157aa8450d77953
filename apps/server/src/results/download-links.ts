import {
  DOWNLOAD_PART_IDS,
  STUDY_DOWNLOADS,
  type DownloadPartId,
  type StudyDownload,
} from "@stipple/contract";
import { errors, jwtVerify, SignJWT } from "jose";
import type { Clock } from "../clock.ts";
import { ApiError } from "../http/api-error.ts";

/** What a link downloads. */
export type Linked =
  | { kind: "project"; id: string; part: DownloadPartId | undefined }
  | { kind: "study"; id: string; part: StudyDownload };

/** Signed tokens for one download: they appear in URLs, where a session token never does. */
export interface DownloadLinks {
  issue(userId: string, linked: Linked): Promise<string>;
  /** Throws not_found for an invalid or expired token. Does not check what its owner may do. */
  verify(token: string): Promise<{ userId: string; linked: Linked }>;
}

const AUDIENCE = "download";
/** Browsers use the link immediately but keep its URL in their download list, where it should no longer work. */
const VALID_MS = 60_000;

export function openDownloadLinks(key: Uint8Array, clock: Clock): DownloadLinks {
  return {
    issue: (userId, { kind, id, part }) =>
      new SignJWT({ owner: userId, kind, part })
        .setProtectedHeader({ alg: "HS256" })
        .setSubject(id)
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
        const { sub, owner, kind, part } = payload as Record<string, string | undefined>;
        const study = STUDY_DOWNLOADS.find((one) => one === part);
        const linked: Linked =
          kind === "study" && study
            ? { kind, id: String(sub), part: study }
            : {
                ...{ kind: "project" as const, id: String(sub) },
                part: DOWNLOAD_PART_IDS.find((one) => one === part),
              };
        return { userId: String(owner), linked };
      } catch (cause) {
        if (!(cause instanceof errors.JOSEError)) throw cause;
        throw new ApiError("not_found", "This download link is no longer valid.", { cause });
      }
    },
  };
}
