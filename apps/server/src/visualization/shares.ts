import { randomUUID } from "node:crypto";
import type { ShareLink } from "@stipple/contract";
import type { BillingClock } from "../billing/billing-clock.ts";
import type { Entitlements } from "../billing/entitlements.ts";
import { audit } from "../audit/audit.ts";
import type { Database, Db } from "../db/database.ts";
import { countOf, lockRow, showing } from "../db/rows.ts";
import { ApiError } from "../http/api-error.ts";
import { isOneLine } from "../http/one-line.ts";
import type { SharedThing, VisualizationLinks } from "./links.ts";

/**
 * Read-only links to a project's interactive view, or to a study. Their time is that of the plans (see billing-clock.ts), because
 * none may outlive its owner's trial.
 */
export interface Shares {
  /** Active links, newest first. */
  list(shared: Pick<Shared, "kind" | "id">): Promise<ShareLink[]>;
  /** Throws limit_reached, or invalid_request for a note that is too long. */
  create(shared: Shared, days: number, note: string): Promise<ShareLink>;
  /** Ends a link at once. Throws not_found. */
  revoke(shared: Shared, shareId: string): Promise<void>;
  /** Notes that a link was opened, the first time only. */
  opened(shareId: string): Promise<void>;
  /**
   * Notes that a project's results will be of `sample` from now on. Links to results of another sample end, those to
   * studies included. Runs in the transaction that removes those results.
   */
  sampleChanges(transaction: Db, projectId: string, sample: string | null): Promise<void>;
  /** How many links that would end if `sample` were analyzed. */
  endedBy(projectId: string, sample: string | null): Promise<number>;
}

export type Shared = SharedThing & { name: string };

const COLUMN = { project: "project_id", study: "study_id" } as const;

const MAX_SHARES = 50;
const LONGEST_NOTE = 200;
const DAY_MS = 86_400_000;

interface Parts {
  database: Database;
  clock: BillingClock;
  entitlements: Entitlements;
  links: VisualizationLinks;
}

export function openShares(parts: Parts): Shares {
  const { database, clock } = parts;
  return {
    async list({ kind, id }) {
      const rows = await database.db
        .selectFrom("share_links")
        .select(["id", "note", "created_at", "expires_at"])
        .where(COLUMN[kind], "=", id)
        .where("expires_at", ">", await clock.now())
        .orderBy("created_at", "desc")
        .orderBy("id")
        .execute();
      return rows.map(shareOf);
    },
    create: (shared, days, note) => create(parts, shared, days, note),
    revoke: (shared, shareId) => revoke(database, shared, shareId),
    sampleChanges,
    async endedBy(projectId, sample) {
      const ended = database.db
        .selectFrom("share_links")
        .innerJoin("projects", (join) => join.on("projects.id", "=", projectId))
        .where(showing(projectId))
        .where("share_links.expires_at", ">", await clock.now())
        // Unknown samples are unequal to none.
        .where("projects.results_sample", "!=", sample);
      return countOf(ended);
    },
    opened: async (shareId) => noteOpening(database, shareId, await clock.now()),
  };
}

async function revoke(
  database: Database,
  { kind, id, userId, name }: Shared,
  shareId: string,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const revoked = await transaction
      .deleteFrom("share_links")
      .where(COLUMN[kind], "=", id)
      .where((is) => is(is.cast<string>("id", "text"), "=", shareId))
      .returning("note")
      .executeTakeFirst();
    if (!revoked) throw new ApiError("not_found", "This share link does not exist.");
    const about = { [kind]: name, note: revoked.note };
    await audit(transaction, { userId, what: "share_revoked", about });
  });
}

