import { jsonArrayFrom } from "kysely/helpers/postgres";
import type { Billing } from "../billing/billing.ts";
import type { Entitlements } from "../billing/entitlements.ts";
import type { Db } from "../db/database.ts";
import { accountGone } from "../http/api-error.ts";
import { keptGeneLists } from "./gene-lists.ts";
import type { Projects } from "../projects/projects.ts";
import { listReferences } from "../references/references.ts";
import type { Storage } from "../storage/storage.ts";
import type { AccountServices } from "./services.ts";

interface ExportParts extends Pick<AccountServices, "clock" | "database"> {
  billing: Billing;
  entitlements: Entitlements;
  projects: Projects;
  storage: Storage;
}

/** Everything stored about a user except their files and secrets, as one JSON document. */
export async function accountExport(
  parts: ExportParts,
  userId: string,
): Promise<Record<string, unknown>> {
  const { database, clock, billing, entitlements, storage } = parts;
  const { db } = database;
  const account = await db
    .selectFrom("users")
    .select(["id", "email", "created_at", "email_verified_at"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow(() => accountGone());
  const customer = db.selectFrom("customers").select("id").where("user_id", "=", userId);
  return {
    exported_at: clock.now(),
    account,
    plan: await entitlements.subscriptionOf(userId),
    customer_number: (await customer.executeTakeFirst())?.id,
    subscriptions: await db
      .selectFrom("subscriptions")
      .select(["id", "tier", "status", "period_start", "period_end", "created_at", "ended_at"])
      .where("user_id", "=", userId)
      .orderBy("created_at")
      .execute(),
    single_analyses: await db
      .selectFrom("purchases")
      .select(["id", "tier", "purchased_at"])
      .where("user_id", "=", userId)
      .orderBy("purchased_at")
      .execute(),
    transactions: await billing.transactions(userId),
    analyses: await db
      .selectFrom("analyses")
      .select(["project_id", "plan", "counted_at", "completed_at", "spots"])
      .where("user_id", "=", userId)
      .orderBy("counted_at")
      .execute(),
    projects: await exportedProjects(parts, userId),
    studies: await exportedStudies(db, userId),
    gene_lists: await keptGeneLists(db, userId),
    references: await listReferences(storage, userId),
    passkeys: await db
      .selectFrom("passkeys")
      .select(["name", "created_at", "last_used_at"])
      .where("user_id", "=", userId)
      .orderBy("created_at")
      .execute(),
    activity: await db
      .selectFrom("audit_log")
      .select(["at", "what", "by", "about", "address", "device"])
      .where("user_id", "=", userId)
      .orderBy("id")
      .execute(),
    sessions: await db
      .selectFrom("sessions")
      .select(["created_at", "expires_at", "revoked_at", "last_seen_at", "address", "device"])
      .where("user_id", "=", userId)
      .orderBy("created_at")
      .execute(),
  };
}

async function exportedProjects({ database, projects }: ExportParts, userId: string) {
  const { db } = database;
  const own = await projects.list(userId);
  const ids = own.map(({ id }) => id);
  const among = ids.length > 0 ? ids : [null];
  const files = await db
    .selectFrom("uploads")
    .select(["project_id", "slot", "file_name", "size"])
    .where("project_id", "in", among)
    .where("file_name", "is not", null)
    .execute();
  const runs = await db
    .selectFrom("runs")
    .select(["project_id", "status", "start_step", "created_at", "started_at", "finished_at"])
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .execute();
  const views = await db
    .selectFrom("saved_views")
    .select(["project_id", "name", "created_at", "state"])
    .where("project_id", "in", among)
    .orderBy("created_at")
    .execute();
  const shares = await db
    .selectFrom("share_links")
    .select(["note", "created_at", "expires_at"])
    .select((link) => link.ref("project_id").$notNull().as("project_id"))
    .where("project_id", "in", among)
    .orderBy("created_at")
    .execute();
  const annotations = await db
    .selectFrom("annotations")
    .select(["project_id", "id", "kind", "value", "author", "at"])
    .where("project_id", "in", among)
    .orderBy("at")
    .execute();
  const versions = await db
    .selectFrom("annotation_versions")
    .select(["project_id", "name", "author", "at", "count"])
    .where("project_id", "in", among)
    .orderBy("at")
    .execute();
  const of = <T extends { project_id: string }>(rows: T[], id: string): Omit<T, "project_id">[] =>
    rows.filter((row) => row.project_id === id).map(({ project_id, ...rest }) => rest);
  return own.map((project) => ({
    ...project,
    files: of(files, project.id).map((file) => ({ ...file, size: Number(file.size) })),
    runs: of(runs, project.id),
    saved_views: of(views, project.id),
    annotations: of(annotations, project.id),
    annotation_versions: of(versions, project.id),
    share_links: of(shares, project.id),
  }));
}

function exportedStudies(db: Db, userId: string) {
  return db
    .selectFrom("studies")
    .select(["id", "name", "columns", "created_at"])
    .select((study) =>
      jsonArrayFrom(
        study
          .selectFrom("study_samples")
          .select(["project_id", "name", "condition", "patient", "batch", "more"])
          .whereRef("study_id", "=", "studies.id")
          .orderBy("position"),
      ).as("samples"),
    )
    .select((study) =>
      jsonArrayFrom(
        study
          .selectFrom("study_landmarks")
          .select(["first", "second", "points", "author", "at"])
          .whereRef("study_id", "=", "studies.id")
          .orderBy("at"),
      ).as("landmarks"),
    )
    .select((study) =>
      jsonArrayFrom(
        study
          .selectFrom("share_links")
          .select(["note", "created_at", "expires_at"])
          .whereRef("study_id", "=", "studies.id")
          .orderBy("created_at"),
      ).as("share_links"),
    )
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .execute();
}
