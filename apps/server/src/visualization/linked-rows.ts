import type { Db } from "../db/database.ts";
import { hashOf } from "./link-tokens.ts";

/**
 * The project of a link, and the row of `share_links` that its secret names: its own, or that of a study that it is in.
 * Undefined for an account that is gone; null where there is none.
 */
export function projectOfLink(db: Db, owner: string, projectId: string, secret: string) {
  return db
    .selectFrom("users")
    .leftJoin("projects", (join) =>
      join.onRef("projects.user_id", "=", "users.id").on("projects.id", "=", projectId),
    )
    .leftJoin("share_links", (join) =>
      join
        .on("share_links.token_hash", "=", hashOf(secret))
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
    .select(["projects.id as project_id", "share_links.id as share_id", "share_links.opened_at"])
    .where("users.id", "=", owner)
    .executeTakeFirst();
}

/** The same for the link of a study. */
export function studyOfLink(db: Db, owner: string, studyId: string, secret: string) {
  return db
    .selectFrom("users")
    .leftJoin("studies", (join) =>
      join.onRef("studies.user_id", "=", "users.id").on("studies.id", "=", studyId),
    )
    .leftJoin("share_links", (join) =>
      join
        .onRef("share_links.study_id", "=", "studies.id")
        .on("share_links.token_hash", "=", hashOf(secret)),
    )
    .select(["users.id as user_id", "studies.id", "studies.name"])
    .select(["share_links.id as share_id", "share_links.opened_at"])
    .where("users.id", "=", owner)
    .executeTakeFirst();
}
