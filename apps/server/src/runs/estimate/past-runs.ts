import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import type { PastRun } from "./step-seconds.ts";

/** Number of past runs used to estimate the next. */
const RECENT = 30;

/** Expected and actual durations of the steps in the most recent complete runs. */
export async function pastRuns(db: Db): Promise<PastRun[]> {
  const rows = await db
    .selectFrom((from) =>
      from
        .selectFrom("runs")
        .select(["project_id", "estimate"])
        .where("status", "=", "completed")
        .where("start_step", "=", 0)
        .where(sql<boolean>`estimate ? 'steps'`)
        .orderBy("finished_at", "desc")
        .limit(RECENT)
        .as("run"),
    )
    .innerJoin("step_results", "step_results.project_id", "run.project_id")
    .select(["run.estimate", "run.project_id"])
    .select((row) => [
      row.fn.agg<number[]>("array_agg", ["step_results.seconds"]).orderBy("step").as("seconds"),
      row.fn.agg<number[]>("array_agg", ["step_results.step"]).orderBy("step").as("numbers"),
    ])
    .groupBy(["run.project_id", "run.estimate"])
    .execute();
  return rows.flatMap(({ estimate, seconds, numbers }) => {
    if (!estimate?.steps) return [];
    const took: number[] = [];
    numbers.forEach((step, i) => (took[step] = seconds[i]!));
    return [{ plain: estimate.steps.plain, seconds: took }];
  });
}
