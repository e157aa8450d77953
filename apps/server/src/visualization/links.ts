import { createHash, randomBytes } from "node:crypto";
import { errors, jwtVerify, SignJWT, type JWTPayload } from "jose";
import type { BillingClock } from "../billing/billing-clock.ts";
import type { Entitlements } from "../billing/entitlements.ts";
import type { Clock } from "../clock.ts";
import type { Db } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import { EXAMPLE_OWNER } from "../projects/example-owner.ts";
import type { OpenedLink, OpenedStudyLink } from "../access/opened-results.ts";

/** Signed URLs of interactive views: they work without a login, expire, and reveal nothing about the session. */
export interface VisualizationLinks {
  /** The owner's own link, for half a day. */
  issue(project: { id: string; userId: string }): Promise<string>;
  /** A share link. It opens as long as a row of `share_links` holds `hash`. */
  share(shared: SharedThing, expiresAt: Date): Promise<{ url: string; hash: string }>;
  /** The view of a study's sample for those who opened the study by a share link: it opens as long as that does. */
  issueOfStudy(link: OpenedStudyLink, projectId: string): Promise<string>;
  /** A read-only link to the live example, for half a day. Plans have no say. */
  issueExample(projectId: string): Promise<string>;
  /**
   * Throws trial_ended or subscription_expired, project_not_found, visualization_expired, or share_link_revoked, in this order, and not_found
   * for any other token. A call costs one query, or two with the payment sandbox's clock.
   */
  verify(token: string): Promise<OpenedLink>;
  /** The same for the share link of a study. Throws study_not_found if that is gone. */
  verifyStudy(token: string): Promise<OpenedStudyLink>;
}

/** What share links open: the view of a project's results, or a study. */
export interface SharedThing {
  kind: "project" | "study";
  id: string;
  userId: string;
}

const OWN = "visualization";
const SHARED = "visualization-share";
const OF_STUDY = "visualization-of-study";
const SHARED_STUDY = "study-share";
const EXAMPLE = "visualization-example";
const HOURS = 12;
/** How long the owner's plan is cached: a page requests hundreds of tiles within seconds. */
const PLAN_LOOK_MS = 5_000;