async function sampleChanges(
  transaction: Db,
  projectId: string,
  sample: string | null,
): Promise<void> {
  const project = await transaction
    .selectFrom("projects")
    .select(["user_id", "name", "results_sample"])
    .where("id", "=", projectId)
    .forUpdate()
    .executeTakeFirst();
  if (!project || sample === null || sample === project.results_sample) return;
  await transaction
    .updateTable("projects")
    .set({ results_sample: sample })
    .where("id", "=", projectId)
    .execute();
  if (project.results_sample === null) return;
  const ended = await transaction
    .deleteFrom("share_links")
    .where(showing(projectId))
    .returning((link) => [
      "note",
      link
        .selectFrom("studies")
        .select("studies.name")
        .whereRef("studies.id", "=", "share_links.study_id")
        .as("study"),
    ])
    .execute();
  for (const { note, study } of ended) {
    await audit(transaction, {
      userId: project.user_id,
      what: "share_ended",
      by: "system",
      about: { ...(study === null ? { project: project.name } : { study }), note },
    });
  }
}

async function noteOpening(database: Database, shareId: string, openedAt: Date): Promise<void> {
  await database.transaction(async (transaction) => {
    const share = await transaction
      .updateTable("share_links")
      .set({ opened_at: openedAt })
      .where("share_links.id", "=", shareId)
      .where("share_links.opened_at", "is", null)
      .returning(["project_id", "study_id", "note"])
      .executeTakeFirst();
    if (!share) return;
    const kind = share.study_id === null ? "project" : "study";
    const { user_id: userId, name } = await transaction
      .selectFrom(kind === "study" ? "studies" : "projects")
      .select(["user_id", "name"])
      .where("id", "=", share.study_id ?? share.project_id)
      .executeTakeFirstOrThrow();
    const about = { [kind]: name, note: share.note };
    await audit(transaction, { userId, what: "share_opened", by: "visitor", about });
  });
}

async function create(
  { database, clock, entitlements, links: signed }: Parts,
  shared: Shared,
  days: number,
  note: string,
): Promise<ShareLink> {
  const { kind, id, userId, name } = shared;
  const trimmed = note.trim();
  if (trimmed.length > LONGEST_NOTE || !isOneLine(trimmed)) {
    throw new ApiError(
      "invalid_request",
      `A note must be one line of at most ${LONGEST_NOTE} characters, without invisible control characters.`,
    );
  }
  const { isTrial, seenUntil } = await entitlements.resultAccess(userId);
  const now = await clock.now();
  const asked = now.getTime() + days * DAY_MS;
  const ends = isTrial ? Math.min(asked, seenUntil.getTime()) : asked;
  // Whole seconds, as tokens have them: the row and the link end together.
  const expiresAt = new Date(Math.floor(ends / 1000) * 1000);
  const { url, hash } = await signed.share(shared, expiresAt);
  const row = { id: randomUUID(), note: trimmed, created_at: now, expires_at: expiresAt };
  await database.transaction(async (transaction) => {
    // Simultaneous calls wait here, so that together they cannot exceed the limit.
    const isThere = await lockRow(transaction, kind === "study" ? "studies" : "projects", id);
    if (!isThere) throw new ApiError(kind === "study" ? "study_not_found" : "project_not_found");
    const shares = transaction.deleteFrom("share_links").where(COLUMN[kind], "=", id);
    await shares.where("expires_at", "<=", now).execute();
    const links = transaction.selectFrom("share_links").where(COLUMN[kind], "=", id);
    if ((await countOf(links)) >= MAX_SHARES) {
      throw new ApiError(
        "limit_reached",
        `A ${kind} can have ${MAX_SHARES} share links. Revoke one you no longer need.`,
      );
    }
    await transaction
      .insertInto("share_links")
      .values({ ...row, [COLUMN[kind]]: id, token_hash: hash })
      .execute();
    const about = { [kind]: name, note: trimmed, until: expiresAt.toISOString() };
    await audit(transaction, { userId, what: "share_made", about });
  });
  return { ...shareOf(row), url };
}

function shareOf(row: { id: string; note: string; created_at: Date; expires_at: Date }): ShareLink {
  const { created_at, expires_at } = row;
  return { ...row, created_at: created_at.toISOString(), expires_at: expires_at.toISOString() };
}
