import { randomUUID } from "node:crypto";
import type { ShareLink } from "@stipple/contract";
import type { BillingClock } from "../billing/billing-clock.ts";
import type { Entitlements } from "../billing/entitlements.ts";
import { audit } from "../audit/audit.ts";
import type { Database, Db } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import { isOneLine } from "../http/one-line.ts";
import type { OwnedProject } from "../access/opened-results.ts";
import type { VisualizationLinks } from "./links.ts";

/**
 * Read-only links to a project's interactive view. Their time is that of the plans (see billing-clock.ts), because
 * none may outlive its owner's trial.
 */
export interface Shares {
  /** Active links, newest first. */
  list(projectId: string): Promise<ShareLink[]>;
  /** Throws limit_reached, or invalid_request for a note that is too long. */
  create(project: SharedProject, days: number, note: string): Promise<ShareLink>;
  /** Ends a link at once. Throws not_found. */
  revoke(project: SharedProject, shareId: string): Promise<void>;
  /** Notes that a link was opened, the first time only. */
  opened(shareId: string): Promise<void>;
  /**
   * Notes that a project's results will be of `sample` from now on. Links to results of another sample end. Runs in the
   * transaction that removes those results.
   */
  sampleChanges(transaction: Db, projectId: string, sample: string | null): Promise<void>;
  /** How many links that would end if `sample` were analyzed. */
  endedBy(projectId: string, sample: string | null): Promise<number>;
}

type SharedProject = Pick<OwnedProject, "id" | "userId" | "name">;

const MAX_SHARES = 50;
const LONGEST_NOTE = 200;
const DAY_MS = 86_400_000;

export function openShares(parts: {
  database: Database;
  clock: BillingClock;
  entitlements: Entitlements;
  links: VisualizationLinks;
}): Shares {
  const { database, clock, entitlements, links } = parts;

  return {
    async list(projectId) {
      const rows = await database.db
        .selectFrom("share_links")
        .select(["id", "note", "created_at", "expires_at"])
        .where("project_id", "=", projectId)
        .where("expires_at", ">", await clock.now())
        .orderBy("created_at", "desc")
        .orderBy("id")
        .execute();
      return rows.map(shareOf);
    },
    async create(project, days, note) {
      const trimmed = note.trim();
      if (trimmed.length > LONGEST_NOTE || !isOneLine(trimmed)) {
        throw new ApiError(
          "invalid_request",
          `A note must be one line of at most ${LONGEST_NOTE} characters.`,
        );
      }
      const { isTrial, seenUntil } = await entitlements.resultAccess(project.userId);
      const now = await clock.now();
      const asked = now.getTime() + days * DAY_MS;
      const ends = isTrial ? Math.min(asked, seenUntil.getTime()) : asked;
      // Whole seconds, as tokens have them: the row and the link end together.
      const expiresAt = new Date(Math.floor(ends / 1000) * 1000);
      const { url, hash } = await links.share(project, expiresAt);
      const row = { id: randomUUID(), note: trimmed, created_at: now, expires_at: expiresAt };
      await database.transaction(async (transaction) => {
        // Simultaneous calls wait here, so that together they cannot exceed the limit.
        const locked = await transaction
          .selectFrom("projects")
          .select("id")
          .where("id", "=", project.id)
          .forUpdate()
          .executeTakeFirst();
        if (!locked) throw new ApiError("project_not_found");
        const shares = transaction.deleteFrom("share_links").where("project_id", "=", project.id);
        await shares.where("expires_at", "<=", now).execute();
        const { count } = await transaction
          .selectFrom("share_links")
          .select((select) => select.fn.countAll<string>().as("count"))
          .where("project_id", "=", project.id)
          .executeTakeFirstOrThrow();
        if (Number(count) >= MAX_SHARES) {
          throw new ApiError(
            "limit_reached",
            `A project can have ${MAX_SHARES} share links. Revoke one you no longer need.`,
          );
        }
        await transaction
          .insertInto("share_links")
          .values({ ...row, project_id: project.id, token_hash: hash })
          .execute();
        await audit(transaction, {
          userId: project.userId,
          what: "share_made",
          about: { project: project.name, note: trimmed, until: expiresAt.toISOString() },
        });
      });
      return { ...shareOf(row), url };
    },
    async revoke(project, shareId) {
      await database.transaction(async (transaction) => {
        const revoked = await transaction
          .deleteFrom("share_links")
          .where("project_id", "=", project.id)
          .where((is) => is(is.cast<string>("id", "text"), "=", shareId))
          .returning("note")
          .executeTakeFirst();
        if (!revoked) throw new ApiError("not_found", "This share link does not exist.");
        await audit(transaction, {
          userId: project.userId,
          what: "share_revoked",
          about: { project: project.name, note: revoked.note },
        });
      });
    },
    async sampleChanges(transaction, projectId, sample) {
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
        .where("project_id", "=", projectId)
        .returning("note")
        .execute();
      for (const { note } of ended) {
        await audit(transaction, {
          userId: project.user_id,
          what: "share_ended",
          by: "system",
          about: { project: project.name, note },
        });
      }
    },
    async endedBy(projectId, sample) {
      const { count } = await database.db
        .selectFrom("share_links")
        .innerJoin("projects", "projects.id", "share_links.project_id")
        .select((select) => select.fn.countAll<string>().as("count"))
        .where("project_id", "=", projectId)
        .where("share_links.expires_at", ">", await clock.now())
        // Unknown samples are unequal to none.
        .where("projects.results_sample", "!=", sample)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async opened(shareId) {
      const openedAt = await clock.now();
      await database.transaction(async (transaction) => {
        const share = await transaction
          .updateTable("share_links")
          .from("projects")
          .set({ opened_at: openedAt })
          .whereRef("projects.id", "=", "share_links.project_id")
          .where("share_links.id", "=", shareId)
          .where("share_links.opened_at", "is", null)
          .returning(["projects.user_id", "projects.name", "share_links.note"])
          .executeTakeFirst();
        if (!share) return;
        await audit(transaction, {
          userId: share.user_id,
          what: "share_opened",
          by: "visitor",
          about: { project: share.name, note: share.note },
        });
      });
    },
  };
}

function shareOf(row: { id: string; note: string; created_at: Date; expires_at: Date }): ShareLink {
  return {
    id: row.id,
    note: row.note,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}