export function openVisualizationLinks(parts: {
  db: Db;
  key: Uint8Array;
  publicUrl: string;
  clock: Clock;
  billingClock: BillingClock;
  entitlements: Entitlements;
  /** Whether links to the live example open. */
  showsExample: boolean;
}): VisualizationLinks {
  const { db, key, publicUrl, clock, billingClock, entitlements, showsExample } = parts;
  const accessOf = rememberFor(PLAN_LOOK_MS, clock, (userId: string) =>
    entitlements.resultAccess(userId),
  );

  async function sign(
    project: { id: string; userId: string },
    audience: string,
    expiresAt: Date,
    secret?: string,
  ): Promise<string> {
    const token = new SignJWT({ owner: project.userId })
      .setProtectedHeader({ alg: "HS256" })
      .setSubject(project.id)
      .setAudience(audience)
      .setIssuedAt(clock.now())
      .setExpirationTime(expiresAt);
    if (secret) token.setJti(secret);
    const page = audience === SHARED_STUDY ? "study" : "visualization";
    return `${publicUrl}/${page}/${await token.sign(key)}`;
  }

  async function claimsOf(token: string, audience: string[]): Promise<JWTPayload> {
    try {
      // The signature only: the kinds of link expire by two clocks.
      const { payload } = await jwtVerify(token, key, {
        algorithms: ["HS256"],
        audience,
        requiredClaims: ["sub", "owner", "exp"],
        currentDate: new Date(0),
      });
      return payload;
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      throw new ApiError("not_found", "This visualization link is not valid.", { cause: error });
    }
  }

  const halfADay = (): Date => new Date(clock.now().getTime() + HOURS * 3_600_000);

  async function verifyExample({ sub: projectId, exp }: JWTPayload): Promise<OpenedLink> {
    const expiresAt = new Date((exp ?? 0) * 1000);
    if (!showsExample || expiresAt <= clock.now()) throw new ApiError("visualization_expired");
    const row = await db
      .selectFrom("projects")
      .select("id")
      .where("id", "=", projectId ?? "")
      .where("user_id", "=", EXAMPLE_OWNER)
      .executeTakeFirst();
    if (!row) throw new ApiError("project_not_found", "The project of this link has been deleted.");
    return { projectId: row.id, readOnly: true, mayTake: false, unopenedShare: null, expiresAt };
  }

  /** Null for an account that is gone. Throws trial_ended or subscription_expired. */
  async function accessNow(owner: string, planTime: Date, isThere: boolean) {
    if (!isThere) return null;
    const access = await accessOf(owner);
    if (access.seenUntil > planTime) return access;
    // Check again before refusing: a plan may have been bought since the last check.
    const now = await entitlements.resultAccess(owner);
    if (now.seenUntil <= planTime) throw new ApiError(now.refusal);
    return now;
  }

  return {
    issue: (project) => sign(project, OWN, halfADay()),
    issueExample: (id) => sign({ id, userId: EXAMPLE_OWNER }, EXAMPLE, halfADay()),
    async share(shared, expiresAt) {
      const secret = randomBytes(24).toString("base64url");
      const audience = shared.kind === "study" ? SHARED_STUDY : SHARED;
      return { url: await sign(shared, audience, expiresAt, secret), hash: hashOf(secret) };
    },
    issueOfStudy: ({ study, secret, expiresAt }, id) =>
      sign({ id, userId: study.userId }, OF_STUDY, expiresAt, secret),
    async verify(token) {
      const claims = await claimsOf(token, [OWN, SHARED, OF_STUDY, EXAMPLE]);
      const { sub: projectId, owner, aud, jti, exp } = claims;
      if (aud === EXAMPLE) return verifyExample(claims);
      const readOnly = aud !== OWN;
      const row = await db
        .selectFrom("users")
        .leftJoin("projects", (join) =>
          join.onRef("projects.user_id", "=", "users.id").on("projects.id", "=", projectId ?? ""),
        )
        .leftJoin("share_links", (join) =>
          join
            .on("share_links.token_hash", "=", hashOf(jti ?? ""))
            .on((is) =>
              is.or([
                is("share_links.project_id", "=", is.ref("projects.id")),
                is(
                  "share_links.study_id",
                  "in",
                  is
                    .selectFrom("study_samples")
                    .select("study_id")
                    .whereRef("study_samples.project_id", "=", "projects.id"),
                ),
              ]),
            ),
        )
        .select([
          "projects.id as project_id",
          "share_links.id as share_id",
          "share_links.opened_at",
        ])
        .where("users.id", "=", String(owner))
        .executeTakeFirst();
      // Before the project: an ended trial's projects are soon deleted, and this says why.
      const planTime = await billingClock.now();
      const access = await accessNow(String(owner), planTime, row !== undefined);
      if (!row?.project_id) {
        throw new ApiError("project_not_found", "The project of this link has been deleted.");
      }
      const expiresAt = new Date((exp ?? 0) * 1000);
      if (expiresAt <= (readOnly ? planTime : clock.now())) {
        throw new ApiError("visualization_expired");
      }
      if (readOnly && !row.share_id) throw new ApiError("share_link_revoked");
      // A plan may be renewed; a trial ends.
      const trialEnds = access?.isTrial ? access.seenUntil.getTime() : Infinity;
      const ends = Math.min(expiresAt.getTime(), trialEnds);
      return {
        projectId: row.project_id,
        readOnly,
        mayTake: access !== null && !access.isTrial,
        unopenedShare: readOnly && !row.opened_at ? row.share_id : null,
        expiresAt: new Date(ends),
      };
    },
    async verifyStudy(token) {
      const { sub, owner, jti: secret = "", exp = 0 } = await claimsOf(token, [SHARED_STUDY]);
      const row = await db
        .selectFrom("users")
        .leftJoin("studies", (join) =>
          join.onRef("studies.user_id", "=", "users.id").on("studies.id", "=", sub ?? ""),
        )
        .leftJoin("share_links", (join) =>
          join
            .onRef("share_links.study_id", "=", "studies.id")
            .on("share_links.token_hash", "=", hashOf(secret)),
        )
        .select(["users.id as user_id", "studies.id", "studies.name"])
        .select(["share_links.id as share_id", "share_links.opened_at"])
        .where("users.id", "=", String(owner))
        .executeTakeFirst();
      const planTime = await billingClock.now();
      const access = await accessNow(String(owner), planTime, row !== undefined);
      if (!row?.id || row.name === null) {
        throw new ApiError("study_not_found", "The study of this link has been deleted.");
      }
      const expiresAt = new Date(exp * 1000);
      if (expiresAt <= planTime) throw new ApiError("visualization_expired");
      if (!row.share_id) throw new ApiError("share_link_revoked");
      const study = { id: row.id, userId: row.user_id, name: row.name };
      return {
        ...{ study, secret, expiresAt, unopenedShare: row.opened_at ? null : row.share_id },
        mayTake: access !== null && !access.isTrial,
      };
    },
  };
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Caches the results of `load` by key for `ms`. The cache is emptied when it grows beyond 1,000 keys. */
function rememberFor<T>(
  ms: number,
  clock: Clock,
  load: (key: string) => Promise<T>,
): (key: string) => Promise<T> {
  const seen = new Map<string, { at: number; value: T }>();
  return async (key) => {
    const now = clock.now().getTime();
    const known = seen.get(key);
    if (known && Math.abs(now - known.at) < ms) return known.value;
    const value = await load(key);
    if (seen.size > 1000) seen.clear();
    seen.set(key, { at: now, value });
    return value;
  };
}
