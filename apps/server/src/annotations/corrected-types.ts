import { sql } from "kysely";
import type { FiledAnnotation } from "@stipple/contract/annotation-file";
import type { Db } from "../db/database.ts";
import { itemsOf } from "./annotations.ts";

/** What people say that a project's types are: names of types, and cells with another type. */
export interface CorrectedTypes {
  /** Equal for equal items of one project, whose ids and revisions others have as well; empty where there are none. */
  state: string;
  items(): Promise<FiledAnnotation[]>;
}

export async function correctedTypes(db: Db, projectId: string): Promise<CorrectedTypes> {
  const rows = await db
    .selectFrom("annotations")
    .select(["id", "revision"])
    .where("project_id", "=", projectId)
    .where(
      sql<boolean>`(kind = 'name' and value->>'of' = 'type' and value->>'label' is not null
        or kind = 'group' and value->>'assigned' is not null)`,
    )
    .orderBy("id")
    .execute();
  const ids = rows.map(({ id }) => id);
  return {
    state: rows.map(({ id, revision }) => `${projectId} ${id} ${revision}`).join(", "),
    items: async () => (await itemsOf(db, projectId, { ids })) as FiledAnnotation[],
  };
}
