import { randomBytes } from "node:crypto";
import type { JWTPayload } from "jose";
import type { BillingClock } from "../billing/billing-clock.ts";
import type { Entitlements } from "../billing/entitlements.ts";
import type { Clock } from "../clock.ts";
import type { Db } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import { EXAMPLE_OWNER } from "../projects/example-owner.ts";
import type { OpenedLink, OpenedStudyLink } from "../access/opened-results.ts";
import { BoundedMap } from "../operations/bounded-map.ts";
import { AUDIENCE, hashOf, linkTokens } from "./link-tokens.ts";
import { projectOfLink, studyOfLink } from "./linked-rows.ts";

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

const HOURS = 12;

interface Parts {
  db: Db;
  key: Uint8Array;
  publicUrl: string;
  clock: Clock;
  billingClock: BillingClock;
  entitlements: Entitlements;
  /** Whether links to the live example open. */
  showsExample: boolean;
}

export function openVisualizationLinks(parts: Parts): VisualizationLinks {
  const { db, clock, billingClock } = parts;
  const { sign, claimsOf } = linkTokens(parts);
  const planOf = planOfOwner(parts.entitlements, clock);
  const halfADay = (): Date => new Date(clock.now().getTime() + HOURS * 3_600_000);
  return {
    issue: (project) => sign(project, AUDIENCE.own, halfADay()),
    issueExample: (id) => sign({ id, userId: EXAMPLE_OWNER }, AUDIENCE.example, halfADay()),
    async share(shared, expiresAt) {
      const secret = randomBytes(24).toString("base64url");
      const audience = shared.kind === "study" ? AUDIENCE.sharedStudy : AUDIENCE.shared;
      return { url: await sign(shared, audience, expiresAt, secret), hash: hashOf(secret) };
    },
    issueOfStudy: ({ study, secret, expiresAt }, id) =>
      sign({ id, userId: study.userId }, AUDIENCE.ofStudy, expiresAt, secret),
    async verify(token) {
      const { own, shared, ofStudy, example } = AUDIENCE;
      const claims = await claimsOf(token, [own, shared, ofStudy, example]);
      const { sub: projectId = "", owner, aud, jti: secret = "", exp = 0 } = claims;
      if (aud === example) return verifyExample(parts, claims);
      const readOnly = aud !== own;
      const row = await projectOfLink(db, String(owner), projectId, secret);
      // Before the project: an ended trial's projects are soon deleted, and this says why.
      const planTime = await billingClock.now();
      const access = row && (await planOf(String(owner), planTime));
      if (!access || !row?.project_id) {
        throw new ApiError("project_not_found", "The project of this link has been deleted.");
      }
      const expiresAt = new Date(exp * 1000);
      if (expiresAt <= (readOnly ? planTime : clock.now())) {
        throw new ApiError("visualization_expired");
      }
      if (readOnly && !row.share_id) throw new ApiError("share_link_revoked");
      // A plan may be renewed; a trial ends.
      const trialEnds = access.isTrial ? access.seenUntil.getTime() : Infinity;
      return {
        projectId: row.project_id,
        readOnly,
        mayTake: !access.isTrial,
        unopenedShare: readOnly && !row.opened_at ? row.share_id : null,
        expiresAt: new Date(Math.min(expiresAt.getTime(), trialEnds)),
      };
    },
    async verifyStudy(token) {
      const claims = await claimsOf(token, [AUDIENCE.sharedStudy]);
      const { sub: studyId = "", owner, jti: secret = "", exp = 0 } = claims;
      const row = await studyOfLink(db, String(owner), studyId, secret);
      const planTime = await billingClock.now();
      const access = row && (await planOf(String(owner), planTime));
      if (!access || !row?.id || row.name === null) {
        throw new ApiError("study_not_found", "The study of this link has been deleted.");
      }
      const expiresAt = new Date(exp * 1000);
      if (expiresAt <= planTime) throw new ApiError("visualization_expired");
      if (!row.share_id) throw new ApiError("share_link_revoked");
      const study = { id: row.id, userId: row.user_id, name: row.name };
      return {
        ...{ study, secret, expiresAt, unopenedShare: row.opened_at ? null : row.share_id },
        mayTake: !access.isTrial,
      };
    },
  };
}

async function verifyExample(
  { db, clock, showsExample }: Parts,
  { sub: projectId = "", exp = 0 }: JWTPayload,
): Promise<OpenedLink> {
  const expiresAt = new Date(exp * 1000);
  if (!showsExample || expiresAt <= clock.now()) throw new ApiError("visualization_expired");
  const row = await db
    .selectFrom("projects")
    .select("id")
    .where("id", "=", projectId)
    .where("user_id", "=", EXAMPLE_OWNER)
    .executeTakeFirst();
  if (!row) throw new ApiError("project_not_found", "The project of this link has been deleted.");
  return { projectId: row.id, readOnly: true, mayTake: false, unopenedShare: null, expiresAt };
}

type Access = Awaited<ReturnType<Entitlements["resultAccess"]>>;

/** How long the owner's plan is cached: a page requests hundreds of tiles within seconds. */
const PLAN_CACHE_MS = 5_000;

/** What an owner's plan lets others see at `planTime`. Throws trial_ended or subscription_expired. */
function planOfOwner(
  entitlements: Entitlements,
  clock: Clock,
): (owner: string, planTime: Date) => Promise<Access> {
  const remembered = cacheFor(PLAN_CACHE_MS, clock, (owner: string) =>
    entitlements.resultAccess(owner),
  );
  return async (owner, planTime) => {
    const access = await remembered(owner);
    if (access.seenUntil > planTime) return access;
    // Check again before refusing: a plan may have been bought since the last check.
    const now = await entitlements.resultAccess(owner);
    if (now.seenUntil <= planTime) throw new ApiError(now.refusal);
    return now;
  };
}

/** Caches the results of `load` by key for `ms`. */
function cacheFor<T>(
  ms: number,
  clock: Clock,
  load: (key: string) => Promise<T>,
): (key: string) => Promise<T> {
  const seen = new BoundedMap<{ at: number; value: T }>(1_000);
  return async (key) => {
    const now = clock.now().getTime();
    const known = seen.get(key);
    if (known && Math.abs(now - known.at) < ms) return known.value;
    const value = await load(key);
    seen.set(key, { at: now, value });
    return value;
  };
}
