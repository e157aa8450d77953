import { VIEWER_FOLDER } from "@stipple/pipeline/view";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { Outputs } from "../outputs/read.ts";

/** What the `cellsKey` of annotations calls the cells of a project's results; null without results. */
export async function cellsKeyOf(
  outputs: Pick<Outputs, "find">,
  projectId: string,
): Promise<string | null> {
  const file = await outputs.find(projectId, `${VIEWER_FOLDER}/cells.xy.f32`);
  return file?.sha256 ?? null;
}

/** How many groups, assigned types, and clusterings refer to the cells of a project's results. */
export async function annotationsOfCells(
  { database, outputs }: { database: Database; outputs: Pick<Outputs, "find"> },
  projectId: string,
): Promise<number> {
  const { count } = await database.db
    .selectFrom("annotations")
    .select((items) => items.fn.countAll<string>().as("count"))
    .where("project_id", "=", projectId)
    .where("kind", "in", ["group", "clusters"])
    .where(sql<string>`value->>'cellsKey'`, "=", await cellsKeyOf(outputs, projectId))
    .executeTakeFirstOrThrow();
  return Number(count);
}
